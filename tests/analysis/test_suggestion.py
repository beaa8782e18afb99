"""Rules learned from sessions: what is proposed, what never is, and what they save on sessions they have not seen."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from tests.analysis.making import HOME
from toolaudit.analysis.suggestion import Learner, Observed, by_session
from toolaudit.model import Mode, Policy, ToolCall

ROOT = "/home/user/app"
NOTHING = Policy()


def observed(call: ToolCall, session: str, *, refused: bool = False) -> Observed:
    return Observed(call, session, ROOT, ROOT, HOME, refused)


def ran(command: str, session: str = "one", *, refused: bool = False) -> Observed:
    return observed(ToolCall("Bash", {"command": command}), session, refused=refused)


def learner() -> Learner:
    return Learner(lambda root, home: NOTHING, Mode.DEFAULT)


def proposed(calls: Sequence[Observed]) -> list[str]:
    return [one.text for one in learner().propose(calls, lambda text: True)]


def twice(*commands: str) -> list[Observed]:
    return [ran(command, session) for session in ("one", "two") for command in commands]


@pytest.mark.parametrize(
    ("commands", "rules"),
    [
        (["npm run build", "npm run lint"], ["Bash(npm run build)", "Bash(npm run lint)"]),
        (["tsc -p a", "tsc -p b"], ["Bash(tsc *)"]),
        (["git commit -m a", "git commit -m b"], ["Bash(git commit *)"]),
        (["tsc -p a"], ["Bash(tsc -p a)"]),
        (["tsc -p a && tsc -p b"], ["Bash(tsc *)"]),
        (["python3 a.py", "python3 b.py"], ["Bash(python3 a.py)", "Bash(python3 b.py)"]),
        (["xargs a", "xargs b"], ["Bash(xargs a)", "Bash(xargs b)"]),
        (["rm a", "rm b"], ["Bash(rm a)", "Bash(rm b)"]),
        (["git push origin a", "git push origin b"], ["Bash(git push origin a)", "Bash(git push origin b)"]),
        (["bash -c 'a $(b)'"], []),
        (["ls -la", "cat x"], []),
    ],
    ids=str,
)
def test_commands(commands: list[str], rules: list[str]) -> None:
    assert sorted(proposed(twice(*commands))) == rules


def test_one_session_is_not_enough() -> None:
    assert proposed([ran("tsc -p a"), ran("tsc -p b")]) == []


def test_never_over_a_refused_call() -> None:
    calls = twice("tsc -p a", "tsc -p b")
    assert proposed([*calls, ran("tsc -p secret", refused=True)]) == ["Bash(tsc -p a)", "Bash(tsc -p b)"]


def test_never_over_a_refused_call_together() -> None:
    calls = twice("tsc -p a", "tsc -p b", "eslint a", "eslint b")
    rules = proposed([*calls, ran("tsc -p z && eslint z", refused=True)])
    assert "Bash(tsc *)" not in rules or "Bash(eslint *)" not in rules


def test_what_a_reviewer_would_not_take_is_left_out() -> None:
    calls = twice("tsc -p a", "tsc -p b")
    assert learner().propose(calls, lambda text: "*" not in text)[0].text == "Bash(tsc -p a)"


def edit(path: str, session: str, *, refused: bool = False) -> Observed:
    call = ToolCall("Edit", {"file_path": f"{ROOT}/{path}", "old_string": "x", "new_string": "y"})
    return observed(call, session, refused=refused)


def test_edits() -> None:
    calls = [edit(path, session) for path in ("src/a", "src/b") for session in ("one", "two")]
    assert proposed(calls) == ["Edit(/src/**)"]
    assert proposed([*calls, *(edit(path, "two") for path in ("docs/a", "docs/b"))]) == ["Edit(/**)"]
    assert proposed([*calls, edit("src/a", "three", refused=True)]) == []


def test_secrets_are_not_proposed() -> None:
    calls = [
        observed(ToolCall("Read", {"file_path": f"{HOME}/.ssh/{name}"}), session)
        for name in ("a", "b")
        for session in ("one", "two")
    ]
    assert proposed(calls) == []


def test_hosts_and_servers() -> None:
    calls = [
        observed(call, session)
        for session in ("one", "two")
        for call in (ToolCall("WebFetch", {"url": "https://a.org/x", "prompt": "x"}), ToolCall("mcp__a__b", {}))
    ]
    assert sorted(proposed(calls)) == ["WebFetch(domain:a.org)", "mcp__a__b"]


WORK = (
    *(("git add {}", 6), ("git commit -m {}", 6), ("npm run test", 8), ("npm run lint", 5), ("npx tsc --noEmit", 2)),
    *(("pytest tests/{}", 8), ("ruff check {}", 4), ("mkdir -p {}", 2), ("cat {}", 5), ("rg {} src", 6)),
    *(("python3 tools/{}.py", 2), ("git push origin {}", 2), ("curl https://{}.example", 1)),
)


def sessions(count: int) -> list[Observed]:
    """A project's history: much the same commands in every session, some of them refused."""
    chance = random.Random(3)
    commands, weights = [text for text, _ in WORK], [weight for _, weight in WORK]
    calls = []
    for number in range(count):
        for text in chance.choices(commands, weights, k=40):
            name = chance.choice(["a", "b", "c", "d", "e", "f"]) + str(chance.randint(1, 9))
            refused = text.startswith(("git push", "curl")) and chance.random() < 0.5
            calls.append(ran(text.format(name), f"session {number}", refused=refused))
        calls += [edit(f"src/{chance.randint(1, 30)}", f"session {number}") for _ in range(10)]
    return calls


def test_sessions_that_were_not_learned_from() -> None:
    parts = by_session(sessions(20))
    names = list(parts)
    learned = [one for name in names[:14] for one in parts[name]]
    unseen = [one for name in names[14:] for one in parts[name]]
    asked = learner()
    rules = tuple(one.text for one in asked.propose(learned, lambda text: True))
    cover = asked.cover(unseen, rules)
    assert cover.ordinary_after >= 0.8 * cover.ordinary
    assert cover.after > cover.before
    assert asked.freed([*learned, *unseen], rules) == []
