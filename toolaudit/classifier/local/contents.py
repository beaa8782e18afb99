"""What speaks against a text that is put into a file, by an editing tool or by a command."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Final

from toolaudit.classifier.local import code, declared, effects, guards, paths, settings, weaknesses
from toolaudit.classifier.local.code import LOADS
from toolaudit.classifier.local.concern import HOSTED, NAMED, Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.kinds import is_example, is_program
from toolaudit.classifier.local.network import SECRET_TEXT
from toolaudit.classifier.local.starts import Start, Text, resolved
from toolaudit.classifier.local.weaknesses import CHECKS
from toolaudit.patterns import late

_HOST = late(r"(?:https?|git|ssh)://(?:[^/@\s\"']{1,200}@)?([^/:?#\s\"']+)|=>\s*([\w-]+(?:\.[\w-]+)+)/", 2)
_REGISTRY = late(r"^[ \t]*(?:@[\w-]+:)?(?:registry|index-url|extra-index-url|npmRegistryServer)\s*[=:]", 2 | 8)
_MANIFEST = late(
    r"(?:package\.json|go\.mod|Cargo\.toml|pyproject\.toml|Pipfile|setup\.(?:cfg|py)|Gemfile|composer\.json|"
    r"pubspec\.yaml|Podfile|environment\.ya?ml|(?:.*-)?requirements.*\.(?:txt|in)|constraints.*\.txt)"
)
_SOURCE = late(
    r"\breplace\s+\S+(?:\s+v\S+)?\s+=>\s+[\w-]+\.[\w.-]+/|\bgit\s*[=:]\s*[\"']?(?:https?|ssh|git)://|"
    r"[\"'\s@]git\+(?:https?|ssh)://|\s@\s*https?://|"
    r"\"(?!(?:url|homepage|bugs|repository|funding|\$schema)\")[^\"\n]{1,100}\"\s*:\s*\"(?:https?://|git:|github:)",
)
"""A dependency that comes from an address instead of the project's registry."""
_AUTOMATIC = late(
    r"\brunOn\W{1,5}folderOpen|\b(?:initialize|onCreate|updateContent|postCreate|postStart|postAttach)Command\b|"
    r"\"(?:pre|post)?(?:install|prepare|publish|pack)\"\s*:|^[ \t]*RunAtLoad|<key>RunAtLoad",
    8,
)
"""A setting by which something runs without anyone starting it."""
_CONTROLS = late(
    r"conftest\.py|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|CMakeLists\.txt|Dockerfile.*|"
    r"(?:docker-)?compose.*\.ya?ml|Gemfile|composer\.json|requirements.*\.txt|Pipfile|setup\.py|.*\.tf|gradle\.properties|"
    r"gradle-wrapper\.properties|[\w-]*(?:check|lint|test|verify|audit|ci)[\w-]*\.sh"
)
"""Files besides those of checks that say what is built, installed and run."""
_SOURCES = late(
    r".*\.(?:c|h|cc|cpp|hpp|java|kt|scala|go|rs|cs|py|rb|php|js|jsx|ts|tsx|mjs|cjs|vue|svelte|swift|dart|ex|exs|sql|sh|html|css|"
    r"scss|md|ipynb|lua|pl|r|jl|hs|ml|clj|proto|graphql)",
    2,
)
_PROSE: Final = (".md", ".rst", ".txt", ".adoc", ".mdx")
_WRITTEN_HARM: Final = frozenset({"remote-code", "network-exposure", "exfiltration", "denial-of-service"})
"""Categories of program text that count where a text is only written, not run."""
_AUTOMATIC_ASKED: Final = (
    frozenset("automatic automatically folderopen postinstall preinstall startup boot whenever devcontainer".split()),
)
_ADDING: Final = "add make set replace point pin"
"""Verbs by which a user asks for either."""
_PRINTERS: Final = frozenset({"echo", "printf"})


def find(text: Text, context: Context) -> Iterator[Concern]:
    """What speaks against the texts that commands put into files."""
    for start in text.starts:
        yield from _rewritten(start, text, context)
    for path, put_there in put(text, context):
        yield from of_text(path, put_there, context)


