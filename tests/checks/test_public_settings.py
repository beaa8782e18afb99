"""Real public settings: lint ends on each of them, and counts what a script of its own counts.

The script knows nothing of the rule language: it is `json` and regular expressions, with the definitions of the corpus'
own analysis, as far as the measured client bears them out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from toolaudit.analysis.diff import Side, compare
from toolaudit.checks import checks, run
from toolaudit.checks.fixing import fixed
from toolaudit.checks.reading import read_audit
from toolaudit.model import Finding, Mode, Scope
from toolaudit.model.workspace import UnknownWorkspace
from toolaudit.settings.merge import merge
from toolaudit.settings.parse import parse

MACHINE = UnknownWorkspace()

SCOPES = {
    "local": Scope.LOCAL,
    "project": Scope.PROJECT,
    "user": Scope.USER,
    "managed": Scope.MANAGED,
    "template": Scope.PROJECT,
}

Counter = Callable[[dict[str, Any]], int]


def rules(value: dict[str, Any], *names: str) -> Iterator[tuple[str, str]]:
    for name in names or ("allow", "ask", "deny"):
        for rule in value.get("permissions", {}).get(name) or []:
            if isinstance(rule, str):
                yield name, rule


def matching(expression: str, *names: str) -> Counter:
    return lambda value: sum(1 for _, rule in rules(value, *names) if re.fullmatch(expression, rule, re.DOTALL))


def hooks(value: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for groups in (value.get("hooks") or {}).values():
        for group in groups if isinstance(groups, list) else []:
            for hook in group.get("hooks") or []:
                yield group, hook


def duplicates(value: dict[str, Any]) -> int:
    found = list(rules(value))
    return len(found) - len(set(found))


PATH = r"(?:Read|Edit|Write|MultiEdit|NotebookEdit|Glob|Grep)"
ROOTS = r"(?:etc|usr|home|Users|var|tmp|opt|root|bin|sbin|lib|dev|proc|sys|mnt|boot|srv|private|Applications|Library)"

COUNTED: dict[str, Counter] = {
    "TA001": matching(r"(?:Write|MultiEdit|NotebookEdit|Glob|Grep)\((?!\*\)).+\)"),
    "TA002": matching(r"mcp__\w[^(]*\(.*\)"),
    "TA003": matching(r"\*|mcp__\*|(?!mcp__)\w*\*\w*", "allow"),
    "TA004": lambda value: sum(
        1 for _, rule in rules(value) if re.fullmatch(r"(?:Fetch|BaBash|SemanticSearch)(?:\(.*\))?", rule, re.DOTALL)
    ),
    "TA005": matching(r"(?:BashOutput|KillShell|AgentOutputTool|LS|MultiEdit|NotebookRead|TodoRead)(?:\(\*\))?"),
    "TA006": matching(PATH + r"\(/" + ROOTS + r"(?:/.*)?\)"),
    "TA007": matching(PATH + r"\(/{0,2}[A-Za-z]:(?:[\\/].*)?\)"),
    "TA009": lambda value: sum(
        1
        for _, rule in rules(value)
        if (found := re.fullmatch(r"(?:Bash|PowerShell)\((.*)\)", rule, re.DOTALL))
        and ":*" in re.sub(r":\*\Z", "", found[1])
    ),
    "TA010": matching(r"Bash\(.*\*.*:\*\)"),
    "TA020": duplicates,
    "TA050": matching(
        r"Bash\((?:(?:do|then|else|elif|if|while|until|for|case|done|fi|esac)(?:[ :;].*)?|__NEW_LINE_.*|[{}])\)",
        "allow",
    ),
    "TA052": lambda value: sum(
        1
        for _, rule in rules(value, "allow")
        if re.fullmatch(r"Bash\([^\n]*\)", rule)
        and len(re.sub(r"\\([()\\])", r"\1", rule[5:-1])) > 160
        and "*" not in rule.replace("\\*", "").replace("\\\\*", "")
    ),
    "TA064": lambda value: int(value.get("enableAllProjectMcpServers") is True),
    "TA084": lambda value: int(value.get("permissions", {}).get("defaultMode") == "bypassPermissions"),
    "TA087": lambda value: sum(1 for item in (value.get("env") or {}).values() if not isinstance(item, str)),
    "TA088": lambda value: int(
        value.get("sandbox", {}).get("enabled") is True and value["sandbox"].get("failIfUnavailable") is not True
    ),
    "TA090": lambda value: len(value.get("sandbox", {}).get("excludedCommands") or []),
    "TA092": lambda value: sum(1 for group, _ in hooks(value) if re.fullmatch(r"\w+\(.*\)", group.get("matcher", ""))),
    "TA094": lambda value: sum(
        1 for _, hook in hooks(value) if isinstance(hook.get("timeout"), int | float) and hook["timeout"] > 900
    ),
}


def files(shared: Path) -> Iterator[tuple[Path, Scope]]:
    rows = (shared / "settings" / "MANIFEST.tsv").read_text().splitlines()[1:]
    for number, _, scope, *_ in (row.split("\t") for row in rows):
        path = shared / "settings" / f"{number}.json"
        if path.exists():
            yield path, SCOPES[scope]


@pytest.fixture(scope="module")
def linted(shared: Path) -> dict[Path, list[Finding]]:
    return {path: list(run(read_audit([(scope, path)]))) for path, scope in files(shared)}


def test_lint_ends_on_every_file(linted: dict[Path, list[Finding]]) -> None:
    assert len(linted) > 100
    known = {check.id for check in checks()}
    assert {finding.id for findings in linted.values() for finding in findings} <= known


@pytest.mark.parametrize("id", COUNTED)
def test_counts(id: str, linted: dict[Path, list[Finding]]) -> None:
    count = COUNTED[id]
    mine, theirs = {}, {}
    for path, findings in linted.items():
        if any(finding.id == "TA080" for finding in findings):
            continue
        if found := sum(finding.id == id for finding in findings):
            mine[path.name] = found
        if counted := count(json.loads(path.read_text())):
            theirs[path.name] = counted
    assert mine == theirs


def test_fixes_give_no_access(shared: Path, linted: dict[Path, list[Finding]]) -> None:
    changed = 0
    for path, scope in files(shared):
        fixes = [finding.fix for finding in linted[path] if finding.fix is not None]
        if not fixes:
            continue
        before = path.read_text()
        after = fixed(before, fixes)
        changed += after != before
        documents = [parse(text, scope) for text in (before, after)]
        policies = [merge([one], cwd=MACHINE.cwd, home=MACHINE.home, trusted=True) for one in documents]
        found = compare(*(Side(one, Mode.DEFAULT, MACHINE) for one in policies))
        assert not found.new_access, (path.name, [change.subject for change in found.changes if change.looser])
        assert not found.faults, path.name
    assert changed > 30
