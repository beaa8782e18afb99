"""Playing a script of calls live: every call through all fourteen steps, in a copy of a workspace.

A script says what a model and the people around it would do: `script` reads one from YAML, `recorded` makes one of a
recorded session. `player` plays it, `agents` plays the sub-agents in it, and `transcript` writes down what happened in
the client's own format, so that `replay` reads it back.
"""
