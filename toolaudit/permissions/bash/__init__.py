"""The Bash tool's own check: a command text read into parts, each judged, and put together as the client does.

parts      what the client calls subcommands: words after assignments and transparent wrappers, and their spellings
matching   which rule matches a part, or the whole text
refusals   constructs and builtins the client will not look into ("can't be checked before it runs")
removals   critical removals, which nothing approves
guards     directory changes before writes and version control
judge      all of it, in order
"""

from toolaudit.permissions.bash.judge import judge

__all__ = ["judge"]
