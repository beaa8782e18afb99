"""What of a shell text is not known to be harmless: programs, options, tasks, packages, statements, places.

The tables of `harmless` say which commands are; here stands what must hold besides, by the kind of the row.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from toolaudit.classifier.local import environment, fetching, inline, names, packages, paths, places, reach, statements
from toolaudit.classifier.local.concern import NAMED, Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.harmless import Known, known, programs
from toolaudit.classifier.local.starts import CONTAINED, ELSEWHERE, Start, Text, resolved
from toolaudit.classifier.local.table import rows_about
from toolaudit.patterns import late

_ENGINES: Final = frozenset(
    "bun deno julia lua node osascript perl php python python2 python3 R Rscript ruby tsx elixir groovy scala".split()
)
_CODE_OPTIONS: Final = frozenset({"-c", "-e", "--eval", "-pe", "-ne", "-p", "--print", "-E", "-r", "-lne"})
_ELSEWHERE_NAMED: Final = frozenset("aws az bazel docker echo gcloud gsutil kubectl oc podman printf".split())
"""Programs whose words with a slash are no paths here."""
_TEMPORARY: Final = ("/tmp/", "/var/tmp/", "/dev/shm/", "/private/tmp/")
_DOING: Final = frozenset({"make", "run", "task", "get", "query", "fetch"})


def kind(start: Start, text: Text, started: frozenset[str], context: Context) -> Known:
    """What the tables say of a command; a function of the text's own and a program of the project are run."""
    if start.program in text.functions:
        return Known("wrap")
    found = known(start.words, starts=start.program in started)
    module = start.via[-1:] and start.via[-1].rstrip("0123456789.") == "python"
    if not found.kind and module and names.objection(start.program) is None:
        return Known("run")  # A module of the project.
    if found.kind or not start.path:
        return found
    return Known("run") if _own(start, text, context) else found


def changes(text: Text) -> bool:
    """Whether a command of the text does more than look, as far as it is known."""
    return any(
        known(start.words, starts=True).kind in ("make", "get", "") or _fixes(start)
        for start in text.starts
        if start.words and start.program not in text.functions
    )


_REWRITES = late(
    r"--fix\S*|--write|-w|-i|--in-place\S*|--apply\S*|--unsafe-fixes|--update\S*|-u|--autocorrect\S*|-[aA]|--auto-correct\S*"
)
_FORMATS: Final = frozenset("format fmt fix format:write lint:fix generate codegen migrate makemigrations".split())
_CHECKS_ONLY: Final = frozenset("--check --diff --dry-run --list -l --check-only --verify -d --no-write".split())


def _fixes(start: Start) -> bool:
    """Whether a program of the project is told to rewrite what it looks at."""
    if known(start.words, starts=True).kind not in ("run", "task") or set(start.words) & _CHECKS_ONLY:
        return False
    formats = start.program in ("black", "isort", "gofmt", "shfmt", "rustfmt") or bool(_FORMATS & set(start.words[1:3]))
    return formats or any(map(_REWRITES.fullmatch, start.words[1:]))


def find(text: Text, context: Context) -> Iterator[Concern]:
    """What about the commands of a text is not known to be harmless."""
    started = frozenset(name.partition(" ")[0] for start in text.starts for name in start.via)
    for start in text.starts:
        yield from environment.find(start, context)
        if not start.words:
            continue
        what = kind(start, text, started, context)
        spelled = " ".join(start.words)
        if any(via.startswith(CONTAINED) for via in start.via) and not what.kind:
            what = Known("run")
        if not what.kind:
            if any(row.fits(start.words) for row in rows_about(start.program)):
                continue  # The row says why, and what clears it.
            asked = (frozenset({what.verb.lstrip("-").lower()}), *NAMED) if len(what.verb) > 2 else NAMED
            yield Concern("opaque", what.why, asked, _subjects(start, what.verb), spelled, any_verb=True)
            continue
        if what.kind in _DOING and any(via.startswith(ELSEWHERE) for via in start.via):
            why = f"{spelled} does more than look, on another machine"
            yield Concern(
                "production", why, NAMED, frozenset({start.program, *start.words[1:2]}), spelled, any_verb=True
            )
        if start.path and what.kind == "run" and _is_unheard(start, context):
            why = f"what {start.path} does can't be told from its name"
            yield Concern("opaque", why, NAMED, frozenset({start.path, start.program}), spelled, any_verb=True)
        if start.path and not _own(start, text, context) and not _installed(start, context):
            why = f"{start.path} is no program of the project, nor of the machine"
            yield Concern("opaque", why, NAMED, frozenset({start.path}), spelled, any_verb=True)
        check = _CHECKS.get(what.kind)
        if check is not None:
            yield from check(start, context)
        yield from _code(start)
        yield from reach.find(start, what.kind, text.values, context)
        yield from _where(start, what.kind, text.values, context)


