"""Hooks that run: only where a session was told to, each in a process of its own or by a request that was allowed."""
