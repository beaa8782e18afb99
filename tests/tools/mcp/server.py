"""A real MCP server for the tests: on standard input and output, or over HTTP with a port as its argument."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

server = MCPServer("books")


@server.tool(annotations=ToolAnnotations(read_only_hint=True, title="Look up a book"))
def lookup(title: str, copies: int = 1) -> str:
    """Finds a book by its title."""
    return f"{title}: {copies} on the shelf"


@server.tool(annotations=ToolAnnotations(destructive_hint=False), meta={"anthropic/maxResultSizeChars": 200_000})
def shelve(title: str) -> str:
    """Puts a book on the shelf."""
    return f"{title} shelved"


@server.tool(meta={"anthropic/maxResultSizeChars": 9_000_000})
def burn(title: str) -> str:
    """Fails, with a reason."""
    raise ToolError(f"{title} is not to be burnt")


@server.tool()
def recite(characters: int) -> str:
    """Gives back a text of that length."""
    return "x" * characters


@server.tool()
def leave() -> str:
    """Ends the server in the middle of a call."""
    os._exit(3)


@server.tool()
def scribble(path: str) -> str:
    """Tries to write a file."""
    try:
        Path(path).write_text("scribble")
    except OSError as error:
        return f"could not write: {type(error).__name__}"
    return "written"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
    else:
        server.run("stdio")
