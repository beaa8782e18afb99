"""Everything the policy and the machine have to say about one path, for file tools and for paths in shell commands.

`PathJudge.judge` says each thing separately. What follows from them in which mode is the permission chain's business;
its order is: `deny` and `refusal`, `ask`, `safety`, mode, `allow`, `inside`. Sources: documents, 4 and 7; measured.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from toolaudit.model import Behavior, Policy, Rule
from toolaudit.model.workspace import Workspace
from toolaudit.permissions.protected import Protection, protection
from toolaudit.rules.paths import PathRules


class Operation(StrEnum):
    """What is done to a path; the rules of the tool `Read` govern one, those of `Edit` the other."""

    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, slots=True)
class PathVerdict:
    """What speaks for and against one access to a path."""

    path: str
    """The path asked about, absolute and normalised."""
    operation: Operation
    target: str
    """What it resolves to."""
    deny: Rule | None = None
    """A deny rule for this operation that matches the path or a place its links lead through."""
    deny_by_link: bool = False
    """`deny` matches only a place the links lead through."""
    covered: Rule | None = None
    """For a write: a Read deny rule that matches the path. The tools Edit and Write refuse such a path."""
    refusal: str | None = None
    """Why the access is refused in every mode: its links lead in a circle."""
    ask: Rule | None = None
    """An ask rule for this operation, matched like `deny`."""
    safety: Protection | None = None
    """For a write: what makes it wait for approval whatever the allow rules say."""
    inside: bool = False
    """The path and every place its links lead through are in a working directory."""
    outside_why: str | None = None
    """Where it is instead, when it is not."""
    allow: Rule | None = None
    """An allow rule for the path, where one matches every place its links lead through as well."""

    @property
    def readable(self) -> bool:
        """Whether reading it needs no approval by the rules for paths, bare rules for `Read` aside."""
        return not (self.deny or self.refusal or self.ask) and (self.inside or self.allow is not None)


class PathJudge:
    """The path rules and working directories of one policy on one machine, compiled when first needed."""

    __slots__ = ("_directories", "_policy", "_rules", "_workspace")

    def __init__(self, policy: Policy, workspace: Workspace) -> None:
        self._policy = policy
        self._workspace = workspace
        directories = (workspace.cwd, *(directory.path for directory in policy.directories))
        self._directories = tuple(dict.fromkeys(path if path.endswith("/") else path + "/" for path in directories))
        self._rules: dict[tuple[Behavior, str], PathRules] = {}

    def judge(self, path: str, operation: Operation) -> PathVerdict:
        """Takes an absolute, normalised path (see `absolute`)."""
        tool = "Read" if operation is Operation.READ else "Edit"
        writing = operation is Operation.WRITE
        try:
            hops = self._workspace.hops(path)
        except OSError as error:
            deny = self._find(Behavior.DENY, tool, (path,))
            return PathVerdict(path, operation, path, deny, refusal=str(error))
        deny = self._find(Behavior.DENY, tool, hops)
        outside = next((hop for hop in hops if not self.is_inside(hop)), None)
        safety = self._safety(hops, outside) if writing else None
        allow = self._allow(tool, hops)
        if allow is None and not writing and self._safety(hops, None) is None:
            allow = self._allow("Edit", hops)
        return PathVerdict(
            path,
            operation,
            hops[-1],
            deny=deny,
            deny_by_link=deny is not None and len(hops) > 1 and self._find(Behavior.DENY, tool, hops[:1]) is None,
            covered=self._find(Behavior.DENY, "Read", hops[:1]) if writing else None,
            ask=self._find(Behavior.ASK, tool, hops),
            safety=safety,
            inside=outside is None,
            outside_why=_outside(hops, outside),
            allow=allow,
        )

    def is_inside(self, path: str) -> bool:
        """Whether the absolute path itself, its links not followed, is in a working directory or is one."""
        return (path + "/").startswith(self._directories)

    def _find(self, behavior: Behavior, tool: str, paths: tuple[str, ...]) -> Rule | None:
        rules = self._compiled(behavior, tool)
        if not rules:
            return None
        return next((rule for path in paths if (rule := rules.find(path)) is not None), None)

    def _allow(self, tool: str, hops: tuple[str, ...]) -> Rule | None:
        rules = self._compiled(Behavior.ALLOW, tool)
        found = [rules.find(hop) for hop in hops] if rules else [None]
        return found[0] if all(found) else None

    def _compiled(self, behavior: Behavior, tool: str) -> PathRules:
        rules = self._rules.get((behavior, tool))
        if rules is None:
            chosen = [
                rule
                for rule in self._policy.rules
                if rule.behavior is behavior
                and rule.tool == tool
                and (rule.specifier is not None or behavior is Behavior.DENY)
            ]
            rules = PathRules(chosen, cwd=self._workspace.cwd, home=self._workspace.home)
            self._rules[behavior, tool] = rules
        return rules

    def _safety(self, hops: tuple[str, ...], outside: str | None) -> Protection | None:
        found = (protection(hop, self._workspace.cwd) for hop in hops)
        if (protected := next(filter(None, found), None)) is not None:
            return protected
        if outside is not None and len(hops) > 1:
            return Protection(f"a link leads to {outside}, which is outside the working directories")
        return None


def _outside(hops: tuple[str, ...], outside: str | None) -> str | None:
    if outside is None:
        return None
    if outside != hops[0]:
        return f"a link leads to {outside}, which is outside the working directories"
    return "it is outside the working directories"


def absolute(path: str, workspace: Workspace) -> str:
    """The path as a file tool takes it: blanks around it cut off, `~/` expanded, relative to `cwd`, normalised."""
    path = path.strip()
    if path == "~" or path.startswith("~/"):
        path = workspace.home + path[1:]
    elif not path.startswith("/"):
        path = f"{workspace.cwd}/{path}"
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)
