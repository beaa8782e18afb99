"""Hosts as the client reads them out of URLs, and the domain rules they are held against; measured."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolaudit.model import Behavior, Rule, Scope, Source
from toolaudit.rules.domains import DomainRules
from toolaudit.rules.urls import parse

HOSTS = [
    ("https://example.com", "example.com"),
    ("HTTPS://Example.COM/x", "example.com"),
    ("https://example.com./x", "example.com."),
    ("https://user:pw@example.com/", "example.com"),
    ("https://example.com@evil.test/", "evil.test"),
    ("https://a@b@example.com/", "example.com"),
    ("https://evil.test\\@example.com/", "evil.test"),
    ("https://example.com\\.evil.test/", "example.com"),
    ("https:\\\\example.com\\x", "example.com"),
    ("https:example.com", "example.com"),
    ("https:///x", "x"),
    ("https://example.com:8443/x", "example.com"),
    ("https://example.com:/", "example.com"),
    ("https://example.com?x=1", "example.com"),
    ("https://example.com/https://evil.test", "example.com"),
    ("https://ex%61mple.com/", "example.com"),
    ("https://exa\tmple.com/", "example.com"),
    (" https://example.com/ ", "example.com"),
    ("https://exa\u00admple.com/", "example.com"),
    ("https://EXAMPLE．com/", "example.com"),
    ("https://example。com/", "example.com"),
    ("https://BÜCHER.example/", "xn--bcher-kva.example"),
    ("https://ß.example/", "xn--zca.example"),
    ("https://127.0.0.1/", "127.0.0.1"),
    ("https://0x7f.1/", "127.0.0.1"),
    ("https://2130706433/", "127.0.0.1"),
    ("https://1.2.3/", "1.2.0.3"),
    ("https://[::1]/", "[::1]"),
    ("https://[::ffff:1.2.3.4]/", "[::ffff:102:304]"),
    ("https://*.example.com/", "*.example.com"),
    ("https://example.com;evil.test/", "example.com;evil.test"),
    ("file:///etc/passwd", ""),
    ("mailto:a@b.c", ""),
    ("view-source:https://example.com/", ""),
]

NO_URLS = [
    "",
    "   ",
    "example.com",
    "//example.com/x",
    "https://",
    "https://exam ple.com/",
    "https://exam|ple.com/",
    "https://example.com%00.evil.test/",
    "https://example.com:99999/",
    "https://example.com:abc/",
    "https://256.1.1.1/",
    "https://[::1/",
    "https://[zz]/",
]

PATHS = [
    ("https://h.test", "/"),
    ("https://h.test/a/../b", "/b"),
    ("https://h.test/a/%2e%2E/b?x/c#d", "/b"),
    ("https://h.test\\a\\.\\b", "/a/b"),
    ("https://h.test//a", "//a"),
]

DOMAINS = [
    ("itself", "a.test", "a.test", True),
    ("case and a final dot", "A.test.", "a.test.", True),
    ("not below", "a.test", "x.a.test", False),
    ("below at any depth", "*.a.test", "x.y.a.test", True),
    ("below is not itself", "*.a.test", "a.test", False),
    ("below starts at a label", "*.a.test", "xa.test", False),
    ("a star within a label", "b.*", "b.test", True),
    ("a star stops at a dot", "b.*", "b.co.uk", False),
    ("a star may be empty", "z.test*", "z.test", True),
    ("two of them", "*.e.*", "x.y.e.test", True),
    ("star, star", "*.*.m.test", "x.m.test", False),
    ("more stars are one", "q.**", "q.co.uk", False),
    ("everything", "*", "any.where", True),
    ("a port is no part of it", "h.test:8080", "h.test", False),
    ("nor a scheme", "https://i.test", "i.test", False),
    ("blanks count", " j.test", "j.test", False),
    ("a comma is no list", "k.test,l.test", "k.test", False),
    ("ASCII only", "bücher.test", "xn--bcher-kva.test", False),
    ("an address", "127.0.0.9", "127.0.0.9", True),
    ("a leading dot is no star", ".w.test", "x.w.test", False),
    ("star and dot alone", "*.", "o.", False),
    ("metacharacters are text", "(u|v).test", "u.test", False),
]


@pytest.mark.parametrize(("text", "host"), HOSTS, ids=[text.strip()[:40] for text, _ in HOSTS])
def test_host(text: str, host: str) -> None:
    url = parse(text)
    assert url is not None
    assert url.host == host


@pytest.mark.parametrize("text", NO_URLS, ids=[repr(text) for text in NO_URLS])
def test_no_url(text: str) -> None:
    assert parse(text) is None


@pytest.mark.parametrize(("text", "path"), PATHS, ids=[text for text, _ in PATHS])
def test_path(text: str, path: str) -> None:
    url = parse(text)
    assert url is not None
    assert url.path == path


def test_user_information_is_told_apart() -> None:
    assert [parse(text).user_info for text in ("https://a@h.test", "https://:@h.test", "https://h.test")] == [  # type: ignore[union-attr]
        True,
        False,
        False,
    ]


@given(st.text(max_size=60))
def test_any_text_can_be_asked(text: str) -> None:
    for prefix in ("", "https://", "http:", "x:"):
        parse(prefix + text)


def rules(*patterns: str) -> DomainRules:
    made = [
        Rule(Behavior.DENY, text, "WebFetch", f"domain:{text}", Source(Scope.USER), "/srv/app") for text in patterns
    ]
    return DomainRules(made)


@pytest.mark.parametrize(("pattern", "host", "expected"), [row[1:] for row in DOMAINS], ids=[row[0] for row in DOMAINS])
def test_domain(pattern: str, host: str, expected: bool) -> None:
    assert (rules(pattern).find(host) is not None) is expected


def test_the_first_domain_rule_is_named() -> None:
    compiled = rules("a.test", "*.x.test", "b.test", "*")
    found = [compiled.find(host) for host in ("a.test", "b.test", "c.d")]
    assert [rule and rule.text for rule in found] == ["a.test", "b.test", "*"]


def test_other_specifiers_are_no_domain_rules() -> None:
    other = Rule(Behavior.DENY, "WebFetch(prompt:x)", "WebFetch", "prompt:x", Source(Scope.USER), "/srv/app")
    assert DomainRules([other]).find("x") is None
