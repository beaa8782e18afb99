-- Where does the time of the people go: which programs cause most prompts?
SELECT split_part(trim(subject), ' ', 1) AS program, count(*) AS prompts, min(subject) AS example
FROM calls WHERE decision = 'ask' AND tool = 'Bash'
GROUP BY ALL ORDER BY prompts DESC, program
