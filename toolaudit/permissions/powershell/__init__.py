"""The PowerShell tool's own check: a command text read into statements, each judged, and put together.

reader     text into statements, or why it is not understood; tokens: what it looks for; statement: what it finds
aliases    short names of cmdlets
cmdlets    which arguments of which cmdlets are paths; binding: the arguments of one statement
paths      the paths a statement names, judged like a file tool's
nested     commands that a statement hands to another shell as text
analysis   all of these for one text
removals   removals that are denied in every mode
matching   the rules of the tool
rulings    deny and ask rules: any statement, and the whole text
grants     what allows each statement
judge      all of it, in order

No client with PowerShell was at hand to be measured: the documents are the source (documents, 3), and the shape of the
Bash check where they are silent. What is not understood asks.
"""

from toolaudit.permissions.powershell.judge import judge

__all__ = ["judge"]