def put(text: Text, context: Context) -> Iterator[tuple[str, str]]:
    """The files that commands put a text into, as far as it stands in the command, with that text."""
    for start in text.starts:
        texts = start.texts
        if start.program in _PRINTERS:
            texts.append("\n".join(start.words[1:]))
        elif start.program == "tee":
            texts += ["\n".join(one.words[1:]) for one in start.feeders if one.program in _PRINTERS]
        if texts:
            for path in paths.written(start):
                yield context.absolute(resolved(path, text.values), start.folder), "\n".join(texts)


def _rewritten(start: Start, text: Text, context: Context) -> Iterator[Concern]:
    """A command that writes what is built from or checked by, or puts other content into a source of the project."""
    if start.away:
        return
    over = {target for operator, target in start.redirects if operator in (">", ">|", "&>")}
    if start.program == "tee" and "-a" not in start.words:
        over |= {word for word in start.words[1:] if not word.startswith("-")}
    for spelled in paths.written(start):
        path = context.absolute(resolved(spelled, text.values), start.folder)
        name = posixpath.basename(path)
        if not context.inside(path) or path in context.made or path in context.made_before(start, text):
            continue
        subjects = frozenset({spelled, name, name.partition(".")[0]})
        if CHECKS.fullmatch(path) or _CONTROLS.fullmatch(name):
            why = f"{name} says what is built and checked, and what is put into it can't be told"
            yield Concern("opaque", why, NAMED, subjects, " ".join(start.words), any_verb=True)
        elif spelled in over and any(one.program == "git" for one in (start, *start.feeders)):
            asked = (frozenset("discard throw restore revert undo reset overwrite back".split()), *NAMED)
            why = f"{spelled} is put back to what git has, and what it had may not be committed"
            yield Concern("discarded-work", why, asked, subjects, " ".join(start.words))
        elif spelled in over and _SOURCES.fullmatch(name):
            why = f"{spelled} gets another content, and what it had may not be committed"
            yield Concern("discarded-work", why, NAMED, subjects, " ".join(start.words), any_verb=True)


def of_text(path: str, text: str, context: Context, before: str = "") -> Iterator[Concern]:
    """What speaks against `text` in the file `path`, in place of `before`; not what speaks against writing there."""
    name = posixpath.basename(path)
    told = any(True for _ in paths.of_path(path, "write", context))
    if told and LOADS.search(text):
        yield Concern("persistence", f"{path} would run a download")
    if (told and _REGISTRY.search(text)) or (_MANIFEST.fullmatch(name) and _SOURCE.search(text)):
        yield Concern("supply-chain", f"{path} names another source of packages", HOSTED, _hosts(text), _ADDING)
    if SECRET_TEXT.search(text) and not SECRET_TEXT.search(before) and not is_example(path):
        yield Concern("exfiltration", f"{path} would hold a credential")
    if (told or name == "package.json") and _AUTOMATIC.search(text):
        yield Concern("persistence", f"{path} makes something run by itself", _AUTOMATIC_ASKED, text=_ADDING)
    if len(text) > code.MOST:
        yield Concern("opaque", f"{name} is too long to look at", NAMED, frozenset({name}), any_verb=True)
        return
    if path.endswith(_PROSE) and not _MANIFEST.fullmatch(name) and name != "CMakeLists.txt":
        return
    if LOADS.search(text) and not LOADS.search(before) and not told:
        yield Concern("remote-code", f"{path} would run a download", HOSTED, _hosts(text), any_verb=True)
    yield from weaknesses.find(path, text, before, context)
    yield from guards.find(path, text, before, context)
    yield from settings.find(path, text, before, context)
    yield from declared.find(path, text, before, context)
    if is_program(path):
        yield from effects.find(text, before, name, context, tests=is_example(path))
        yield from (one for one in code.find(text, path) if one.category in _WRITTEN_HARM)


def _hosts(text: str) -> frozenset[str]:
    return frozenset(one for found in _HOST.findall(text) for one in found if one)
