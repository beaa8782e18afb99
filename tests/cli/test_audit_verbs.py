"""lint, explain, diff, never and find from the command line."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from toolaudit.cli import main

POLICIES = Path(__file__).parents[2] / "corpora" / "policies"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".claude").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def settings(project: Path, *, allow: list[str] = [], deny: list[str] = []) -> Path:  # noqa: B006  read only
    path = project / ".claude" / "settings.json"
    path.write_text(json.dumps({"permissions": {"allow": allow, "deny": deny}}, indent=2))
    return path


def test_lint_says_where(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings(project, deny=["Bash(x *)", "Write(src/**)"])
    assert main(["lint", "."]) == 1
    assert ".claude/settings.json:6:7: error TA001" in capsys.readouterr().out


def test_lint_is_quiet_on_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings(project, allow=["Bash(npm ci)"])
    assert main(["lint", "."]) == 0
    assert capsys.readouterr().out.startswith("nothing")


@pytest.mark.parametrize(("level", "code"), [("error", 0), ("warning", 0), ("note", 1)])
def test_fail_level(level: str, code: int, project: Path) -> None:
    settings(project, allow=["Bash(npm run *)"])
    assert main(["lint", ".", "--fail-level", level]) == code


@pytest.mark.parametrize("format", ["json", "ndjson", "junit", "tap", "sarif", "github", "markdown"])
def test_lint_writes_every_format(format: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", str(POLICIES / "team"), "--format", format]) == 1
    assert "runs any code" in capsys.readouterr().out


def test_secrets_are_masked(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    secret = "abcdefgh12345678"
    settings(project, allow=[f"Bash(curl -H 'Authorization: Bearer {secret}' https://x)"])
    for format in ("terminal", "json", "sarif", "markdown"):
        assert main(["lint", ".", "--format", format]) == 1
        shown = capsys.readouterr().out
        assert "holds a secret" in shown
        assert secret not in shown


def test_fix_is_a_dry_run_until_told_otherwise(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = settings(project, allow=["Bash(x *)", "Bash(x y)"], deny=["Write(src/**)"])
    before = path.read_text()
    assert main(["lint", ".", "--fix"]) == 0
    assert '+      "Edit(src/**)"' in capsys.readouterr().out
    assert path.read_text() == before
    assert main(["lint", ".", "--fix", "--write"]) == 0
    fixed = json.loads(path.read_text())["permissions"]
    assert fixed == {"allow": ["Bash(x *)"], "deny": ["Edit(src/**)"]}


def test_no_check_of_that_number(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", ".", "--only", "TA999"]) == 2
    assert main(["explain", "TA999"]) == 2
    assert "TA999" in capsys.readouterr().err


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "ta012"]) == 0
    assert capsys.readouterr().out.startswith("TA012 operator-in-rule (error)")
    assert main(["explain"]) == 0
    assert "TA098" in capsys.readouterr().out


def test_diff_of_revisions(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def git(*words: str) -> None:
        identity = ["-c", "user.name=x", "-c", "user.email=x@host.example"]
        subprocess.run(["git", *identity, *words], check=True, capture_output=True)

    settings(project, deny=["Bash(curl *)"])
    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "-m", "one")
    settings(project, allow=["Bash(curl *)"])
    assert main(["diff", "HEAD", "."]) == 1
    shown = capsys.readouterr().out
    assert shown.startswith("LOOSER")
    assert "deny Bash(curl *) (HEAD:.claude/settings.json:5:7)" in shown
    assert main(["diff", "HEAD:.claude/settings.json", "HEAD"]) == 0
    assert main(["diff", "nothing-there", "."]) == 3


@pytest.mark.parametrize(
    ("old", "new", "options", "code"),
    [
        ([], ["Bash(x *)"], [], 1),
        ([], ["Bash(x *)"], ["--no-new-access"], 1),
        (["Bash(x *)"], [], [], 1),
        (["Bash(x *)"], [], ["--no-new-access"], 0),
        (["Bash(x *)"], ["Bash(x:*)"], [], 0),
    ],
    ids=str,
)
def test_exit_codes_of_diff(old: list[str], new: list[str], options: list[str], code: int, tmp_path: Path) -> None:
    paths = []
    for name, rules in (("old", old), ("new", new)):
        (tmp_path / name / ".claude").mkdir(parents=True)
        settings(tmp_path / name, allow=rules)
        paths.append(str(tmp_path / name))
    assert main(["diff", *paths, *options]) == code


def test_diff_shows_recorded_calls_that_flip(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "open.json").write_text('{"permissions": {"allow": ["Bash"]}}')
    (tmp_path / "none.json").write_text("{}")
    sessions = str(POLICIES.parent / "sessions")
    arguments = [str(tmp_path / "none.json"), str(tmp_path / "open.json"), "--calls", sessions, "--json"]
    assert main(["diff", *arguments]) == 1
    changes = json.loads(capsys.readouterr().out)["changes"]
    assert sum(change["recorded"] for change in changes) > 10


@pytest.mark.parametrize("format", ["text", "json", "junit", "sarif", "github", "markdown"])
def test_diff_writes_every_format(format: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", str(POLICIES / "cautious"), str(POLICIES / "team"), "--format", format]) == 1
    assert "gh pr" in capsys.readouterr().out


NEVER = """\
# what must hold
Bash(rm -rf / *)   # everywhere
Read(~/.ssh/**)
"""


@pytest.mark.parametrize(
    ("allow", "deny", "code", "shown"),
    [
        ([], [], 0, "2 passed"),
        (["Bash(rm *)"], [], 1, "xargs rm -rf / is allowed, through xargs"),
        (["Bash(npx *)"], [], 1, "npx -y rm -rf / is allowed, through npx"),
        (["Read(~/**)"], [], 1, "/.ssh) is allowed"),
        (["Read(~/**)"], ["Read(~/.ssh/**)"], 0, "2 passed"),
    ],
    ids=str,
)
def test_never(
    allow: list[str], deny: list[str], code: int, shown: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings(project, allow=allow, deny=deny)
    (project / "never.txt").write_text(NEVER)
    assert main(["never", "never.txt", "--policy", ".", "--home", "/home/user"]) == code
    assert shown in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "# nothing\n", "Write(x)\n"])
def test_never_needs_assertions_that_say_something(text: str, project: Path) -> None:
    settings(project)
    (project / "never.txt").write_text(text)
    assert main(["never", "never.txt", "--policy", "."]) == 2


@pytest.mark.parametrize(
    ("options", "code", "shown"),
    [
        (["--rule", "1"], 0, "DENY  x y"),
        (["--rule", "Bash(x *)"], 0, "ALLOW  x"),
        (["--rule", "Bash(x y z)"], 1, "NONE  proved: deny Bash(x y *)"),
        (["--rule", "settings.json:4", "--decision", "allow"], 0, "ALLOW  x"),
        (["--decision", "deny"], 0, "DENY  x y"),
        (["--decision", "deny", "--tool", "Read"], 1, "NONE"),
        (["--rule", "Bash(nowhere)"], 2, ""),
        ([], 2, ""),
    ],
    ids=str,
)
def test_find(options: list[str], code: int, shown: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings(project, allow=["Bash(x *)", "Bash(x y z)"], deny=["Bash(x y *)"])
    assert main(["find", "--policy", ".", *options]) == code
    assert shown in capsys.readouterr().out


def test_show(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings(project, allow=["Bash(x *)"], deny=["Write(y)"])
    (project / "user.json").write_text('{"permissions": {"defaultMode": "plan"}, "model": "opus"}')
    (project / ".claude" / "settings.local.json").write_text(
        '{"permissions": {"defaultMode": "auto"}, "model": "haiku"}'
    )
    assert main(["show", ".", "--user", "user.json", "--effective", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [(rule["number"], rule["rule"]) for rule in shown["rules"]] == [(1, "Bash(x *)")]
    assert shown["ignored_rules"][0]["source"]["line"] == 7
    states = {(one["key"], one["value"]): one["status"] for one in shown["settings"]}
    assert states["model", "haiku"] == "wins"
    assert states["model", "opus"].startswith("overruled by .claude/settings.local.json")
    assert main(["show", "."]) == 0
    assert "rules in force (1)" in capsys.readouterr().out


def test_show_tells_what_could_not_be_read(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings(project, allow=["Bash(x *)"])
    (project / "user.json").write_text("{,}")
    assert main(["show", ".", "--user", "user.json"]) == 3
    shown = capsys.readouterr().out
    assert "could not be read: user.json:1:2" in shown
    assert "Bash(x *)" in shown


def test_suggest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for session in ("one", "two"):
        lines = []
        for number, command in enumerate(("tsc -p a", "tsc -p b", "ls")):
            id = f"toolu_{session}{number}"
            use = {"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}
            result = {"type": "tool_result", "tool_use_id": id, "content": "done"}
            common = {"sessionId": session, "cwd": "/home/user/app", "version": "2.1.332"}
            asked, answered = f"{id}-1", f"{id}-2"
            lines.append(
                {**common, "type": "assistant", "uuid": asked, "message": {"role": "assistant", "content": [use]}}
            )
            lines.append({**common, "type": "user", "uuid": answered, "message": {"role": "user", "content": [result]}})
        (tmp_path / f"{session}.jsonl").write_text("\n".join(map(json.dumps, lines)))
    fragment = tmp_path / "fragment.json"
    assert main(["suggest", str(tmp_path), "--hold-out", "0", "--out", str(fragment), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert json.loads(fragment.read_text()) == shown["fragment"] == {"permissions": {"allow": ["Bash(tsc *)"]}}
    assert shown["refused_calls_let_through"] == 0
    assert shown["learned_from"]["after"] == 6
    assert [one["call"] for one in shown["beyond_history"]] == ["tsc"]
    assert main(["lint", str(fragment), "--fail-level", "warning"]) == 0
    assert main(["suggest", str(tmp_path), "--hold-out", "0", "--allow", "Bash(tsc *)"]) == 1
