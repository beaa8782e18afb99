"""The smallest readable rules that cover what recorded sessions did and nobody refused.

Of each call that ran and is not allowed as it is, the parts that ask are taken: words of a command, a path, a host, a
server's tool. A beginning of words becomes `Bash(git commit *)` when enough different commands of enough sessions begin
so, an exact rule when the very same command came again. Never generalised: what runs what it is told (shells,
interpreters, wrappers, runners), what reaches out or destroys, and anything that a refused call would get through.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from toolaudit.analysis.languages import Directories, pattern_of
from toolaudit.analysis.shadowing import covered
from toolaudit.analysis.starters import by_word
from toolaudit.model import Behavior, Decision, Mode, Policy, Rule, Scope, Source, ToolCall
from toolaudit.model.workspace import UnknownWorkspace
from toolaudit.permissions.bash.suspended import suspended
from toolaudit.pipeline import decide
from toolaudit.rules import grammar, urls
from toolaudit.shell import read
from toolaudit.structs import replace

DISTINCT: Final = 2
"""Different commands that a beginning must have in common."""
SESSIONS: Final = 2
"""Sessions in which a grant must have been used."""
DEPTH: Final = 3
"""Words of the longest beginning that is generalised."""

WIDE_KINDS: Final = ("shell", "interpreter", "wrapper", "package runner", "remote or container", "option")
REACHING: Final = frozenset(
    """
    aws az bunx chgrp chmod chown curl dd doas ftp gcloud kill killall mkfs mount nc ncat netcat npx pipx pkill pnpx
    psql reboot rm rmdir rsync scp sftp shred shutdown ssh su sudo systemctl telnet truncate umount unlink uvx wget
    xargs
    """.split()
)
"""Programs that reach out or destroy: exact rules only."""
CHANGING: Final = frozenset(
    """
    add-user alias api apply clean config delete deploy destroy drop exec login logout prune publish push rebase release
    remove reset rm run-script set stash uninstall up upgrade
    """.split()
)
"""Second words of the same kind."""
SECRET: Final = re.compile(r"\.env\b|secret|credential|\.pem\Z|\.key\Z|id_rsa|\.ssh|\.aws|\.gnupg|\.kube|\.netrc")

_SUBCOMMAND: Final = re.compile(r"[a-z][a-z0-9:_-]*")
_PLAIN: Final = re.compile(r"[\w@%+=:,./~ -]+")
EDITORS: Final = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"})


@dataclass(frozen=True, slots=True)
class Observed:
    """One recorded call, as far as a suggestion looks at it."""

    call: ToolCall
    session: str
    root: str
    """The session's project."""
    cwd: str
    home: str
    refused: bool
    """A permission decision stopped it; otherwise it ran."""


@dataclass(slots=True)
class Grant:
    """A rule that may be proposed, and what speaks for it."""

    text: str
    sessions: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)
    calls: int = 0