def _run(start: Start, context: Context) -> Iterator[Concern]:
    """A program or script of the project: one there, whose name and arguments promise no consequences."""
    plain = [start.program, *(word for at, word in enumerate(start.words) if at and not _is_text(start, at))]
    for word in plain[:6]:
        risky = names.RISKY.search(word.rpartition("/")[2])
        verb = risky.group().strip("_").lower() if risky is not None else ""
        if verb.startswith("migrat") and start.program in _MIGRATORS:
            continue  # It is the developer's own database, unless something says production.
        if verb and "test" not in word.lower():
            subjects = frozenset({verb, word, word.rpartition("/")[2]})
            places_named = frozenset(one for one in start.words[1:] if _ENVIRONMENTS.fullmatch(one))
            if places_named:
                why = f"{word}: the word {verb} promises consequences for {min(places_named)}"
                spelled = " ".join(start.words)
                yield Concern("production", why, (frozenset({verb}), *NAMED), places_named, spelled)
                return
            why = f"{word}: the word {verb} promises consequences"
            yield Concern(
                "production", why, (frozenset({verb, "{name}"}),), subjects, " ".join(start.words), any_verb=True
            )
            return


_MIGRATORS: Final = frozenset(
    """
    artisan bin/console console diesel django-admin dotnet dotnet-ef drizzle-kit flask knex manage.py mix php prisma
    python python3 rails rake sequelize sequelize-cli sqlx symfony typeorm
    """.split()
)
"""Programs whose migrations are part of developing."""


_ENVIRONMENTS = late(r"prod|production|live|staging|stage|qa|uat|preview|sandbox|dev|test|beta|canary", 2)


def _is_text(start: Start, at: int) -> bool:
    """Whether a word is program text, or the value of an option."""
    return start.words[at - 1] in _CODE_OPTIONS or start.words[at].startswith("-") or "\n" in start.words[at]


def _own(start: Start, text: Text, context: Context) -> bool:
    """Whether a program that is spelled with its folder is the project's, or the session's own."""
    path = context.absolute(start.path, start.folder)
    return context.inside(path) or path in context.made or path in context.made_before(start, text)


def _is_unheard(start: Start, context: Context) -> bool:
    """Whether a program of the project is no script, and its name says nothing."""
    path = context.absolute(start.path, start.folder)
    if "." in start.program or start.away or path in context.made or known(start.words, starts=True).kind:
        return False
    if start.program in programs():
        return False  # The row says what of it is not known.
    return context.inside(path) and names.objection(start.program) is not None


def _installed(start: Start, context: Context) -> bool:
    path = context.absolute(start.path, start.folder)
    return not path.startswith(_TEMPORARY) and places.may_read(path, context, only_reads=False)


def _task(start: Start, context: Context) -> Iterator[Concern]:
    """A task by its name."""
    tasks = list(_tasks(start))
    for task in tasks:
        objection = names.objection(task)
        if objection is not None:
            why = f"{start.program} {task}: {objection} is not known to be harmless"
            subjects = frozenset({task, *task.replace(":", " ").replace("-", " ").replace("_", " ").split()[:1]})
            yield Concern("production", why, NAMED, subjects, " ".join(start.words), any_verb=True)
            return


_VERBS: Final = frozenset("run run-script task tasks x run-many affected exec test build r t".split())


def _tasks(start: Start) -> Iterator[str]:
    valued = frozenset(
        "-C -f -j -w --filter -F --directory --file --prefix --cwd -p --workspace --target -t -n".split()
    )
    at, words = 1, start.words
    many = start.program in ("make", "gmake", "ninja", "just", "rake", "gulp", "grunt")
    while at < len(words):
        word = words[at]
        if word == "--":
            return
        if word in valued:
            at += 2
            continue
        if not word.startswith("-") and "=" not in word and not word.isdigit() and not (word in _VERBS and not many):
            yield word
            if not many:
                return
        at += 1


