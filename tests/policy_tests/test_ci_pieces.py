"""The hooks, the action and the workflow, as far as they run without a network: their schemas, and their commands."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
ACTION = ROOT / ".github" / "actions" / "toolaudit" / "action.yml"
WORKFLOW = ROOT / ".github" / "workflows" / "policy.yml"
HOOKS = ROOT / ".pre-commit-hooks.yaml"


def loaded(path: Path) -> Any:
    return YAML(typ="safe").load(path.read_text())


SCHEMAS = {"github-actions": ACTION, "github-workflows": WORKFLOW}


@pytest.mark.parametrize(("schema", "path"), SCHEMAS.items(), ids=SCHEMAS)
def test_they_are_what_their_readers_take(schema: str, path: Path) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_hooks_are_what_pre_commit_takes() -> None:
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", str(HOOKS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The sample repository as a git repository of its own, with its policy committed."""
    path = tmp_path / "project"
    shutil.copytree(ROOT / "corpora" / "repository", path)
    monkeypatch.chdir(path)
    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "--message", "one")
    return path


def git(*words: str) -> None:
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "core.hooksPath=/dev/null"]
    subprocess.run(["git", *identity, *words], check=True, capture_output=True)


def environment(**more: str) -> dict[str, str]:
    """The variables of a process that finds `toolaudit` beside the Python that runs the tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "RUNNER_"))}
    return {**kept, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", **more}


def change(old: str, new: str) -> None:
    settings = Path(".claude/settings.json")
    assert old in settings.read_text()
    settings.write_text(settings.read_text().replace(old, new))


def hook(id: str, staged: tuple[str, ...] = (".claude/settings.json",)) -> subprocess.CompletedProcess[str]:
    """Runs a hook's command as pre-commit would for these staged files."""
    (found,) = (one for one in loaded(HOOKS) if one["id"] == id)
    names = [name for name in staged if re.search(found["files"], name)]
    assert names, "the hook would not run"
    given = [] if found.get("pass_filenames") is False else names
    command = [*found["entry"].split(), *found.get("args", ()), *given]
    return subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)


def test_the_hooks_let_the_sample_pass(project: Path) -> None:
    for id in ("toolaudit-lint", "toolaudit-test", "toolaudit-diff"):
        done = hook(id)
        assert done.returncode == 0, (id, done.stdout, done.stderr)


STOPPED = {
    "toolaudit-lint": ('"Read(.env)"', '"Glob(.env)"', "Glob(.env)"),
    "toolaudit-test": ('"Bash(git push --force *)"', '"Bash(git push --forced *)"', "a force push is stopped"),
    "toolaudit-diff": ('"Bash(npm test)"', '"Bash(npm *)"', "npm"),
}


@pytest.mark.parametrize(("id", "old", "new", "said"), [(id, *row) for id, row in STOPPED.items()], ids=STOPPED)
def test_each_hook_stops_what_it_is_for(project: Path, id: str, old: str, new: str, said: str) -> None:
    change(old, new)
    done = hook(id)
    assert done.returncode == 1, done.stdout + done.stderr
    assert said in done.stdout


def act(project: Path, **inputs: str) -> tuple[dict[str, int], dict[str, str], str, str]:
    """Runs the action's steps but its installation: exit code by step, outputs, the log, the job's summary."""
    action = loaded(ACTION)
    values = {name: inputs.get(name.replace("-", "_"), str(one["default"])) for name, one in action["inputs"].items()}
    temp = project.parent / "temp"
    temp.mkdir(exist_ok=True)
    files = {name: temp / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_PATH")}
    for file in files.values():
        file.write_text("")
    codes, log = {}, ""
    for step in action["runs"]["steps"][1:]:
        if "inputs." in step.get("if", "") and not values[step["if"].split("inputs.")[1].split()[0]]:
            continue
        given = {name: values[value.split("inputs.")[1].split()[0]] for name, value in step["env"].items()}
        variables = environment(RUNNER_TEMP=str(temp), **{name: str(file) for name, file in files.items()}, **given)
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(command, cwd=project, env=variables, capture_output=True, text=True, check=False)
        codes[step["id"]] = done.returncode
        log += done.stdout + done.stderr
    outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
    return codes, outputs, log, files["GITHUB_STEP_SUMMARY"].read_text()


def test_the_action_on_a_policy_that_is_as_it_was(project: Path) -> None:
    codes, outputs, _, _ = act(project, base="HEAD")
    assert codes == {"lint": 0, "test": 0, "diff": 0}
    assert json.loads(Path(outputs["sarif"]).read_text())["version"] == "2.1.0"
    assert "verdict: equivalent" in Path(outputs["effect"]).read_text()
    assert act(project, tests="", base="")[0] == {"lint": 0}


def test_the_action_tells_what_a_change_does(project: Path) -> None:
    change('"Bash(curl *)",\n', "")
    codes, outputs, log, summary = act(project, base="HEAD", coverage="99")
    assert codes == {"lint": 0, "test": 1, "diff": 0}
    assert "::error file=policy/shell.toolaudit.yaml" in log or "::error file=.claude/settings.json" in log
    assert "a part that may run does not carry one that may not" in summary
    assert "coverage is below --fail-under 99" in log
    assert "verdict: looser" in Path(outputs["effect"]).read_text()
    assert "curl" in summary
    assert act(project, base="HEAD", no_new_access="true", tests="")[0] == {"lint": 0, "diff": 1}
    assert act(project, base="nowhere", tests="")[0] == {"lint": 0, "diff": 3}, "what can't be compared is no success"


def test_no_input_is_put_into_a_script() -> None:
    """`${{ inputs.x }}` in `run` would let a branch's name run commands."""
    steps = [*loaded(ACTION)["runs"]["steps"], *loaded(WORKFLOW)["jobs"]["policy"]["steps"]]
    assert all("${{" not in step.get("run", "") for step in steps)
    assert sum("run" in step for step in steps) == 5


def test_the_workflow_uses_inputs_and_outputs_that_the_action_has() -> None:
    action, steps = loaded(ACTION), loaded(WORKFLOW)["jobs"]["policy"]["steps"]
    (used,) = (step for step in steps if step.get("id") == "toolaudit")
    assert (ROOT / used["uses"] / "action.yml") == ACTION
    assert set(used["with"]) <= set(action["inputs"])
    assert (ROOT / used["with"]["directory"] / ".claude" / "settings.json").is_file()
    assert set(re.findall(r"steps\.toolaudit\.outputs\.(\w+)", WORKFLOW.read_text())) <= set(action["outputs"])
