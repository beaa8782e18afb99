"""Each rewrite says the same: bash, or the program whose fact it rests on, starts what was to be started."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from toolaudit.fuzz import rewrites
from toolaudit.fuzz.chance import Dice
from toolaudit.fuzz.facts import Argv, Fact, facts
from toolaudit.fuzz.meaning import canonical
from toolaudit.fuzz.oracle import Oracle
from toolaudit.fuzz.rewrites.command import Command, quote
from toolaudit.fuzz.starting import fill, starts

TARGETS: tuple[Argv, ...] = (
    ("rm", "-rf", "x"),
    ("git", "push", "origin", "main"),
    ("git", "push", "--force"),
    ("cat", "./.env", "a/b.txt"),
    ("rm", "it's $x"),
    ("printer", "a b", "", "c\\d", "`e`", "{f,g}", "é"),
)


def ways(name: str) -> list[Command]:
    """What the rewrite makes of the targets it applies to, by several draws."""
    made = [rewrites.rewrite(target, [name], Dice(seed)) for target in TARGETS for seed in range(4)]
    return [command for command in made if command.rewrites]


def test_there_are_many() -> None:
    assert len(rewrites.BY_BASH) >= 60
    assert len(rewrites.ALL) == len(rewrites.BY_BASH) + len(rewrites.BY_PROGRAM)


@pytest.mark.parametrize("name", rewrites.BY_BASH)
def test_bash_starts_the_same(oracle: Oracle, name: str) -> None:
    commands = ways(name)
    assert commands, "applies to nothing"
    for command in commands:
        run = oracle.run(command.text)
        started = [canonical([word.decode() for word in program]) for program in run.programs]
        assert canonical(command.target) in started, command.text


@pytest.mark.parametrize("name", rewrites.ALL)
def test_each_is_explained(name: str) -> None:
    assert len(rewrites.ALL[name].explanation) > 10


@pytest.mark.parametrize("name", rewrites.BY_PROGRAM)
def test_bash_starts_the_program_of_the_fact(oracle: Oracle, name: str) -> None:
    commands = ways(name)
    assert commands, "applies to nothing"
    for command in commands:
        run = oracle.run(command.text)
        assert tuple(word.encode() for word in command.argv) in run.programs, command.text


@pytest.mark.parametrize("fact", facts(), ids=lambda fact: fact.id)
def test_fact_is_recognised_in_what_it_makes(fact: Fact) -> None:
    if fact.how not in ("wrapper", "primary", "shell", "template"):
        assert fact.how in ("global", "synonyms", "input", "reads", "writes")
        return
    argv = ("rm", "-rf", "x")
    words = fill(fact, argv, "rm -rf x")
    assert words is not None
    found = [started for started in starts(words) if started.fact == fact]
    assert any(started.argv == argv or started.shell == "rm -rf x" for started in found), words


def checked(*hows: str) -> list[Fact]:
    return [fact for fact in facts() if fact.check and fact.how in hows]


STARTING = checked("wrapper", "primary", "shell", "template", "input")
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "GIT_CONFIG_GLOBAL": "/dev/null"}


@pytest.mark.parametrize("fact", STARTING, ids=lambda fact: fact.id)
def test_fact_holds_for_the_real_program(fact: Fact, tmp_path: Path) -> None:
    """Runs the program with something harmless to start, where it is installed."""
    program = (*fact.words, *fact.before)[0]
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    mark = tmp_path / "mark"
    touch = ("touch", str(mark))
    text = " ".join(map(quote, touch))
    words = fact.words if fact.how == "input" else fill(fact, touch, text)
    assert words is not None
    subprocess.run(
        words,
        cwd=tmp_path,
        env={**ENVIRONMENT, "HOME": str(tmp_path)},
        input=text + "\n" if fact.how == "input" or fact.feeds else "",
        start_new_session=True,
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert mark.exists(), words


@pytest.mark.parametrize("fact", checked("reads", "writes"), ids=lambda fact: fact.id)
def test_program_really_reads_or_writes(fact: Fact, tmp_path: Path) -> None:
    program = fact.words[0]
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    file = tmp_path / "file"
    if fact.how == "reads" or program == "truncate":
        file.write_text("secret\n")
    words = [word.replace("{path}", str(file)) for word in fact.words]
    result = subprocess.run(
        words, cwd=tmp_path, env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, timeout=20, check=False
    )
    if program == "truncate":
        assert file.read_text() == ""
    elif fact.how == "writes":
        assert file.exists() or file.is_symlink()
    else:
        shown = result.stdout
        assert any(form in shown for form in (b"secret", b"terces", b"c2VjcmV0", b"s   e   c   r   e   t")), words


EQUAL = [
    ("rm -rf x", "/bin/rm -r -f x"),
    ("rm -rf x", "rm x --force --recursive"),
    ("rm -rf -x", "rm -rf -x"),
    ("rm x", "rm -- x"),
    ("git push -f", "git -C . -c a.b=c --no-pager push --force"),
    ("git push", "git --git-dir=x push"),
    ("cat .env", "cat ./a/../.env"),
]
DIFFERENT = [
    ("rm -rf x", "rm -r x"),
    ("rm x", "./rm x"),
    ("rm x", "/tmp/rm x"),
    ("rm -- -f", "rm -f"),
    ("git push", "git pull"),
    ("git push", "git -C push"),
    ("ls -la", "ls -l -a"),
    ("cat .env", "cat ../.env"),
]


@pytest.mark.parametrize(("one", "other"), EQUAL, ids=[other for _, other in EQUAL])
def test_equal_meaning(one: str, other: str) -> None:
    assert canonical(one.split()) == canonical(other.split())


@pytest.mark.parametrize(("one", "other"), DIFFERENT, ids=[f"{one} / {other}" for one, other in DIFFERENT])
def test_different_meaning(one: str, other: str) -> None:
    assert canonical(one.split()) != canonical(other.split())


STARTS = [
    ("sh -ec 'rm x'", "rm x"),
    ("bash --norc -o pipefail -c 'rm x' name", "rm x"),
    ("bash script -c 'rm x'", None),
    ("npx vitest -c 'rm x'", "vitest -c rm x"),
    ("timeout -k 5 10 rm x", "rm x"),
    ("timeout --signal=KILL 10 rm x", "rm x"),
    ("env -u A -i B=1 C=2 rm x", "rm x"),
    ("xargs -n1 -I{} rm x", "rm x"),
    ("find . -name y -exec rm x ;", "rm x"),
    ("docker -H h run -it --rm image rm x", None),
    ("docker run -it --rm image rm x", "rm x"),
    ("docker ps rm x", None),
    ("git bisect run rm x", "rm x"),
    ("git log rm x", None),
    ("git -c alias.y=!rm\\ x y", None),
    ("man --html='rm x' bash", "rm x"),
    ("nohup", None),
]


@pytest.mark.parametrize(("text", "started"), STARTS, ids=[text for text, _ in STARTS])
def test_what_a_program_starts(text: str, started: str | None) -> None:
    found = [" ".join(item.argv) if item.argv is not None else item.shell for item in starts(tuple(shlex.split(text)))]
    assert found[:1] == ([] if started is None else [started])
