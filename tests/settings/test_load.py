"""Settings from files: which files a path stands for, what is read, and what never is."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from toolaudit.model import Behavior, Scope
from toolaudit.settings import SettingsError, load, locate

DENY = json.dumps({"permissions": {"deny": ["Read(/x/**)"]}})


def write(path: Path, text: str = DENY) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_a_directory_is_a_project(tmp_path: Path) -> None:
    project = write(tmp_path / ".claude" / "settings.json")
    assert locate(tmp_path) == {Scope.PROJECT: project}
    local = write(tmp_path / ".claude" / "settings.local.json")
    assert locate(tmp_path) == {Scope.PROJECT: project, Scope.LOCAL: local}


def test_a_file_is_the_scope_it_is_given_as(tmp_path: Path) -> None:
    file = write(tmp_path / "policy.json")
    assert locate(file) == {Scope.PROJECT: file}
    assert locate(file, Scope.USER) == {Scope.USER: file}


def test_a_directory_without_settings_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="got neither") as caught:
        locate(tmp_path)
    assert caught.value.file == str(tmp_path)


def test_every_scope_has_its_file_and_root(tmp_path: Path) -> None:
    scopes = ["managed", "flag", "local", "project", "user"]
    files = {name: write(tmp_path / name / "s.json") for name in scopes}
    policy = load(**files, cli_deny=["Read(/x/**)"], home="/home/u", cwd="/work/app")
    assert [(rule.source.scope, rule.source.file, rule.root) for rule in policy.rules] == [
        (Scope.MANAGED, str(files["managed"]), "/work/app"),
        (Scope.CLI, None, "/work/app"),
        (Scope.FLAG, str(files["flag"]), str(tmp_path / "flag")),
        (Scope.LOCAL, str(files["local"]), "/work/app"),
        (Scope.PROJECT, str(files["project"]), "/work/app"),
        (Scope.USER, str(files["user"]), "/home/u/.claude"),
    ]


def test_the_command_line_adds_rules() -> None:
    policy = load(cli_allow=["Bash(ls)"], cli_ask=["Bash(rm *)"], cli_deny=["Read"], home="/home/u", cwd="/w")
    assert [str(rule) for rule in policy.rules] == ["deny Read", "ask Bash(rm *)", "allow Bash(ls)"]
    assert str(policy.rules_for(Behavior.ASK)[0].source) == "command line (cli)"


def test_an_argument_may_hold_several_rules() -> None:
    policy = load(cli_deny=["Bash(rm *),Read Bash(a, b)"], home="/home/u", cwd="/w")
    assert [rule.text for rule in policy.rules] == ["Bash(rm *)", "Read", "Bash(a, b)"]


def test_nothing_is_read_but_what_is_named(tmp_path: Path) -> None:
    write(tmp_path / ".claude" / "settings.json")
    assert load(home=str(tmp_path), cwd=str(tmp_path)).rules == ()


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        load(user=tmp_path / "none.json", home="/home/u", cwd="/w")
    assert caught.value.message == "expected a settings file, got: no such file or directory"
    assert caught.value.file == str(tmp_path / "none.json")


def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SettingsError, match="expected a file"):
        load(user=tmp_path / "pipe", home="/home/u", cwd="/w")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_without_read_permission_is_an_error(tmp_path: Path) -> None:
    file = write(tmp_path / "s.json")
    file.chmod(0)
    with pytest.raises(SettingsError, match="permission denied"):
        load(user=file, home="/home/u", cwd="/w")


def test_every_real_file_is_a_policy_or_an_error_with_its_place(shared: Path) -> None:
    files = sorted((shared / "settings").glob("*.json"))
    assert len(files) > 100
    refused = {}
    rules = 0
    for file in files:
        try:
            policy = load(user=file, home="/home/u", cwd="/w")
        except SettingsError as error:
            refused[file.name] = (error.file, error.line, error.column)
            continue
        for rule in (*policy.rules, *(rule for rule, _ in policy.ignored)):
            rules += 1
            line = file.read_text("utf-8").split("\n")[(rule.source.line or 0) - 1]
            assert line[(rule.source.column or 0) - 1 :].startswith(json.dumps(rule.text, ensure_ascii=False)[:3])
    assert rules > 1000
    assert len(refused) < len(files) / 10
    assert all(Path(name).exists() and line > 0 and column > 0 for name, line, column in refused.values())
