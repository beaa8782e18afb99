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
from toolaudit.classifier.question import Did, Question, Said
from toolaudit.patterns import late

_WORDS = late(r"[A-Za-z0-9_@#:/.~*-]+")
_QUOTED = late(r"`([^`]+)`")
_HOST = late(r"(?<![\w@/.-])(?:[a-z0-9*-]+\.)+[a-z]{2,}(?![\w-])", 2)
_PLACE = late(r"(?:s3|gs|az)://[a-z0-9./_-]+", 2)
_RUNS: Final = frozenset({"run", "execute", "do", "use", "start", "call", "show", "try"})
"""Verbs that ask for whatever is named with them."""
_TELLING: Final = frozenset("compare describe document draft explain mention note write".split())
"""Verbs that ask for words about a thing, not for the thing."""

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

    def asked(self, concern: Concern) -> str | None:
        """The request by which the user asked for just this, if there is one."""
        if concern.asked is None:
            return None
        wanted = frozenset().union(*concern.asked)
        heads = _RUNS | wanted | {word.lower() for word in concern.text.split()}
        placed = bool(wanted & {"{name}", "{host}"})
        for message in reversed(self.messages):
            named = not concern.subjects or not placed or any(mentions(message, one) for one in concern.subjects)
            for request in requests(message) if named else ():
                words = {word.lower().strip(".,:;-") for word in _WORDS.findall(request.text)}
                if concern.any_verb:
                    if request.head not in _TELLING and all(
                        any(_holds(request.text, words, one, concern.subjects) for one in group)
                        for group in concern.asked
                    ):
                        return message
                    continue
                by = request.head not in _TELLING and _by_means_of(concern.text.partition(" ")[0], request.text)
                if (by or any(_is(request.head, head) for head in heads)) and all(
                    any(_holds(message, words, one, concern.subjects) for one in group) for group in concern.asked
                ):
                    return message
        return None

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


def _by_means_of(program: str, request: str) -> bool:
    """Whether a request says to do it with this program."""
    request = request.lower()
    at = request.find(program.lower()) if program else -1
    return at > 0 and request[:at].split()[-1:] in (["with"], ["using"], ["via"]) and mentions(request, program)


def _gives(before: str) -> bool:
    """Whether what stands before a command asks to run it."""
    last = before.rstrip(" `:\"'")
    if not last or last.endswith((".", "!", ";")):
        return True
    clause = [*clauses(last)][-1:]
    return any(request.head in _RUNS for one in clause for request in requests(one))


def _holds(message: str, words: set[str], word: str, subjects: frozenset[str]) -> bool:
    if word in ("{name}", "{host}"):
        return any(mentions(message, subject) for subject in subjects)
    return any(_is(one, word) for one in words)


def _is(word: str, verb: str) -> bool:
    """Whether `word` is `verb`, or a form of it."""
    return word == verb or (word.startswith(verb) and len(word) <= len(verb) + 3)


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
