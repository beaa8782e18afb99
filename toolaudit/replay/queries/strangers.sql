-- Which tools of other agents have no counterpart, so that nothing is decided of their calls?
SELECT agent, agent_tool, count(*) AS calls
FROM calls WHERE NOT counterpart
GROUP BY ALL ORDER BY calls DESC, agent_tool
