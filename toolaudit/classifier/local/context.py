"""What the session says about a call: what the user asked for and ruled out, what the session made, what is trusted."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from toolaudit.classifier.defaults import DEFAULTS, MARK
from toolaudit.classifier.local.concern import Concern
from toolaudit.classifier.local.requests import clauses, negated, requests
from toolaudit.classifier.local.starts import Start, Text, outputs, take_apart
from toolaudit.classifier.local.words import stems
from toolaudit.classifier.question import Did, Question, Said
from toolaudit.patterns import late

_DRIVE = late(r"[A-Za-z]:[\\/]")
_QUOTED = late(r"`([^`]+)`")
_HOST = late(r"(?<![\w@/.-])(?:[a-z0-9*-]+\.)+[a-z]{2,}(?![\w-])", 2)
_PLACE = late(r"(?:s3|gs|az)://[a-z0-9./_-]+", 2)
_RUNS: Final = frozenset({"run", "execute", "do", "use", "start", "call", "show", "try"})
"""Verbs that ask for whatever is named with them."""
LOCAL_HOSTS: Final = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0", "host.docker.internal"})


@dataclass(frozen=True)
class Context:
    """One question with what follows from its conversation."""

    question: Question

    @cached_property
    def messages(self) -> tuple[str, ...]:
        """What the user wrote, oldest first."""
        return tuple(entry.text for entry in self.question.conversation if isinstance(entry, Said))

    @cached_property
    def said(self) -> frozenset[str]:
        """The stems of the words that the user wrote."""
        return frozenset().union(*map(stems, self.messages))

    @cached_property
    def done(self) -> tuple[Text, ...]:
        """The shell texts the session ran."""
        return tuple(take_apart(text) for text in self._commands())

    def _commands(self) -> Iterator[str]:
        for entry in self.question.conversation:
            if isinstance(entry, Did) and isinstance(command := entry.call.input.get("command"), str):
                yield command

    @cached_property
    def scripts(self) -> Mapping[str, str]:
        """Absolute path -> the text of a file that the session wrote."""
        written = {}
        for entry in self.question.conversation:
            if isinstance(entry, Did) and entry.call.tool == "Write":
                path, text = entry.call.input.get("file_path"), entry.call.input.get("content")
                if isinstance(path, str) and isinstance(text, str):
                    written[self.absolute(path)] = text
        return written

    @cached_property
    def edits(self) -> tuple[tuple[str, str, str], ...]:
        """Absolute path, new text and text before of each edit of the session, files it wrote included."""
        found = []
        for entry in self.question.conversation:
            if isinstance(entry, Did) and entry.call.tool in ("Edit", "Write", "NotebookEdit"):
                given = {key: value for key, value in entry.call.input.items() if isinstance(value, str)}
                path = given.get("file_path") or given.get("notebook_path") or ""
                text = given.get("content") or given.get("new_string") or given.get("new_source") or ""
                found.append((self.absolute(path), text, given.get("old_string", "")))
        return tuple(found)

    @cached_property
    def made(self) -> frozenset[str]:
        """Paths, and names of branches, containers and commands, that the session made or started."""
        names = set(self.scripts)
        for text in self.done:
            for start in text.starts:
                names |= set(self._made_by(start))
        return frozenset(names)

    def made_before(self, start: Start, text: Text) -> frozenset[str]:
        """What the commands made that stand before `start` in its own text."""
        before = text.starts[: next((at for at, one in enumerate(text.starts) if one is start), 0)]
        return frozenset(name for one in before for name in self._made_by(one))

    def _made_by(self, start: Start) -> Iterator[str]:
        words = start.words
        operands = [word for word in words[1:] if not word.startswith("-")]
        match words:
            case ["mkdir" | "touch" | "createdb", *_]:
                yield from (self.absolute(one, start.folder) for one in operands)
                yield from operands
            case ["cp" | "mv" | "ln" | "tee" | "unzip" | "tar" | "gcc" | "cc" | "go" | "rustc", *_]:
                yield from (self.absolute(one, start.folder) for one in operands[-1:])
            case ["git", "checkout" | "switch" | "branch" | "tag" | "worktree", *_]:
                yield from operands[1:]
            case ["git", "commit" | "cherry-pick" | "revert", *_]:
                yield "HEAD"
            case ["git", "push", *_]:
                yield "pushed"
            case ["docker" | "podman", "run" | "create", *_] if "--name" in words[:-1]:
                yield words[words.index("--name") + 1]
            case ["docker" | "podman", "build" | "tag" | "buildx", *_]:
                yield from operands[1:]
        yield from (self.absolute(path, start.folder) for path in outputs(start))
        if "background" in start.context:
            yield " ".join(words)
        yield from (
            self.absolute(target, start.folder) for operator, target in start.redirects if operator in (">", "&>", ">|")
        )

    @cached_property
    def cloned(self) -> Mapping[str, Start]:
        """Absolute path -> the command that cloned a repository there."""
        places = {}
        for text in self.done:
            for start in text.starts:
                operands = [word for word in start.words[1:] if not word.startswith("-")]
                if operands[:1] == ["clone"] and start.program == "git" and len(operands) > 1:
                    source = next((at for at, word in enumerate(operands) if "/" in word or ":" in word), 1)
                    name = posixpath.basename(operands[source].rstrip("/")).removesuffix(".git")
                    places[self.absolute((operands[source + 1 :] or [name])[0])] = start
        return places

    def wrote(self, command: str) -> str | None:
        """The message in which the user gave just this command to be run, if no later one takes it back."""
        command = " ".join(command.split())
        for message in reversed(self.messages) if command else ():
            spelled = " ".join(message.split())
            before, found, after = spelled.partition(command)
            if negated(before) or negated(after):
                return None
            if found and _gives(before):
                return message
        return None

    def absolute(self, path: str, folder: str = "") -> str:
        """`path`, spelled in `folder`, as an absolute one, `~` and `$HOME` expanded."""
        if _DRIVE.match(path) is not None:
            return posixpath.normpath(path.replace("\\", "/"))
        return posixpath.normpath(posixpath.join(self.question.cwd, self._at_home(folder), self._at_home(path)))

    def _at_home(self, path: str) -> str:
        for prefix in ("~", "$HOME", "${HOME}"):
            if path == prefix or path.startswith(f"{prefix}/"):
                return self.question.home + path[len(prefix) :]
        return path

    def inside(self, path: str) -> bool:
        """Whether the absolute path is in a working directory."""
        places = (self.question.cwd, *self.question.directories)
        return any(path == place or path.startswith(place.rstrip("/") + "/") for place in places)

    @cached_property
    def trusted(self) -> frozenset[str]:
        """Hosts and storage places that the policy's environment names."""
        entries = [text for text in self.question.rules.environment if text not in (MARK, *DEFAULTS.environment)]
        return frozenset(name.lower() for text in entries for name in _places(text))

    def trusts(self, host: str) -> bool:
        """Whether the environment trusts `host`, or it is this machine; that the user names it is no trust."""
        host = host.lower()
        if is_local(host):
            return True
        wild = any(entry.startswith("*.") and host.endswith(entry[1:]) for entry in self.trusted)
        return wild or host in self.trusted

    @cached_property
    def entries(self) -> tuple[str, ...]:
        """The entries by which the policy rules something out, the built-in ones left aside."""
        rules, own = self.question.rules, {MARK, *DEFAULTS.soft_deny, *DEFAULTS.hard_deny}
        return tuple(text for text in (*rules.hard_deny, *rules.soft_deny) if text not in own)

    def ruled_out(self, starts: Sequence[Start]) -> Iterator[Concern]:
        """The entries of the policy that name one of the commands, or a host or place of the call."""
        rules = self.question.rules
        for entries, hard in ((rules.hard_deny, True), (rules.soft_deny, False)):
            for text in entries:
                if text != MARK and self._covers(text, starts):
                    yield Concern("boundary", f"the policy says: {text}", policy=True, hard=hard)

    def excepted(self, starts: Sequence[Start]) -> str | None:
        """The entry of the policy's `allow` list that names one of the commands."""
        entries = (text for text in self.question.rules.allow if text != MARK)
        return next((text for text in entries if self._covers(text, starts)), None)

    def _covers(self, text: str, starts: Sequence[Start]) -> bool:
        """Whether an entry names a command in backticks, or a host, that the call has."""
        commands = _QUOTED.findall(text)
        places = _places(_QUOTED.sub("", text))
        for start in starts:
            spelled = " ".join(start.words)
            if any(spelled == command or spelled.startswith(f"{command} ") for command in commands):
                return True
            if any(mentions(spelled, place) for place in places):
                return True
        return any(mentions(self.question.shown, place) for place in places)


def _gives(before: str) -> bool:
    """Whether what stands before a command asks to run it."""
    last = before.rstrip(" `:\"'")
    if not last or last.endswith((".", "!", ";")):
        return True
    clause = [*clauses(last)][-1:]
    return any(request.head in _RUNS for one in clause for request in requests(one))


def is_local(host: str) -> bool:
    """Whether `host` is this machine."""
    return host.lower().strip("[]") in LOCAL_HOSTS or host.endswith(".localhost")


def _places(text: str) -> Iterable[str]:
    return [*_HOST.findall(text), *(place.rstrip("/.") for place in _PLACE.findall(text))]


def mentions(text: str, name: str) -> bool:
    """Whether `text` has `name` as a whole word, in either case."""
    name, text = name.lower(), text.lower()
    if len(name) < 2:
        return False
    at = text.find(name)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(name) : at + len(name) + 1]
        if not (before.isalnum() or before in ("_", "-") or after.isalnum() or after in ("_", "-")):
            return True
        at = text.find(name, at + 1)
    return False
