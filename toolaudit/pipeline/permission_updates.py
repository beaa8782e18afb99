"""Changes of rules, directories and mode that come with the answer to a prompt, for the rest of the session.

    type                             changes
    setMode                          the mode; bypassPermissions is entered only from itself (documents, 10.6)
    addRules replaceRules            rules of one behaviour; the latter instead of those that its destination has of it
    removeRules                      rules of one behaviour that its destination has, by their text
    addDirectories removeDirectories working directories

A destination is a settings file or the session. Nothing is written to a file: what was said of one holds for this
session alone. A change that can't be understood changes nothing, and managed rules are nobody's to change.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from toolaudit.model import Behavior, Mode, Rule, Scope, Source
from toolaudit.model.policy import Directory
from toolaudit.rules import grammar
from toolaudit.structs import replace

if TYPE_CHECKING:
    from toolaudit.tools.context import PermissionContext

SESSION: Final = "session"
SOURCES: Final = {
    SESSION: Source(Scope.CLI, SESSION),
    "cliArg": Source(Scope.CLI),
    "localSettings": Source(Scope.LOCAL),
    "projectSettings": Source(Scope.PROJECT),
    "userSettings": Source(Scope.USER),
}
"""Destination -> where its rules are said to stand."""


def update(permissions: PermissionContext, updates: Iterable[Mapping[str, Any]]) -> PermissionContext:
    """`permissions` after the updates, in their order, as PermissionRequest hooks write them."""
    for one in updates:
        source = SOURCES.get(str(one.get("destination", SESSION)))
        if source is None:
            continue
        match one.get("type"):
            case "setMode":
                permissions = replace(permissions, mode=_mode(one.get("mode"), permissions.mode))
            case "addRules" | "replaceRules" | "removeRules" as kind:
                permissions = _with_rules(permissions, kind, one, source)
            case "addDirectories" | "removeDirectories" as kind:
                permissions = _with_directories(permissions, kind, one, source)
    return permissions


def _mode(name: object, before: Mode) -> Mode:
    try:
        mode = Mode.parse(str(name))
    except ValueError:
        return before
    return before if mode is Mode.BYPASS else mode


def _with_rules(permissions: PermissionContext, kind: str, one: Mapping[str, Any], source: Source) -> PermissionContext:
    given, behavior, policy = one.get("rules"), one.get("behavior"), permissions.policy
    if not isinstance(given, list) or behavior not in ("allow", "ask", "deny"):
        return permissions
    texts = [_text(rule) for rule in given if isinstance(rule, Mapping)]
    if "" in texts or len(texts) != len(given):
        return permissions
    root = permissions.workspace.cwd
    parsed = [grammar.parse(text, Behavior(behavior), source, root=root) for text in texts]
    stated = tuple(rule for rule in parsed if grammar.dead(rule) is None)

    def there(rule: Rule) -> bool:
        return rule.behavior == behavior and _stands(rule.source, source)

    match kind:
        case "addRules":
            rules = (*stated, *policy.rules)
        case "replaceRules":
            rules = (*stated, *(rule for rule in policy.rules if not there(rule)))
        case _:
            rules = tuple(rule for rule in policy.rules if not (there(rule) and rule.text in texts))
    return replace(permissions, policy=replace(policy, rules=rules))


def _stands(source: Source, destination: Source) -> bool:
    """Whether a rule from `source` belongs to the destination; the session and the command line share a scope."""
    return source.scope is destination.scope and (source.file == SESSION) == (destination.file == SESSION)


def _text(rule: Mapping[str, Any]) -> str:
    tool, content = rule.get("toolName"), rule.get("ruleContent")
    if not isinstance(tool, str) or not tool:
        return ""
    return f"{tool}({content})" if isinstance(content, str) and content else tool


def _with_directories(
    permissions: PermissionContext, kind: str, one: Mapping[str, Any], source: Source
) -> PermissionContext:
    given, policy = one.get("directories"), permissions.policy
    if not isinstance(given, list) or not all(isinstance(path, str) and path for path in given):
        return permissions
    cwd, home = permissions.workspace.cwd, permissions.workspace.home
    paths = [_absolute(path, cwd, home) for path in given]
    if kind == "addDirectories":
        known = {directory.path for directory in policy.directories}
        added = tuple(Directory(path, source) for path in dict.fromkeys(paths) if path not in known)
        directories = (*policy.directories, *added)
    else:
        directories = tuple(one for one in policy.directories if one.path not in paths)
    return replace(permissions, policy=replace(policy, directories=directories))


def _absolute(path: str, cwd: str, home: str) -> str:
    if path == "~" or path.startswith("~/"):
        path = home + path[1:]
    return "/" + posixpath.normpath(posixpath.join(cwd, path)).lstrip("/")
