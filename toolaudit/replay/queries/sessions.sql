-- Which sessions would be interrupted most often?
SELECT session, min(root) AS project, min(begun) AS begun, sum(calls) AS calls, sum(ask) AS asked,
       sum(deny) AS denied
FROM sessions
GROUP BY session ORDER BY sum(ask) + sum(deny) DESC, session