def _code(start: Start) -> Iterator[Concern]:
    """Program text given on the command line, or as a here-document."""
    program = start.program.rstrip("0123456789.")
    if start.program not in _ENGINES and program not in _ENGINES:
        return
    for at, word in enumerate(start.words[:-1]):
        if word in _CODE_OPTIONS and at:
            yield from inline.find(start.words[at + 1], start.program)
            return
    if all(word.startswith("-") for word in start.words[1:]):
        for text in start.texts:
            yield from inline.find(text, start.program)


def _where(start: Start, kind: str, values: Mapping[str, str], context: Context) -> Iterator[Concern]:
    """Places that a command names where what it does is not known to be harmless."""
    if start.away:
        return
    if "$" in start.folder and kind in ("make", "run", "task", "get"):
        yield Concern("opaque", f"where {start.program} works can't be told: {start.folder}")
    if start.words[:2] == ("git", "worktree"):
        return
    only_reads = kind in ("look", "query", "fetch", "wrap") or start.program in paths.LAST
    writes = set(paths.written(start))
    for spelled in paths.named(start):
        word = resolved(spelled, values)
        if spelled in writes or not _is_path(word) or start.program in _ELSEWHERE_NAMED:
            continue
        path = context.absolute(word, start.folder)
        if paths.is_named_secret(word) and _shows(start) and not path.startswith("/tmp/"):
            subjects = frozenset({spelled, posixpath.basename(path), posixpath.basename(path).lstrip(".")})
            yield Concern("credential-exposure", f"{spelled} may hold secrets", NAMED, subjects, any_verb=True)
        elif not places.may_read(path, context, only_reads=only_reads) and not (only_reads and _lists(start)):
            subjects = frozenset({spelled, path, posixpath.basename(path)})
            category = "credential-exposure" if only_reads else "system-change"
            why = f"{spelled} is not a place known to be harmless to {'read' if only_reads else 'work in'}"
            yield Concern(category, why, NAMED, subjects, any_verb=True)


_LISTING: Final = frozenset(
    """
    [ [[ basename cd dirname du df exa eza fd file find findmnt ls lsd mountpoint pushd readlink realpath stat test tree
    wc which
    """.split()
)


def _lists(start: Start) -> bool:
    """Whether it only says what there is, not what is in it."""
    return start.program in _LISTING


_DRIVE = late(r"[A-Za-z]:[\\/]|\\\\")


def _is_path(word: str) -> bool:
    return word.startswith(("/", "~", "..")) or _DRIVE.match(word) is not None or paths.is_named_secret(word)


_KEEPS: Final = frozenset(
    """
    . [ [[ ansible-vault basename cd chmod chown diff dirname docker docker-compose dotenv dotenvx exa eza fd file find
    flask foreman gitleaks gpg ls mkdir node openssl podman python python3 rm shred sops source ssh ssh-add ssh-keygen
    stat test touch tree trufflehog unlink wc which mkcert
    """.split()
)
"""Programs that work with a file of secrets and show none of it."""


def _shows(start: Start) -> bool:
    """Whether what is in a file may come out of it, or go elsewhere by it."""
    if start.program == "find":
        at = next((at for at, word in enumerate(start.words) if word in ("-exec", "-execdir")), 0)
        return bool(at) and start.words[at + 1] not in _KEEPS
    if start.program == "git":
        return bool({"show", "log", "diff", "blame", "cat-file", "archive", "grep", "stash"} & set(start.words[1:3]))
    return start.program not in _KEEPS and (paths.prints(start) or not paths.may_print(start))


def _subjects(start: Start, verb: str) -> frozenset[str]:
    """The program, and its operands if a verb says what is to be done with them."""
    operands = [word for word in start.words[1:] if not word.startswith("-")] if verb else []
    return frozenset(one for one in (start.program, *operands) if len(one) > 2 and one != verb)


_CHECKS: Final[Mapping[str, Callable[[Start, Context], Iterator[Concern]]]] = {
    "run": _run,
    "task": _task,
    "get": packages.find,
    "fetch": fetching.find,
    "query": statements.find,
}