@dataclass(frozen=True, slots=True)
class Proposed:
    """One rule of a suggestion."""

    text: str
    calls: int
    """Recorded calls, or parts of them, that it covers."""
    sessions: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of some calls run without a prompt."""

    ran: int
    before: int
    after: int
    ordinary: int
    """Those that ran and that a rule could reasonably grant: nothing in them runs what it is told, reaches out,
    destroys or is too complex to look into."""
    ordinary_after: int


LoadPolicy = Callable[[str, str], Policy]
"""The policy there is, for a project directory and a home directory."""


class Learner:
    """Learns from observed calls and holds rules against them; policies and decisions are made once."""

    def __init__(self, base: LoadPolicy, mode: Mode) -> None:
        self._base = base
        self._mode = mode
        self._policies: dict[tuple[str, str, tuple[str, ...]], Policy] = {}
        self._machines: dict[tuple[str, str], UnknownWorkspace] = {}

    def decide(self, one: Observed, rules: tuple[str, ...] = ()) -> Decision:
        """What the policy there is decides with `rules` added to its allow list."""
        key = (one.root, one.home, rules)
        if key not in self._policies:
            self._policies[key] = with_rules(self._base(one.root, one.home), rules, one.root)
        place = (one.cwd, one.home)
        machine = self._machines.setdefault(place, UnknownWorkspace(one.cwd, one.home))
        return decide(one.call, self._policies[key], self._mode, machine)

    def propose(self, observed: Sequence[Observed], acceptable: Callable[[str], bool]) -> list[Proposed]:
        """The rules to add, widest use first; `acceptable` says whether a reviewer would take a rule by itself."""
        ran = [one for one in observed if not one.refused]
        refused = [one for one in observed if one.refused and self.decide(one).behavior is not Behavior.ALLOW]
        grants = _grants((one, part) for one in ran for part in self._asking(one))
        chosen = [
            grant
            for grant in grants
            if _supported(grant) and acceptable(grant.text) and not self._frees(refused, (grant.text,))
        ]
        chosen = _without_covered(chosen)
        while freed := self._frees(refused, tuple(grant.text for grant in chosen)):
            # Rules that are harmless one by one may free a list of commands together.
            chosen = [grant for grant in chosen if grant.text not in freed]
        used = self._used(ran, tuple(grant.text for grant in chosen))
        chosen = [grant for grant in chosen if grant.text in used]
        ordered = sorted(chosen, key=lambda grant: (-grant.calls, grant.text))
        return [Proposed(grant.text, grant.calls, len(grant.sessions)) for grant in ordered]

    def _asking(self, one: Observed) -> Iterator[str]:
        """The parts of a call that ask, as the texts of rules' subjects."""
        decision = self.decide(one)
        if decision.behavior is not Behavior.ASK:
            return
        if one.call.tool != "Bash":
            yield ""
            return
        for outcome in decision.subcommands:
            if outcome.behavior is Behavior.ASK:
                yield outcome.subject

    def _used(self, ran: Sequence[Observed], rules: tuple[str, ...]) -> set[str]:
        """The rules without which some call that ran would still ask."""
        found: set[str] = set()
        for one in ran:
            if self.decide(one).behavior is Behavior.ALLOW:
                continue
            decision = self.decide(one, rules)
            if decision.behavior is Behavior.ALLOW:
                by = (decision.rule, *(outcome.rule for outcome in decision.subcommands))
                found |= {rule.text for rule in by if rule is not None}
        return found

    def _frees(self, refused: Sequence[Observed], rules: tuple[str, ...]) -> set[str]:
        """The rules by which a refused call would run."""
        found: set[str] = set()
        for one in refused:
            decision = self.decide(one, rules)
            if decision.behavior is Behavior.ALLOW:
                by = (decision.rule, *(outcome.rule for outcome in decision.subcommands))
                found |= {rule.text for rule in by if rule is not None and rule.text in rules} or set(rules)
        return found

    def cover(self, observed: Iterable[Observed], rules: tuple[str, ...]) -> Coverage:
        """How many of the observed calls that ran would run without a prompt, before and after."""
        ran = before = after = ordinary = ordinary_after = 0
        for one in observed:
            if one.refused:
                continue
            was, now = self.decide(one), self.decide(one, rules)
            ran += 1
            before += was.behavior is Behavior.ALLOW
            after += now.behavior is Behavior.ALLOW
            if self._is_ordinary(one, was):
                ordinary += 1
                ordinary_after += now.behavior is Behavior.ALLOW
        return Coverage(ran, before, after, ordinary, ordinary_after)

    def freed(self, observed: Iterable[Observed], rules: tuple[str, ...]) -> list[Observed]:
        """The refused calls that `rules` would let through; a good suggestion has none."""
        refused = [one for one in observed if one.refused and self.decide(one).behavior is not Behavior.ALLOW]
        return [one for one in refused if self.decide(one, rules).behavior is Behavior.ALLOW]

    def _is_ordinary(self, one: Observed, decision: Decision) -> bool:
        if decision.behavior is Behavior.ALLOW:
            return True
        if decision.behavior is not Behavior.ASK:
            return False
        if one.call.tool == "Bash":
            parts = [outcome.subject for outcome in decision.subcommands if outcome.behavior is Behavior.ASK]
            words = [_words(part) for part in parts]
            return bool(words) and all(found is not None and _is_tame(found) for found in words)
        return _subject(one) is not None


def with_rules(policy: Policy, texts: Sequence[str], root: str) -> Policy:
    """`policy` with more allow rules of the project."""
    source = Source(Scope.PROJECT)
    added = tuple(grammar.parse(text, Behavior.ALLOW, source, root) for text in texts)
    return replace(policy, rules=(*policy.rules, *added))


def _grants(parts: Iterable[tuple[Observed, str]]) -> list[Grant]:
    grants: dict[str, Grant] = {}
    for one, part in parts:
        for text, shown in _candidates(one, part):
            grant = grants.setdefault(text, Grant(text))
            grant.sessions.add(one.session)
            grant.seen.add(shown)
            grant.calls += 1
    return list(grants.values())


