"""MCP servers and their tools (extra `mcp`): what a project's `.mcp.json` names, reached through the official SDK.

Reading the file starts nothing. A server runs only once it is connected to, which a session does when it is asked to:
one on standard input and output in the sandbox that commands run in, one on HTTP only at an address that was allowed.
"""
