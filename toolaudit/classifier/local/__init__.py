"""The embedded classifier: what is known to be harmless runs; all else needs a reason that the session gives.

harmless/*.txt, places.txt, packages.txt, names, hosts.txt, images.txt, variables.txt
                          what is harmless: commands, places and kinds of file, packages, words of a task's name, hosts,
                          images, variables
harmless, unknown         what of a shell text is not known to be: programs, options, tasks, places ...
packages, fetching, statements, inline, environment, reach, strangers
                          what must hold besides of installs, requests, databases, program text, variables, of the
                          machines that a command or a text names
commands.txt, paths.txt   what speaks against a command or a path, with a better reason than that it is not known
commands, options, paths, removals, network, flow, origins, code, amounts
                          facts that speak against a call, one kind a file, each with `find`
contents                  what speaks against a text that is put into a file, by those below
effects.txt, effects      what program text brings about that nobody asked for
weaknesses, guards        what it puts in that weakens a protection, and what it takes away
settings, declared, embedded
                          what lines of settings say, packages of a manifest, commands in files
starts, started, powershell
                          the programs a shell text starts
shells, calls, servers, messages
                          all that is said against a shell text, a call of another tool, an MCP server's, a text
limits.txt, bans, limits  what the user or the policy ruled out
inquiries                 what changes something where the user only asked
verbs.txt, asking         what the user asked for: the action, in some word for it, and the thing
context, requests, words, kinds
                          what the session says: messages, what it made, whom it trusts; words and kinds of file
judge                     the two stages
"""

from toolaudit.classifier.local.judge import Local

__all__ = ["Local"]
