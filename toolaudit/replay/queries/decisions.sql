-- What becomes of the calls, by tool and decision?
SELECT tool, decision, count(*) AS calls
FROM calls WHERE counterpart
GROUP BY ALL ORDER BY calls DESC, tool, decision
