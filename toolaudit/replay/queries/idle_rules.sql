-- Which rules in force never decided a call, nor a part of one?
SELECT rule_behavior, rule, rule_file, rule_line
FROM rules WHERE in_force AND decided = 0 AND in_parts = 0
ORDER BY rule_file, rule_line
