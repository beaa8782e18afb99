"""Everything the policy and the machine have to say about one path, for file tools and for paths in shell commands.

`PathJudge.judge` says each thing separately. What follows from them in which mode is the permission chain's business;
its order is: `deny` and `refusal`, `ask`, `safety`, mode, `allow`, `inside`. Sources: documents, 4 and 7; measured.
"""

from __future__ import annotations

from toolaudit.model import Behavior, Policy, ReasonType, Rule, Scope
from toolaudit.model.workspace import Workspace
from toolaudit.patterns import late
from toolaudit.permissions.own_folders import OwnFolders, holds_tokens
from toolaudit.permissions.path_verdict import Operation, PathVerdict, Refusal
from toolaudit.permissions.protected import Protection, protection, suspicious
from toolaudit.rules.paths import PathRules
from toolaudit.structs import replace

_BACKSLASH_TRAVERSAL = late(r"[/\\]\.\.\\|\\\.\.(?:[/\\]|\Z)")
"""`..` next to a backslash: to the client such a path may leave the working directory."""


class PathJudge:
    """The path rules and working directories of one policy on one machine, compiled when first needed.

    With `everywhere`, relative deny and ask rules count in every working directory, not in the first alone.
    """

    __slots__ = ("_directories", "_further", "_own", "_own_directories", "_places", "_policy", "_rules", "_workspace")

    def __init__(self, policy: Policy, workspace: Workspace, *, everywhere: bool = True) -> None:
        self._policy = policy
        self._workspace = workspace
        added = [directory for directory in policy.directories if workspace.is_dir(directory.path) is not False]
        own = [directory.path for directory in added if directory.source.scope is not Scope.PROJECT]
        self._further = tuple(dict.fromkeys(directory.path for directory in added if directory.path != workspace.cwd))
        self._directories = _prefixes(workspace.cwd, *self._further)
        self._places = self._further if everywhere else ()
        self._own_directories = _prefixes(workspace.cwd, *own)
        self._own = OwnFolders(workspace.cwd, workspace.home)
        self._rules: dict[tuple[Behavior, str], PathRules] = {}

    def judge(self, path: str, operation: Operation) -> PathVerdict:
        """Takes an absolute, normalised path (see `absolute`)."""
        tool = "Read" if operation is Operation.READ else "Edit"
        writing = operation is Operation.WRITE
        try:
            hops, refusal = self._workspace.hops(path), None
        except OSError:
            hops, refusal = (path,), Refusal("where its links lead can't be told", ReasonType.OTHER)
        deny = self._find(Behavior.DENY, tool, hops)
        ends = (hops[0], hops[-1])
        note = writing and all(map(self._own.note, hops))
        own = note if writing else all(map(self._own.readable, ends))
        outside = None if own else next((end for end in ends if not self.is_inside(end)), None)
        allow = self._allow(tool, ends)
        implied = None
        if not writing and allow is None and self._protection(hops) is None and not self._stops_edits(hops):
            implied = self._allow("Edit", ends)
        return PathVerdict(
            path,
            operation,
            hops[-1],
            deny=deny,
            deny_by_link=deny is not None and len(hops) > 1 and self._find(Behavior.DENY, tool, hops[:1]) is None,
            covered=self._find(Behavior.DENY, "Read", hops) if writing else None,
            refusal=refusal,
            ask=self._find(Behavior.ASK, tool, hops),
            suspicious=any(map(suspicious, hops)),
            safety=self._safety(hops, None if allow is not None else outside) if writing and not note else None,
            inside=outside is None,
            inside_own=note or all(self._is_own(end, writing) for end in ends),
            note=note,
            outside_why=_outside(hops, outside),
            allow=allow,
            implied=implied,
        )

    def _is_own(self, path: str, writing: bool) -> bool:
        return _is_below(path, self._own_directories) or (not writing and self._own.of_session(path))

    def is_inside(self, path: str) -> bool:
        """Whether the absolute path itself, its links not followed, is in a working directory or is one."""
        return _is_below(path, self._directories) and not _BACKSLASH_TRAVERSAL.search(path)

    def _find(self, behavior: Behavior, tool: str, paths: tuple[str, ...]) -> Rule | None:
        rules = self._compiled(behavior, tool)
        if not rules:
            return None
        return next((rule for path in paths if (rule := rules.find(path)) is not None), None)

    def _stops_edits(self, hops: tuple[str, ...]) -> bool:
        return any(self._find(behavior, "Edit", hops) is not None for behavior in (Behavior.DENY, Behavior.ASK))

    def _allow(self, tool: str, ends: tuple[str, str]) -> Rule | None:
        rules = self._compiled(Behavior.ALLOW, tool)
        if not rules or (found := rules.find(ends[0])) is None:
            return None
        return found if ends[0] == ends[1] or rules.find(ends[1]) is not None else None

    def _compiled(self, behavior: Behavior, tool: str) -> PathRules:
        rules = self._rules.get((behavior, tool))
        if rules is None:
            chosen = [
                rule
                for rule in self._policy.rules
                if rule.behavior is behavior and rule.tool == tool and rule.specifier is not None
            ]
            workspace = self._workspace
            rules = PathRules(chosen, cwd=workspace.cwd, home=workspace.home, further=self._places)
            self._rules[behavior, tool] = rules
        return rules

    def _safety(self, hops: tuple[str, ...], outside: str | None) -> Protection | None:
        if any(holds_tokens(hop, self._workspace.home) for hop in hops):
            return Protection("it holds the client's sign-in tokens", approvable=False, forbidden=True)
        if any(map(self._own.forbidden, hops)):
            return Protection("the client starts work from this folder, or takes settings for it", forbidden=True)
        if (found := self._protection(hops)) is not None:
            return found if len(hops) == 1 else replace(found, approvable=False)
        if outside is not None and len(hops) > 1:
            return Protection(_outside(hops, outside) or "", approvable=False, stray=True)
        return None

    def _protection(self, hops: tuple[str, ...]) -> Protection | None:
        return next((found for hop in hops if (found := protection(hop, self._workspace.cwd)) is not None), None)


def _prefixes(*directories: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(path if path.endswith("/") else path + "/" for path in directories))


def _is_below(path: str, prefixes: tuple[str, ...]) -> bool:
    return (path + "/").startswith(prefixes)


def _outside(hops: tuple[str, ...], outside: str | None) -> str | None:
    if outside is None:
        return None
    if outside != hops[0]:
        return f"a link leads to {outside}, which is outside the working directories"
    return "it is outside the working directories"