def _candidates(one: Observed, part: str) -> Iterator[tuple[str, str]]:
    """Rules that would cover a part, widest first, each with the text it was made from."""
    if one.call.tool != "Bash":
        found = _subject(one)
        if found is not None:
            yield from found
        return
    words = _words(part)
    if words is None:
        return
    for depth in range(1, min(DEPTH, len(words)) + 1):
        beginning = words[:depth]
        if depth > 1 and not _SUBCOMMAND.fullmatch(beginning[-1]):
            break
        if _is_tame(beginning) and not _runs_anything(f"Bash({' '.join(beginning)} *)"):
            yield f"Bash({' '.join(beginning)} *)", part
    if _PLAIN.fullmatch(part) and len(part) <= 100:
        yield f"Bash({part})", part


def _is_tame(words: Sequence[str]) -> bool:
    """Whether a rule for what begins so neither reaches out nor destroys nor runs what it is told."""
    name = words[0].rpartition("/")[2]
    if name in REACHING or any(word in CHANGING for word in words[1:3]):
        return False
    return not any(name in by_word(kind) for kind in ("shell", "interpreter", "wrapper"))


def _runs_anything(text: str) -> bool:
    rule = _rule(text)
    pattern = pattern_of(rule)
    assert pattern is not None, "a beginning of words makes a rule for commands"
    if suspended(rule.specifier or ""):
        return True
    name = pattern.parts[0].split(" ")[0]
    return any(pattern.matches(command) for kind in WIDE_KINDS for command in by_word(kind).get(name, ()))


def _rule(text: str) -> Rule:
    return grammar.parse(text, Behavior.ALLOW, Source(Scope.PROJECT), "/work/project")


def _words(part: str) -> tuple[str, ...] | None:
    """The words of a plain command, or None where one is known at run time only."""
    commands = [command for command in read(part).commands if command.argv]
    if len(commands) != 1 or commands[0].assignments or commands[0].redirects:
        return None
    words = [word.value for word in commands[0].argv]
    return tuple(word for word in words if word is not None) if None not in words and words else None


def _subject(one: Observed) -> list[tuple[str, str]] | None:
    """Rules that would cover a call of another tool than Bash; None where no rule should."""
    tool, given = one.call.tool, one.call.input
    if tool.startswith("mcp__") or tool == "WebSearch":
        return [(tool, tool)]
    if tool == "WebFetch":
        url = urls.parse(str(given.get("url", "")))
        return None if url is None else [(f"WebFetch(domain:{url.host})", url.host)]
    path = str(given.get("file_path") or given.get("notebook_path") or given.get("path") or "")
    path = posixpath.normpath(posixpath.join(one.cwd, path))
    if SECRET.search(path):
        return None
    if tool in EDITORS:
        return _edited(path, one.root)
    if tool in ("Read", "Grep", "Glob"):
        folder = posixpath.dirname(path)
        if folder.count("/") < 2 or folder == one.home:
            return None
        shown = f"~{folder[len(one.home) :]}" if folder.startswith(f"{one.home}/") else f"/{folder}"
        return [(f"Read({shown}/**)", path)]
    return None


def _edited(path: str, root: str) -> list[tuple[str, str]] | None:
    if not path.startswith(f"{root}/"):
        return None
    inner = path[len(root) + 1 :]
    if inner.startswith((".git/", ".claude/", ".github/", ".vscode/", ".husky/")):
        return None
    top, slash, _ = inner.partition("/")
    return [("Edit(/**)", top), (f"Edit(/{top}/**)", path)] if slash else [("Edit(/**)", top)]


def _supported(grant: Grant) -> bool:
    """Whether enough sessions used it, and, where it is wider than what was seen, enough different calls did."""
    if len(grant.sessions) < SESSIONS:
        return False
    return "*" not in grant.text or len(grant.seen) >= DISTINCT


def _without_covered(grants: Sequence[Grant]) -> list[Grant]:
    rules = {grant.text: _rule(grant.text) for grant in grants}
    needless = {rule.text for rule, _ in covered(list(rules.values()), list(rules.values()), Directories())}
    return [grant for grant in grants if grant.text not in needless]


def by_session(observed: Iterable[Observed]) -> dict[str, list[Observed]]:
    """The calls of each session."""
    found: dict[str, list[Observed]] = defaultdict(list)
    for one in observed:
        found[one.session].append(one)
    return found
