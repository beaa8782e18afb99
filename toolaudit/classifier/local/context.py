"""What the session says about a call: what the user asked for and ruled out, what the session made, what is trusted."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from toolaudit.classifier.defaults import DEFAULTS, MARK
from toolaudit.classifier.local.concern import Concern
from toolaudit.classifier.local.starts import Start, Text, take_apart
from toolaudit.classifier.question import Did, Question, Said
from toolaudit.patterns import late

_WORDS = late(r"[A-Za-z0-9_@#:/.~*-]+")
_QUOTED = late(r"`([^`]+)`")
_HOST = late(r"(?<![\w@/.-])(?:[a-z0-9*-]+\.)+[a-z]{2,}(?![\w-])", 2)
_PLACE = late(r"(?:s3|gs|az)://[a-z0-9./_-]+", 2)
_NEGATION = late(
    r"(?<![-\w])(?:don'?t|do not|does not|never|no|not|without|stop before (?:you )?|wait (?:\w+ ){0,5}before|before"
    r"|"
    r"leave|avoid|instead of|nothing|except)(?![-\w])",
    2,
)
_CLAUSE = late(r"[.;!?](?:\s|\Z)|\n|,|\bbut\b|\band then\b", 2)
_LIFTS = late(r"\b(?:now|ok|okay|yes|go ahead|please|you may|you can)\b", 2)

LOCAL_HOSTS: Final = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0", "host.docker.internal"})

ACTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "push": ("git push", "docker push", "gh pr create"),
    "commit": ("git commit",),
    "commits": ("git commit",),
    "deploy": ("*deploy*", "kubectl apply", "kubectl rollout", "helm", "vercel", "fly", "terraform apply"),
    "deploying": ("*deploy*", "kubectl apply", "kubectl rollout", "helm", "vercel", "fly", "terraform apply"),
    "release": ("*release*", "npm publish"),
    "publish": ("npm publish", "cargo publish", "twine", "docker push"),
    "install": (
        "npm install",
        "npm i",
        "npm ci",
        "yarn add",
        "pip install",
        "pip3 install",
        "uv",
        "apt-get",
        "apt",
        "brew",
        "gem install",
        "cargo install",
    ),
    "delete": ("rm", "rmdir", "git rm", "shred", "unlink", "find"),
    "remove": ("rm", "rmdir", "git rm", "shred", "unlink"),
    "merge": ("git merge", "gh pr merge"),
    "rebase": ("git rebase",),
    "migration": ("*migrat*", "alembic", "*db:migrate*", "flyway"),
    "migrations": ("*migrat*", "alembic", "*db:migrate*", "flyway"),
    "migrate": ("*migrat*", "alembic", "*db:migrate*", "flyway"),
    "database": ("psql", "mysql", "mongosh", "redis-cli", "sqlite3", "dropdb", "createdb", "alembic", "pg_dump"),
    "docker": ("docker", "podman"),
    "containers": ("docker", "podman", "kubectl"),
    "container": ("docker", "podman"),
    "network": ("curl", "wget", "ssh", "scp", "rsync"),
    "restart": ("systemctl restart", "docker restart", "*restart*"),
    "tests": ("pytest", "npm test", "jest", "go test", "cargo test"),
    "server": ("systemctl", "npm run dev", "npm start", "kill", "pkill"),
}
"""A word of a stated limit -> the commands it rules out: first words, or `*part*` anywhere in the command."""


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

    def _made_by(self, start: Start) -> Iterator[str]:
        words = start.words
        operands = [word for word in words[1:] if not word.startswith("-")]
        match words:
            case ["mkdir" | "touch" | "createdb", *_]:
                yield from map(self.absolute, operands)
                yield from operands
            case ["git", "checkout" | "switch" | "branch" | "tag" | "worktree", *_]:
                yield from operands[1:]
            case ["git", "commit" | "cherry-pick" | "revert", *_]:
                yield "HEAD"
            case ["git", "push", *_]:
                yield "pushed"
            case ["docker" | "podman", "run" | "create", *_] if "--name" in words[:-1]:
                yield words[words.index("--name") + 1]
        if "background" in start.context:
            yield " ".join(words)
        yield from (self.absolute(target) for operator, target in start.redirects if operator in (">", "&>", ">|"))

    def absolute(self, path: str) -> str:
        """`path` as an absolute one, `~` and `$HOME` expanded."""
        for prefix in ("~", "$HOME", "${HOME}"):
            if path == prefix or path.startswith(f"{prefix}/"):
                path = self.question.home + path[len(prefix) :]
        return posixpath.normpath(posixpath.join(self.question.cwd, path))

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
        """Whether the environment, or the user by name, trusts `host`."""
        host = host.lower()
        if is_local(host):
            return True
        wild = any(entry.startswith("*.") and host.endswith(entry[1:]) for entry in self.trusted)
        return wild or host in self.trusted or self.names(host)

    def names(self, name: str) -> bool:
        """Whether a message of the user names `name`."""
        return any(_mentions(message, name) for message in self.messages)

    def asked(self, concern: Concern) -> str | None:
        """The message by which the user asked for just this, if there is one."""
        if concern.asked is None:
            return None
        for message in map(_granted, reversed(self.messages)):
            words = {word.lower().strip(".,:;-") for word in _WORDS.findall(message)}
            whole = all(
                any(self._holds(message, words, word, concern.subjects) for word in group) for group in concern.asked
            )
            named = not concern.subjects or any(_mentions(message, subject) for subject in concern.subjects)
            placed = any("{name}" in group or "{host}" in group for group in concern.asked)
            if whole and (named or not placed):
                return message
        return None

    @staticmethod
    def _holds(message: str, words: set[str], word: str, subjects: frozenset[str]) -> bool:
        if word in ("{name}", "{host}"):
            return any(_mentions(message, subject) for subject in subjects)
        return word in words or any(one.startswith(word) and len(one) <= len(word) + 3 for one in words)

    def boundaries(self, starts: Sequence[Start]) -> Iterator[Concern]:
        """Limits that the user stated and did not lift, and entries of the policy, that name one of the commands."""
        standing: dict[str, str] = {}
        for message in self.messages:
            for clause in _CLAUSE.split(message):
                found = {word.lower() for word in _WORDS.findall(clause)}
                negated = _NEGATION.search(clause) is not None
                for word in ACTIONS:
                    if word in found:
                        if negated:
                            standing[word] = message
                        elif _LIFTS.search(clause) or word in clause.lower().split()[:2]:
                            standing.pop(word, None)
        for word, message in standing.items():
            for start in starts:
                if any(_names_command(pattern, start) for pattern in ACTIONS[word]):
                    yield Concern("boundary", f"the user said: {message}")
                    break
        yield from self._policy(starts)

    def _policy(self, starts: Sequence[Start]) -> Iterator[Concern]:
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
            if any(_mentions(spelled, place) for place in places):
                return True
        return any(_mentions(self.question.shown, place) for place in places)


def _granted(message: str) -> str:
    """The clauses of a message that rule nothing out."""
    return ", ".join(
        part for clause in _CLAUSE.split(message) if (part := clause.strip()) and not _NEGATION.search(part)
    )


def is_local(host: str) -> bool:
    """Whether `host` is this machine."""
    return host.lower().strip("[]") in LOCAL_HOSTS or host.endswith(".localhost")


def _places(text: str) -> Iterable[str]:
    return [*_HOST.findall(text), *(place.rstrip("/.") for place in _PLACE.findall(text))]


def _mentions(text: str, name: str) -> bool:
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


def _names_command(pattern: str, start: Start) -> bool:
    spelled = " ".join(start.words)
    if pattern.startswith("*"):
        return pattern.strip("*") in spelled
    return spelled == pattern or spelled.startswith(f"{pattern} ")
