"""An MCP server with one tool, for the tour."""

from mcp.server import MCPServer
from mcp.types import ToolAnnotations

server = MCPServer("books")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def lookup(title: str, copies: int = 1) -> str:
    """Finds a book by its title."""
    return f"{title}: {copies} on the shelf"


server.run("stdio")
