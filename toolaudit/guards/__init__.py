"""Other guards over the same calls, side by side: whatever can be asked as a PreToolUse hook is asked, and compared.

A guard is a program of the user's own choice; asking it is running it. It runs as hooks do: in the sandbox, without
network, for a bounded time and with bounded output, and what it can't answer is an answer of its own.
"""
