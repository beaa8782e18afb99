-- At which step or link do calls end?
SELECT stage, decision, count(*) AS calls, round(100.0 * count(*) / sum(count(*)) OVER (), 1) AS percent
FROM calls WHERE counterpart
GROUP BY ALL ORDER BY calls DESC, stage
