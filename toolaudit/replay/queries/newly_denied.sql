-- Which calls ran and would be refused now, and by which rule?
SELECT tool, subject, rule, rule_file, rule_line, count(*) AS calls
FROM flips WHERE change = 'now_denied'
GROUP BY ALL ORDER BY calls DESC, subject
