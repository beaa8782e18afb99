"""The HTML report in a real browser: hostile text stays text, filters work, it fits a phone and prints."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.reporting.browser import Browser, found
from toolaudit.cli import main

POLICY = Path(__file__).parents[2] / "corpora" / "policies" / "team"

HOSTILE = (
    "<script>document.title='owned'</script>",
    "</script><img src=x onerror=document.title='owned'>",
    "<!--<script>",
    "echo \x1b[31mred\x1b[0m\x1b]0;owned\x07",
    "ls \u202egnp.exe",
    "echo \ud800",
    "echo '&lt;b&gt;' \"<b>\"",
    "x" * 1_000_000,
)


def record(path: Path, commands: Sequence[str]) -> None:
    """A session in which these commands ran."""
    with path.open("w") as out:
        for number, command in enumerate(commands):
            common = {"sessionId": f"s{number % 40}", "cwd": "/home/dev/app", "version": "2.1.332"}
            use = {"type": "tool_use", "id": f"toolu_{number}", "name": "Bash", "input": {"command": command}}
            result = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": "ok"}
            for kind, content in (("assistant", use), ("user", result)):
                message = {"role": kind, "content": [content]}
                out.write(json.dumps({**common, "type": kind, "uuid": f"{kind}{number}", "message": message}) + "\n")


def report(folder: Path, commands: Sequence[str]) -> Path:
    record(folder / "session.jsonl", commands)
    page = folder / "report.html"
    title = "<b>& title</b>"
    options = ["--policy", str(POLICY), "--html", str(page), "--title", title]
    assert main(["report", str(folder / "session.jsonl"), *options]) == 0
    return page


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return report(tmp_path_factory.mktemp("hostile"), [*HOSTILE, "npm run build", "rm -rf build"])


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    program = found()
    if program is None:
        pytest.skip("needs a Chromium: install the package chromium")
    with Browser(program, tmp_path_factory.mktemp("profile")) as opened:
        yield opened


def test_the_page_is_alone_and_strict(hostile: Path) -> None:
    text = hostile.read_text()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy[1]
    assert not re.search(r'\b(?:src|href|srcset|action)=["\']', text)
    assert "<script>document" not in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert text.count("<script") == 2


def test_hostile_text_is_text(hostile: Path, browser: Browser) -> None:
    browser.open(hostile)
    assert browser.ask("document.title") == "<b>& title</b>"
    assert browser.ask("document.images.length") == 0
    listed = browser.ask("[...document.querySelectorAll('#calls summary .mono')].map(one => one.textContent)")
    assert HOSTILE[0] in listed
    assert HOSTILE[1] in listed
    assert r"echo \x1b[31mred\x1b[0m\x1b]0;owned\x07" in listed
    assert r"ls \u202egnp.exe" in listed
    assert not [event for event in browser.events if event["method"] == "Log.entryAdded"]
    assert not [event for event in browser.events if event["method"] == "Runtime.exceptionThrown"]
    asked = [
        event["params"]["request"]["url"] for event in browser.events if event["method"] == "Network.requestWillBeSent"
    ]
    assert asked == [hostile.as_uri()]


def test_a_megabyte_is_cut_and_counted(hostile: Path, browser: Browser) -> None:
    browser.open(hostile)
    opened = "[...document.querySelectorAll('#calls details')].find(one => one.textContent.includes('xxxxxxxx'))"
    browser.ask(f"{opened}.open = true")
    while not browser.ask(f"{opened}.querySelector('pre') !== null"):
        pass
    assert browser.ask(f"{opened}.querySelector('pre').textContent").endswith("996,000 more characters")
    assert hostile.stat().st_size < 300_000


def test_filters_and_traces(hostile: Path, browser: Browser) -> None:
    browser.open(hostile)
    choose = """(() => {
      const form = document.getElementById('calls-filter');
      const option = [...form.elements.decision.options].find(one => one.textContent.startsWith('deny'));
      form.elements.decision.value = option.value;
      form.dispatchEvent(new Event('input'));
      const only = document.querySelector('#calls details');
      only.open = true;
      return document.querySelectorAll('#calls details').length;
    })()"""
    assert browser.ask(choose) == 1
    while not browser.ask("document.querySelector('#calls .inside') !== null"):
        pass
    trace = browser.ask("document.querySelector('#calls .inside').textContent")
    assert "rm -rf build" in trace
    assert "deny rule Bash(rm -rf *) matches" in trace
    for name in ("stage", "tool", "rule", "session"):
        assert browser.ask(f"document.getElementById('by-{name}').options.length") > 1


@pytest.mark.parametrize("width", [360, 1200])
def test_nothing_is_wider_than_the_window(width: int, hostile: Path, browser: Browser) -> None:
    browser.open(hostile, width=width)
    assert browser.ask("document.documentElement.scrollWidth") <= width


def test_it_prints(hostile: Path, browser: Browser) -> None:
    browser.open(hostile)
    assert browser.printed().startswith(b"%PDF")


def test_five_thousand_calls_stay_small(tmp_path: Path, browser: Browser) -> None:
    words = "npm run build|git status|curl https://a.example/x|python3 tools/x.py|git commit -m 'a message'".split("|")
    commands = [f"{words[at % 5]} {'--with-some-option value ' * (at % 9)}{at}" for at in range(5_000)]
    page = report(tmp_path, commands)
    assert page.stat().st_size < 3_000_000
    browser.open(page)
    assert browser.ask("document.getElementById('calls-count').textContent").startswith("5,000 of 5,000 calls")
