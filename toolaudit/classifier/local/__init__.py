"""The embedded classifier: what is known to be harmless runs; all else needs a reason that the session gives.

harmless/*.txt, places.txt, packages.txt, names
                          what is harmless: commands, places and kinds of file, packages, words of a task's name
harmless, unknown         what of a shell text is not known to be: programs, options, tasks, places ...
packages, fetching, statements, inline
                          what must hold besides of installs, requests, databases, program text
commands.txt, paths.txt   what speaks against a command or a path, with a better reason than that it is not known
commands, paths, contents, removals, network, flow, origins, code
                          facts that speak against a call, one kind a file, each with `find`
starts, started, powershell
                          the programs a shell text starts
shells, calls, servers, messages
                          all that is said against a shell text, a call of another tool, an MCP server's, a text
limits.txt, limits        what the user ruled out
context, requests         what the session says: asked for, ruled out, made, trusted
judge                     the two stages
"""

from toolaudit.classifier.local.judge import Local

__all__ = ["Local"]
