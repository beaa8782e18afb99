"""Runs tests many times over: each time in a fork of a process that has imported what does not change between them.

    python -m tests.pipeline.forked

It reads a line of test ids in JSON, and answers with a line: the exit code of pytest and what it printed.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import sys

PRELOADED = (
    *("hypothesis.strategies", "msgspec", "pathspec", "pydantic.deprecated", "pytest", "ruamel.yaml", "rich.console"),
    *("syrupy", "tree_sitter", "tree_sitter_bash", "email.message", "asyncio", "unittest.mock", "http.client"),
)
OPTIONS = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist")
PRINTED_MAX = 4000


def run(tests: list[str]) -> tuple[int, str]:
    """The exit code of pytest in a fork, and the end of what it printed."""
    reader, writer = os.pipe()
    if (child := os.fork()) == 0:
        printed = io.StringIO()
        code = 3
        try:
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
                import pytest

                code = int(pytest.main([*OPTIONS, *tests]))
        finally:
            os.write(writer, printed.getvalue()[-PRINTED_MAX:].encode(errors="replace"))
            os._exit(code)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        text = stream.read().decode(errors="replace")
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), text


def main() -> None:
    for name in PRELOADED:
        importlib.import_module(name)
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
