-- Which commands can't be read, why, and what does the policy do with them?
SELECT complexity, decision, count(*) AS calls, min(subject) AS example
FROM calls WHERE complexity IS NOT NULL
GROUP BY ALL ORDER BY calls DESC, complexity
