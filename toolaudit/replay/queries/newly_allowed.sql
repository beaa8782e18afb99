-- Which calls were refused and would run now without a question?
SELECT tool, subject, outcome, rule, count(*) AS calls
FROM flips WHERE change = 'now_allowed'
GROUP BY ALL ORDER BY calls DESC, subject
