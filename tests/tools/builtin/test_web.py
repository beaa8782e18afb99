"""WebFetch and WebSearch over a transport to this machine, and offline."""

from __future__ import annotations

import http.server
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from tests.tools.builtin.conftest import Bench
from toolaudit.tools.builtin import web_fetch, web_search
from toolaudit.tools.effects.web import Hit, Page

FETCH, SEARCH = web_fetch.TOOL, web_search.TOOL

PAGES: dict[str, tuple[int, dict[str, str], bytes]] = {
    "/": (
        200,
        {"Content-Type": "text/html; charset=latin-1"},
        "<html><head><title>t</title></head><body><h1>Caf\xe9</h1><p>one<br>two <a href='/x'>link</a></p>"
        "<script>evil()</script><ul><li>a<li>b</ul></body></html>".encode("latin-1"),
    ),
    "/data": (200, {"Content-Type": "application/json"}, b'{"a": 1}'),
    "/long": (200, {"Content-Type": "text/plain"}, b"x" * 100_000 + b"end"),
    "/image": (200, {"Content-Type": "image/png"}, b"\x89PNG"),
    "/missing": (404, {"Content-Type": "text/plain"}, b"no"),
    "/near": (302, {"Location": "/data"}, b""),
    "/far": (301, {"Location": "https://other.example/x"}, b""),
    "/round": (302, {"Location": "/round"}, b""),
}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        status, headers, body = PAGES[self.path]
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


class Loopback:
    """Takes every host for this machine."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.asked: list[str] = []

    def fetch(self, url: str, most_bytes: int, seconds: float) -> Page:
        self.asked.append(url)
        path = "/" + url.split("/", 3)[3]
        opener = urllib.request.build_opener(NoRedirect, urllib.request.ProxyHandler({}))
        try:
            answer: Any = opener.open(f"http://127.0.0.1:{self.port}{path}", timeout=seconds)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            redirect = answer.headers.get("Location") or ""
            return Page(
                url,
                answer.status,
                answer.headers.get_content_type() + _charset(answer),
                answer.read(most_bytes),
                redirect,
            )

    def search(self, query: str, seconds: float) -> Sequence[Hit]:
        return [Hit(f"{query} {name}", f"https://{name}/p") for name in ("a.example", "sub.a.example", "b.example")]


def _charset(answer: Any) -> str:
    found = answer.headers.get_content_charset()
    return f"; charset={found}" if found else ""


@pytest.fixture
def web(bench: Bench) -> Iterator[Loopback]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    transport = Loopback(server.server_address[1])
    bench.options(transport=transport)
    yield transport
    server.shutdown()
    server.server_close()


def fetched(bench: Bench, path: str, **more: Any) -> str:
    return str(bench.run(FETCH, url=f"http://site.example{path}", prompt="what", **more))


def test_html_becomes_text(bench: Bench, web: Loopback) -> None:
    assert fetched(bench, "/") == "# Caf\xe9\n\none\ntwo link (/x)\n\n- a\n- b"
    assert web.asked == ["https://site.example/"]


def test_other_texts_stay_as_they_are(bench: Bench, web: Loopback) -> None:
    assert fetched(bench, "/data") == '{"a": 1}'


def test_a_long_page_is_shown_in_parts(bench: Bench, web: Loopback) -> None:
    assert fetched(bench, "/long").endswith("[3 more characters: call again with offset 100000]")
    assert fetched(bench, "/long", offset=100_000) == "end"


def test_a_redirection_is_followed_on_its_own_host_only(bench: Bench, web: Loopback) -> None:
    assert fetched(bench, "/near") == '{"a": 1}'
    web.asked.clear()
    assert "leads to another host: https://other.example/x" in fetched(bench, "/far")
    assert web.asked == ["https://site.example/far"]


@pytest.mark.parametrize(
    ("path", "code"), [("/missing", "http_404"), ("/image", "no_text"), ("/round", "too_many_redirects")]
)
def test_pages_that_can_not_be_shown(bench: Bench, web: Loopback, path: str, code: str) -> None:
    assert bench.fail(FETCH, url=f"https://site.example{path}", prompt="p").code == code


@pytest.mark.parametrize(
    ("given", "hosts"),
    [
        ({}, ["a.example", "sub.a.example", "b.example"]),
        ({"allowed_domains": ["a.example"]}, ["a.example", "sub.a.example"]),
        ({"blocked_domains": ["A.example."]}, ["b.example"]),
        ({"allowed_domains": ["c.example"]}, []),
    ],
)
def test_search(bench: Bench, web: Loopback, given: dict[str, Any], hosts: list[str]) -> None:
    shown = bench.run(SEARCH, query="cats", **given)
    assert [line.split("//")[1].split("/")[0] for line in shown.splitlines() if line.startswith("- ")] == hosts
    assert bool(hosts) != ("No links found." in shown)


@pytest.mark.parametrize(
    ("tool", "given"), [(FETCH, {"url": "https://a.example/", "prompt": "p"}), (SEARCH, {"query": "cats"})]
)
def test_offline_by_default(bench: Bench, tool: Any, given: dict[str, str]) -> None:
    assert bench.fail(tool, **given).code == "offline"
