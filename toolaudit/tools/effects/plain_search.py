"""The search program for systems without ripgrep: `python -m toolaudit.tools.effects.plain_search QUERY`.

It answers in ripgrep's form and with its exit codes. Regular expressions are Python's, which differ in rare details;
that they may take forever is the reason why this is a process that can be ended. It imports little, to start soon.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

COLUMNS_MAX: Final = 500
"""A longer line is not shown."""

VERSION_CONTROL: Final = (".git", ".svn", ".hg", ".bzr", ".jj", ".sl")
"""Folders that no search looks into (seeds)."""

FILE_BYTES_MAX: Final = 64 << 20
"""A longer file is not searched."""

PROBED: Final = 8192
"""A file with a null byte among its first bytes is binary, and not searched."""

KINDS: Final = {
    "c": "*.[ch]",
    "cpp": "*.cc *.cpp *.cxx *.h *.hh *.hpp *.hxx",
    "css": "*.css *.scss",
    "go": "*.go",
    "html": "*.htm *.html",
    "java": "*.java",
    "js": "*.js *.jsx *.cjs *.mjs *.vue",
    "json": "*.json",
    "md": "*.md *.markdown *.mdx",
    "php": "*.php",
    "py": "*.py *.pyi",
    "ruby": "*.rb *.gemspec Gemfile Rakefile",
    "rust": "*.rs",
    "sh": "*.sh *.bash *.zsh .bashrc .profile",
    "sql": "*.sql",
    "swift": "*.swift",
    "toml": "*.toml Cargo.lock",
    "ts": "*.ts *.tsx *.cts *.mts",
    "txt": "*.txt",
    "yaml": "*.yaml *.yml",
}
"""Type of file -> globs, by ripgrep's names."""

_BRACES: Final = re.compile(r"\{([^{}]*)\}")
_ALTERNATIVES_MAX: Final = 256


def main(text: str) -> int:
    """Prints the answer to a query in JSON; 0: something was found, 1: nothing, 2: the query is wrong."""
    query = json.loads(text)
    if query["kind"] and query["kind"] not in KINDS:
        return _refuse(f"unrecognized file type: {query['kind']}")
    flags = (re.IGNORECASE if query["ignore_case"] else 0) | re.MULTILINE
    try:
        pattern = re.compile(query["pattern"], flags | (re.DOTALL if query["multiline"] else 0))
    except re.error as error:
        return _refuse(f"regex parse error: {error}")
    found = False
    for path in _files(query):
        if query["mode"] == "files":
            _say(path, b"")
            found = True
        else:
            found = _search(path, pattern, query) or found
    return 0 if found else 1


def _refuse(why: str) -> int:
    print(why, file=sys.stderr)
    return 2


def _say(path: str, text: bytes) -> None:
    sys.stdout.buffer.write(os.fsencode(path) + b"\0" + text)


def _files(query: dict[str, Any]) -> Iterator[str]:
    root = query["root"]
    if not Path(root).is_dir():
        yield root
        return
    wanted = [one for glob in query["globs"] if not glob.startswith("!") for one in _spread(glob)]
    kind = KINDS.get(query["kind"], "").split()
    excluded = [one for glob in query["globs"] if glob.startswith("!") for one in _spread(glob[1:])]
    import pathspec

    tests = [pathspec.PathSpec.from_lines("gitignore", globs) for globs in (wanted, kind) if globs]
    skipped = pathspec.PathSpec.from_lines("gitignore", excluded)
    for path in _walk(root, "", [], all_files=query["all_files"]):
        if all(test.match_file(path) for test in tests) and not skipped.match_file(path):
            yield f"{root.rstrip('/')}/{path}"


def _walk(root: str, below: str, ignores: list[tuple[str, Any]], *, all_files: bool) -> Iterator[str]:
    """The regular files below a directory, by name; `ignores` are the rules of the directories above it."""
    try:
        entries = sorted(os.scandir(f"{root}/{below}"), key=lambda entry: entry.name)
    except OSError:
        return  # as ripgrep with --no-messages: what can't be read is not searched
    if not all_files:
        ignores = [*ignores, *_ignores(root, below)]
    for entry in entries:
        path = below + entry.name
        directory = entry.is_dir(follow_symlinks=False)
        if (directory and entry.name in VERSION_CONTROL) or _ignored(path + "/" * directory, ignores):
            continue
        if directory:
            yield from _walk(root, path + "/", ignores, all_files=all_files)
        elif entry.is_file(follow_symlinks=False):
            yield path


def _ignores(root: str, below: str) -> Iterator[tuple[str, Any]]:
    for name in (".gitignore", ".ignore"):
        path = Path(root) / below / name
        if path.is_file() and path.stat().st_size < FILE_BYTES_MAX:
            import pathspec

            lines = path.read_text(errors="replace").splitlines()
            yield below, pathspec.GitIgnoreSpec.from_lines(lines)


def _ignored(path: str, ignores: list[tuple[str, Any]]) -> bool:
    """Whether the nearest file of rules that speaks of the path leaves it out."""
    for base, spec in reversed(ignores):
        said = spec.check_file(path.removeprefix(base)).include
        if said is not None:
            return bool(said)
    return False


def _spread(glob: str) -> list[str]:
    """A glob with braces as globs without."""
    done: list[str] = []
    rest = [glob]
    while rest and len(done) + len(rest) < _ALTERNATIVES_MAX:
        one = rest.pop()
        found = _BRACES.search(one)
        if found is None:
            done.append(one)
        else:
            rest += [one[: found.start()] + part + one[found.end() :] for part in found[1].split(",")]
    return done + rest


def _search(path: str, pattern: re.Pattern[str], query: dict[str, Any]) -> bool:
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(FILE_BYTES_MAX + 1)
    except OSError:
        return False
    if len(data) > FILE_BYTES_MAX or b"\0" in data[:PROBED]:
        return False
    text = data.decode(errors="replace")
    lines = text.removesuffix("\n").split("\n")
    matching = _matching(text, lines, pattern, multiline=query["multiline"])
    if not matching:
        return False
    match query["mode"]:
        case "files_with_matches":
            _say(path, b"")
        case "count":
            _say(path, f"{len(matching)}\n".encode())
        case _:
            _say_lines(path, lines, matching, query)
    return True


def _matching(text: str, lines: list[str], pattern: re.Pattern[str], *, multiline: bool) -> list[int]:
    """The indexes of the lines that a match touches."""
    if not multiline:
        return [index for index, line in enumerate(lines) if pattern.search(line.removesuffix("\r"))]
    found: set[int] = set()
    for match in pattern.finditer(text):
        first = text.count("\n", 0, match.start())
        found.update(range(first, first + match[0].removesuffix("\n").count("\n") + 1))
    return sorted(index for index in found if index < len(lines))


def _say_lines(path: str, lines: list[str], matching: list[int], query: dict[str, Any]) -> None:
    chosen = set(matching)
    near = {
        index
        for at in matching
        for index in range(max(0, at - query["before"]), min(len(lines), at + query["after"] + 1))
    }
    last = None
    for index in sorted(near):
        if last is not None and index > last + 1 and (query["before"] or query["after"]):
            sys.stdout.buffer.write(b"--\n")
        last = index
        mark = ":" if index in chosen else "-"
        line = lines[index]
        if len(line.encode()) > COLUMNS_MAX:
            line = "[Omitted long matching line]" if index in chosen else "[Omitted long context line]"
        number = f"{index + 1}{mark}" if query["numbers"] else ""
        _say(path, f"{number}{line}\n".encode())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
