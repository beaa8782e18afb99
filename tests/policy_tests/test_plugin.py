"""The pytest plugin, run by pytest itself."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

pytest_plugins = ["pytester"]

SAMPLE = Path(__file__).parents[2] / "corpora" / "repository"
QUIET = ("-p", "no:hypothesispytest", "-p", "no:syrupy")


@pytest.fixture
def sample(pytester: pytest.Pytester) -> pytest.Pytester:
    """pytest in a copy of the sample repository."""
    for name in (".claude", "policy"):
        shutil.copytree(SAMPLE / name, pytester.path / name)
    return pytester


def break_rule(pytester: pytest.Pytester) -> None:
    path = pytester.path / ".claude" / "settings.json"
    path.write_text(path.read_text().replace("Edit(/migrations/**)", "Edit(/moved/**)"))


def test_it_agrees_with_the_verb(sample: pytest.Pytester, capsys: pytest.CaptureFixture[str]) -> None:
    from toolaudit.cli import main

    break_rule(sample)
    result = sample.runpytest_inprocess(*QUIET)
    capsys.readouterr()
    assert main(["test", "--json"]) == 1
    counts = json.loads(capsys.readouterr().out)["counts"]
    result.assert_outcomes(passed=counts["passed"], failed=counts["failed"])
    assert counts["failed"] == 3


def test_a_failure_says_what_a_reviewer_needs(sample: pytest.Pytester) -> None:
    break_rule(sample)
    result = sample.runpytest_inprocess(*QUIET, "-k", "migrations and acceptEdits")
    result.stdout.fnmatch_lines(
        [
            "*migrations may not, by any tool (mode=acceptEdits)*",
            "test      policy/files.toolaudit.yaml:32",
            'call      Write {"file_path": "migrations/0001.sql", "content": "drop"}',
            "expected  decision deny",
            "got       decision allow",
            "missing   Edit(/migrations/[*][*]) is no rule of the policy; the most like it is",
            "compare   Edit(/moved/[*][*])  (deny, .claude/settings.json:27:7)",
            "*chain     lookup*",
        ]
    )
    assert "Traceback" not in result.stdout.str()
    assert "collecting.py" not in result.stdout.str()


def test_a_broken_file_is_a_failing_item(pytester: pytest.Pytester) -> None:
    pytester.makefile(".toolaudit.yaml", bad="policy: x.json\ncases: 5\n")
    result = pytester.runpytest_inprocess(*QUIET)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*bad.toolaudit.yaml:2:1: expected `cases` to be a list with at least one case"])


def test_collecting_selecting_stopping_and_exit_codes(sample: pytest.Pytester) -> None:
    listed = sample.runpytest_inprocess(*QUIET, "--collect-only", "-q")
    assert "policy/shell.toolaudit.yaml::a push waits for a person" in listed.outlines
    assert sample.runpytest_inprocess(*QUIET, "-k", "unheard").ret == pytest.ExitCode.NO_TESTS_COLLECTED
    sample.runpytest_inprocess(*QUIET, "policy/shell.toolaudit.yaml::commits run").assert_outcomes(passed=1)
    break_rule(sample)
    stopped = sample.runpytest_inprocess(*QUIET, "-x")
    assert stopped.ret == pytest.ExitCode.TESTS_FAILED
    stopped.assert_outcomes(failed=1, passed=7)
    sample.runpytest_inprocess(*QUIET)
    sample.runpytest_inprocess(*QUIET, "--lf").assert_outcomes(failed=3)


def test_junit_tells_of_cases(sample: pytest.Pytester) -> None:
    sample.runpytest_inprocess(*QUIET, "--junitxml=x.xml", "-k", "commits")
    (case,) = ElementTree.parse(sample.path / "x.xml").getroot().iter("testcase")
    assert case.get("name") == "commits run"
    assert [(one.get("name"), one.get("value")) for one in case.iter("property")] == [("stage", "allow")]


def test_a_case_that_is_skipped(pytester: pytest.Pytester) -> None:
    pytester.makefile(".json", settings="{}")
    pytester.makefile(
        ".toolaudit.yaml", x="policy: settings.json\ncases:\n - {command: ls, skip: 'not yet', expect: deny}\n"
    )
    pytester.runpytest_inprocess(*QUIET).assert_outcomes(skipped=1)


def test_coverage_is_merged_over_processes(sample: pytest.Pytester) -> None:
    one = sample.runpytest_inprocess(*QUIET, "--toolaudit-coverage=one.json", "--toolaudit-fail-under=80")
    assert one.ret == 0
    one.stdout.fnmatch_lines(["*policy coverage*", "coverage: 81.0% of the rules (17 of 21)"])
    two = sample.runpytest_subprocess(
        *QUIET, "-n", "2", "--toolaudit-coverage=two.json", "--toolaudit-fail-under=99", timeout=120
    )
    assert two.ret == pytest.ExitCode.TESTS_FAILED
    two.stdout.fnmatch_lines(["coverage is below --toolaudit-fail-under 99"])
    assert (sample.path / "two.json").read_text() == (sample.path / "one.json").read_text()


PYTHON = """
    import pytest

    def test_words(decide):
        assert decide("git push --force origin main") == "deny"
        assert decide("make") != "allow"
        assert decide(tool="Read", input={"file_path": ".env"}).rule == "Read(.env)"
        assert decide("npm test", mode="dontAsk", hooks=[{"decision": "deny"}]).stage == "hook"

    def test_wrong(decide):
        assert decide("git push origin main") == "deny"

    @pytest.mark.policy(mode="bypassPermissions", deny=["Bash(make *)"])
    def test_marked(decide, policy):
        assert decide("terraform apply") == "allow"
        assert decide("make it") == "deny"
        assert policy.rules[0].text == "Bash(make *)"

    @pytest.mark.policy("policy")
    def test_no_policy(decide):
        pass
