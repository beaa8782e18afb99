"""The writers of a replay, one a format: each `write`s it and returns the report for whoever sets the exit code."""
