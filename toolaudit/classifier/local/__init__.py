"""The embedded classifier: facts of a call, and tables of what speaks against them.

commands.txt, paths.txt   what speaks against a command or a path: a row a fact
starts                    the programs a shell text starts
commands, paths, contents, removals, network, flow, origins, code, calls
                          facts that speak against a call, one kind a file, each with `find`
context                   what the session says: asked for, ruled out, made, trusted
judge                     the two stages
"""

from toolaudit.classifier.local.judge import Local

__all__ = ["Local"]
