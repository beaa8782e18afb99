-- Which rules decide most, and how many sessions do they touch?
SELECT rule_behavior, rule, rule_file, rule_line, count(*) AS calls, count(DISTINCT session) AS sessions
FROM calls WHERE rule IS NOT NULL
GROUP BY ALL ORDER BY calls DESC, rule
