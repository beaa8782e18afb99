"""The Bash tool's own check: a command text read into parts, each judged, and put together as the client does.

mended     texts that are no bash, as the client reads them
parts      what the client calls subcommands: words after assignments and transparent wrappers
spellings  how a rule may find them written
refusals   what the client will not look into: constructs here, words in writing, programs and builtins in programs
setters    variables a text sets for what follows; values: those whose value can be told
paths      the paths a part names, judged like a file tool's
analysis   all of these for one text
rulings    deny and ask rules: any construct, any part
removals   critical removals, which nothing approves; targets: what makes one critical
grants     what allows the text: a rule for the whole of it, or something for each part
guards     directory changes before writes and version control
hazards    shapes that a prefix rule does not allow
editors    file commands that an edit mode approves
sandbox    which commands the sandbox holds, and what follows; confined: what it lets run by itself
exclusions which commands it leaves out
variables  those a command may be given
matching   rules sorted so that a text meets only those that may match; suspended: those auto mode sets aside
gaps       where the client lets run what nobody granted: findings
conditions the `if` of a hook, put to a text
judge      all of it, in order
"""

from toolaudit.permissions.bash.judge import judge

__all__ = ["judge"]
