from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import ClientSession, MCPError, StdioServerParameters, stdio_client, types
from mcp.client.streamable_http import streamable_http_client

from toolaudit.tools.effects.commands import Runner
from toolaudit.tools.interface import ToolError
from toolaudit.tools.mcp.servers import Server, ServerError

CONNECT_SECONDS: Final = 30.0
"""For which a server may take to start and to say what it offers."""

CALL_SECONDS: Final = 600.0
TOOLS_MAX: Final = 1000
"""Tools that are taken from one server."""


class Connection:
    """One connected server. Its calls may come from any thread."""

    def __init__(
        self, name: str, portal: BlockingPortal, session: ClientSession, tools: tuple[types.Tool, ...]
    ) -> None:
        self.name = name
        self.tools = tools
        self._portal = portal
        self._session = session

    def call(self, tool: str, arguments: Mapping[str, Any]) -> types.CallToolResult:
        """Raises ToolError where the server gives no result; one that tells of a failure is a result."""
        try:
            result = self._portal.call(self._call, tool, dict(arguments))
        except MCPError as error:
            raise ToolError(f"MCP server {self.name}: {error}", "mcp_error") from error
        except TimeoutError as error:
            raise ToolError(f"MCP server {self.name} gave no answer within {CALL_SECONDS:g} s", "timeout") from error
        except Exception as error:  # the transport's own errors: a closed stream, a broken connection
            raise ToolError(f"MCP server {self.name} is gone: {type(error).__name__}", "mcp_gone") from error
        if not isinstance(result, types.CallToolResult):
            raise ToolError(f"MCP server {self.name} asked a question instead of answering", "mcp_question")
        return result

    async def _call(self, tool: str, arguments: dict[str, Any]) -> object:
        return await self._session.call_tool(tool, arguments, read_timeout_seconds=CALL_SECONDS)


@contextmanager
def connect(
    servers: Collection[Server], runner: Runner, cwd: str, hosts: Collection[str] = ()
) -> Iterator[tuple[Connection, ...]]:
    """The servers, connected until the block ends, which also ends the processes that were started.

    `hosts` are those (with a port where there is one) that may be reached over HTTP. Raises ServerError for a server
    that can't be reached.
    """
    with ExitStack() as stack:
        scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="toolaudit-mcp-"))
        portal = stack.enter_context(start_blocking_portal())
        connections = []
        for server in servers:
            opened = _open(server, runner, cwd, scratch, hosts)
            try:
                session, tools = stack.enter_context(portal.wrap_async_context_manager(_session(opened)))
            except Exception as error:  # whatever keeps a server from answering: a missing program, a closed port
                raise ServerError(f"MCP server {server.name} can't be reached: {_told(error)}") from error
            connections.append(Connection(server.name, portal, session, tools))
        yield tuple(connections)


def _open(
    server: Server, runner: Runner, cwd: str, scratch: str, hosts: Collection[str]
) -> AbstractAsyncContextManager[Any]:
    if server.url:
        place = urlsplit(server.url).netloc.rpartition("@")[2]
        if place not in hosts:
            raise ServerError(f"MCP server {server.name}: requests to {place or server.url!r} are not allowed")
        return _http(server)
    argv = runner.wrap(list(server.command), cwd, (), scratch)
    given = StdioServerParameters(command=argv[0], args=argv[1:], env=dict(server.environment), cwd=cwd)
    return _quiet(given, Path(scratch) / f"{server.name}.log")


@asynccontextmanager
async def _quiet(given: StdioServerParameters, log: Path) -> AsyncIterator[Any]:
    """A server on standard input and output; what it writes to standard error stays off the terminal."""
    with log.open("w", encoding="utf-8") as errors:
        async with stdio_client(given, errors) as streams:
            yield streams


@asynccontextmanager
async def _http(server: Server) -> AsyncIterator[Any]:
    import httpx2

    seconds = timedelta(seconds=CALL_SECONDS).total_seconds()
    async with (
        httpx2.AsyncClient(headers=dict(server.headers), timeout=seconds) as client,
        streamable_http_client(server.url, http_client=client) as streams,
    ):
        yield streams


@asynccontextmanager
async def _session(
    opened: AbstractAsyncContextManager[Any],
) -> AsyncIterator[tuple[ClientSession, tuple[types.Tool, ...]]]:
    async with opened as streams, ClientSession(streams[0], streams[1], CONNECT_SECONDS) as session:
        await session.initialize()
        tools: list[types.Tool] = []
        params: types.PaginatedRequestParams | None = None
        while len(tools) < TOOLS_MAX:
            page = await session.list_tools(params=params)
            tools += page.tools
            if not page.next_cursor:
                break
            params = types.PaginatedRequestParams(cursor=page.next_cursor)
        yield session, tuple(tools[:TOOLS_MAX])


def _told(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}".rstrip(": ")[:300]
