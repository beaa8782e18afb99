"""Each check finds what its page says and is silent beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.checks.settings_cases import FOUND, SILENT, Settings
from toolaudit.checks import checks, run
from toolaudit.checks.reading import read_audit
from toolaudit.model import Finding, Scope

ELSEWHERE = {"TA096": "needs a machine", "TA080": "a file that is no settings", "TA099": "needs two scopes"}
"""Checks that a single object of settings cannot show; they have tests of their own below."""


def found(settings: Settings, folder: Path, id: str, scope: Scope = Scope.PROJECT) -> list[Finding]:
    path = folder / "settings.json"
    path.write_text(json.dumps(settings, indent=2))
    return list(run(read_audit([(scope, path)]), only=[id]))


@pytest.mark.parametrize(("id", "settings"), FOUND, ids=lambda value: str(value)[:70])
def test_found(id: str, settings: Settings, tmp_path: Path) -> None:
    findings = found(settings, tmp_path, id)
    assert [finding.id for finding in findings] == [id] * len(findings) != []
    for finding in findings:
        assert finding.source is not None
        assert finding.source.line is not None
        assert finding.help
        assert "{}" not in finding.message


@pytest.mark.parametrize(("id", "settings"), SILENT, ids=lambda value: str(value)[:70])
def test_silent(id: str, settings: Settings, tmp_path: Path) -> None:
    assert found(settings, tmp_path, id) == []


def test_every_check_is_shown_to_find_something() -> None:
    assert {check.id for check in checks()} - ELSEWHERE.keys() == {id for id, _ in FOUND}


@pytest.mark.parametrize("check", checks(), ids=lambda check: check.id)
def test_every_check_has_a_page(check: object) -> None:
    assert check.title.endswith(".")  # type: ignore[attr-defined]
    assert len(check.page) > 60  # type: ignore[attr-defined]


def test_numbers_are_unique() -> None:
    numbers = [check.id for check in checks()]
    assert len(numbers) == len(set(numbers))


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [('{\n "permissions": {"allow": ["Bash(ls)",]}\n}', 2, 38), ("{ // x\n}", 1, 3), ("", 1, 1), ("[]", 1, 1)],
)
def test_a_file_that_the_client_drops(text: str, line: int, column: int, tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text(text)
    [finding] = run(read_audit([(Scope.PROJECT, path)]), only=["TA080"])
    assert finding.source is not None
    assert (finding.source.line, finding.source.column) == (line, column)


def test_the_other_files_are_still_looked_at(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{,}")
    (tmp_path / "good.json").write_text('{"permissions": {"deny": ["Write(x)"]}}')
    audit = read_audit([(Scope.PROJECT, tmp_path / "bad.json"), (Scope.LOCAL, tmp_path / "good.json")])
    assert {finding.id for finding in run(audit, only=["TA001", "TA080"])} == {"TA001", "TA080"}


@pytest.mark.parametrize(("mode", "count"), [(None, 1), (0o100644, 1), (0o100755, 0)])
def test_files_of_hooks_are_looked_at_only_where_a_machine_is_meant(
    mode: int | None, count: int, tmp_path: Path
) -> None:
    path = tmp_path / "settings.json"
    hooks = {"PreToolUse": [{"hooks": [{"type": "command", "command": "./guard.sh --strict"}]}]}
    path.write_text(json.dumps({"hooks": hooks}))
    asked = []

    def file_mode(name: str) -> int | None:
        asked.append(name)
        return mode

    audit = read_audit([(Scope.PROJECT, path)], file_mode=file_mode)
    assert len(list(run(audit, only=["TA096"]))) == count
    assert asked == ["/work/project/guard.sh"]
    assert list(run(read_audit([(Scope.PROJECT, path)]), only=["TA096"])) == []


def test_lists_that_are_not_in_force(tmp_path: Path) -> None:
    (tmp_path / "managed.json").write_text('{"allowManagedPermissionRulesOnly": true}')
    (tmp_path / "project.json").write_text('{"permissions": {"deny": ["Read(x)"]}}')
    audit = read_audit([(Scope.MANAGED, tmp_path / "managed.json"), (Scope.PROJECT, tmp_path / "project.json")])
    assert [finding.id for finding in run(audit, only=["TA099"])] == ["TA099"]


def test_shadowing_is_seen_across_scopes(tmp_path: Path) -> None:
    (tmp_path / "user.json").write_text('{"permissions": {"deny": ["Bash(git *)"]}}')
    (tmp_path / "local.json").write_text('{"permissions": {"allow": ["Bash(git push origin *)"]}}')
    audit = read_audit([(Scope.USER, tmp_path / "user.json"), (Scope.LOCAL, tmp_path / "local.json")])
    [finding] = run(audit, only=["TA021"])
    assert finding.related is not None
    assert finding.related.source.scope is Scope.USER