"""


def test_fixtures_and_the_assertion_that_explains_itself(sample: pytest.Pytester) -> None:
    sample.makepyfile(PYTHON)
    result = sample.runpytest_inprocess(*QUIET, "--strict-markers", "--ignore=policy")
    result.assert_outcomes(passed=2, failed=1, errors=1)
    result.stdout.fnmatch_lines(
        [
            "*<ask at ask by Bash(git push [*])> == 'deny'",
            "*rule      Bash(git push [*])  (ask, .claude/settings.json:16:7)",
        ]
    )
    result.stdout.fnmatch_lines(["*in the directory, got neither*"])


def test_the_ini_option_names_the_policy(pytester: pytest.Pytester) -> None:
    pytester.makefile(".json", rules='{"permissions": {"deny": ["Bash(curl *)"]}}')
    pytester.makeini("[pytest]\ntoolaudit_policy = rules.json\n")
    pytester.makepyfile("def test(decide):\n    assert decide('curl x') == 'deny'\n")
    pytester.runpytest_inprocess(*QUIET).assert_outcomes(passed=1)


def test_replays_snapshots_and_generated_commands(sample: pytest.Pytester) -> None:
    """Recorded sessions, a table of decisions held against a snapshot, and the fuzzer's commands with @given."""
    sample.makepyfile(
        f"""
        from hypothesis import HealthCheck, given, settings
        from toolaudit.fuzz.strategies import commands

        def test_replay(replay):
            report = replay({str(SAMPLE.parent / "sessions")!r})
            assert report.calls > 50

        def test_table(decide, snapshot):
            table = decide.table(["git push", "npm test", ("Read", {{"file_path": "{{.env}}"}})])
            assert table.splitlines()[0] == "ask    ask    Bash(git push *)  git push"
            assert table == snapshot

        @settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
        @given(command=commands())
        def test_nothing_generated_forces_a_push(decide, command):
            assert decide(f"git push --force; {{command}}") != "allow"
        """
    )
    first = sample.runpytest_subprocess("-p", "no:cacheprovider", "--snapshot-update", timeout=120)
    assert first.ret == 0, first.stdout.str()
    break_rule(sample)
    path = sample.path / ".claude" / "settings.json"
    path.write_text(path.read_text().replace("Bash(npm test)", "Bash(npm tests)"))
    second = sample.runpytest_subprocess("-p", "no:cacheprovider", "-k", "test_table", timeout=120)
    second.assert_outcomes(failed=1)


def test_it_costs_nothing_where_it_is_not_used(pytester: pytest.Pytester) -> None:
    """Loaded by every pytest on the machine, it imports nothing of toolaudit but itself and two constants."""
    pytester.makepyfile(
        """
        def test():
            import sys
            print("LOADED", [name for name in sys.modules if name.startswith("toolaudit")])
        """
    )
    result = pytester.runpytest_subprocess("-s", "-p", "no:cacheprovider", timeout=60)
    loaded = next(line for line in result.outlines if "LOADED" in line)
    assert json.loads(loaded.partition("LOADED ")[2].replace("'", '"')) == [
        "toolaudit",
        "toolaudit.pytest_plugin",
        "toolaudit.pytest_plugin.plugin",
        "toolaudit.pytest_plugin.specs",
    ]


def test_check_loads_nothing_of_it() -> None:
    code = (
        "import sys; from toolaudit.cli import main; main(['check', 'ls', '--allow', 'Bash(ls *)', '--json']); "
        "assert not [m for m in sys.modules if m.startswith(('toolaudit.testing', 'toolaudit.analysis', 'ruamel'))]"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
