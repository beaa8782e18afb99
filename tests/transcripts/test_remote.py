"""Recordings by URL, read through fsspec's own file systems: one in memory, one on the disk, one a loopback server."""

from __future__ import annotations

import gzip
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from recording import result, use, write

from toolaudit.transcripts import Problem, RecordedCall, Trouble
from toolaudit.transcripts.reading import read
from toolaudit.transcripts.remote import is_url

fsspec = pytest.importorskip("fsspec", reason="reading URLs needs fsspec: pip install toolaudit[remote]")


@pytest.fixture
def session(tmp_path: Path) -> bytes:
    return write(tmp_path / "made.jsonl", use(), result()).read_bytes()


@pytest.fixture
def memory(session: bytes) -> Iterator[str]:
    store = fsspec.filesystem("memory")
    store.pipe("/logs/a.jsonl", session)
    store.pipe("/logs/deep/b.jsonl.gz", gzip.compress(session.replace(b"toolu_01", b"toolu_02")))
    store.pipe("/logs/notes.txt", b"hello")
    yield "memory://logs"
    store.rm("/logs", recursive=True)


def found(*paths: str) -> tuple[list[str], list[Problem]]:
    events = list(read(paths))
    return (
        [event.file for event in events if isinstance(event, RecordedCall)],
        [event for event in events if isinstance(event, Problem)],
    )


def test_a_folder_is_searched_and_what_is_left_out_is_named(memory: str) -> None:
    files, problems = found(memory)
    assert files == ["memory:///logs/a.jsonl", "memory:///logs/deep/b.jsonl.gz"]
    assert [(problem.trouble, problem.file) for problem in problems] == [(Trouble.LEFT_OUT, "memory:///logs/notes.txt")]


def test_a_glob_finds_its_matches(memory: str) -> None:
    assert found(f"{memory}/*.jsonl") == (["memory:///logs/a.jsonl"], [])


def test_a_file_by_its_scheme(tmp_path: Path, session: bytes) -> None:
    files, problems = found(f"file://{tmp_path}/made.jsonl")
    assert (len(files), problems) == (1, [])


@pytest.mark.parametrize("url", ["memory://nothing/here.jsonl", "nonsense://x/y.jsonl", "http://127.0.0.1:9/x.jsonl"])
def test_what_can_not_be_reached_is_named(url: str) -> None:
    _, problems = found(url)
    assert [problem.trouble for problem in problems] == [Trouble.UNREADABLE]


def test_over_http(session: bytes) -> None:
    pytest.importorskip("aiohttp", reason="fsspec reads http with aiohttp")

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(session)))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(session)

        do_HEAD = do_GET

        def log_message(self, *_: object) -> None:
            """Nothing: the test's output is pytest's."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        files, problems = found(f"http://127.0.0.1:{server.server_port}/made.jsonl")
        server.shutdown()
    assert (len(files), problems) == (1, [])


@pytest.mark.parametrize(
    ("path", "expected"), [("s3://b/k", True), ("file:///x", True), ("/a/b", False), ("a:b", False), ("-", False)]
)
def test_urls_are_told_from_paths(path: str, expected: bool) -> None:
    assert is_url(path) is expected
