"""The check of the file tools: Read, Edit, Write, NotebookEdit, Grep and Glob.

A file tool is judged by its path. Path rules are those of `Read` and `Edit`; a bare rule counts for its own tool only.
Sources: documents, 4, 7 and 9; measured.
"""

from __future__ import annotations

from typing import Final

from toolaudit.model import Behavior, Mode, Outcome, ReasonType, Rule
from toolaudit.permissions import general
from toolaudit.permissions.judgement import Judgement, Objection
from toolaudit.permissions.path_verdict import Operation, PathVerdict
from toolaudit.permissions.request import Request
from toolaudit.rules.names import tool_rules
from toolaudit.tools.paths import absolute
from toolaudit.tools.pool import PATHS

WRITERS: Final = frozenset({"Edit", "NotebookEdit", "Write"})
"""File tools that write; the others read."""

COVERED: Final = frozenset({"Edit", "Write"})
"""Tools that refuse to write what a Read deny rule covers."""


def judge(request: Request) -> Judgement:
    """What rules, directories and safety checks say of one call of a file tool."""
    tool = request.call.tool
    verdict = _judged(request)
    path = verdict.path
    denied = _denied(verdict, request)
    if denied is not None:
        return Judgement(denied=denied, outcomes=(Outcome(path, Behavior.DENY, denied.why, denied.rule),))
    own = _own(verdict, request)
    granting = _granting(tool, verdict, request)
    residue, granted = (
        (None, _granted(verdict, request, granting)) if _grants(verdict, request, granting) else (own, "")
    )
    unsafe = _unsafe(verdict, request)
    objection = unsafe or residue
    return Judgement(
        asked=_asked(verdict, own, request),
        unsafe=unsafe,
        residue=residue,
        granted=granted,
        rule=granting if residue is None else None,
        outcomes=(
            Outcome(path, Behavior.ALLOW, granted, granting)
            if objection is None
            else Outcome(path, Behavior.ASK, objection.why, objection.rule),
        ),
    )


def readable(path: str, request: Request) -> bool:
    """Whether Read would need no approval for the absolute path, a bare rule that allows Read left aside.

    A file that is readable in this sense may be edited without having been read (measured).
    """
    verdict = request.paths.judge(path, Operation.READ)
    if verdict.deny or verdict.refusal or verdict.ask or tool_rules(request.policy, Behavior.ASK, "Read").bare:
        return False
    if not verdict.inside_own and _blocked(verdict, request):
        return False
    granted = verdict.inside or verdict.allow is not None or verdict.implied is not None
    return request.mode is Mode.BYPASS or (granted and not verdict.suspicious)


def denied_by_name(request: Request, verdict: PathVerdict | None = None) -> Objection | None:
    """The deny rule that the client finds while it checks the input, before hooks and permissions; it gives no type.

    NotebookEdit is checked for none. A `verdict` that was made before is not made again.
    """
    tool = request.call.tool
    if tool == "NotebookEdit":
        return None
    verdict = verdict or _judged(request)
    if verdict.deny is not None and not verdict.deny_by_link:
        return Objection(f"deny rule {verdict.deny.text} matches {verdict.path}", None, verdict.deny)
    if tool not in COVERED:
        return None
    rule = verdict.covered or tool_rules(request.policy, Behavior.DENY, "Read").bare
    return None if rule is None else Objection(f"deny rule {rule.text} makes the file unreadable", None, rule)


def _judged(request: Request) -> PathVerdict:
    call = request.call
    path = absolute(str(call.input.get(PATHS[call.tool]) or "."), request.workspace, request.directory)
    return request.paths.judge(path, Operation.WRITE if call.tool in WRITERS else Operation.READ)


def _denied(verdict: PathVerdict, request: Request) -> Objection | None:
    named = denied_by_name(request, verdict)
    if named is not None:
        return named
    if verdict.deny is not None:
        why = f"deny rule {verdict.deny.text} matches {verdict.path} or a place its links lead through"
        return Objection(why, ReasonType.RULE, verdict.deny)
    if (parameter := general.find_denied(request)) is not None:
        return parameter
    if verdict.safety is not None and verdict.safety.forbidden:
        return Objection(verdict.safety.why, ReasonType.SAFETY_CHECK)
    if verdict.refusal is not None:
        return Objection(verdict.refusal.why, verdict.refusal.reason_type)
    if verdict.operation is Operation.WRITE and request.workspace.is_link(verdict.path):
        return Objection("the file to write is a symbolic link", ReasonType.OTHER)
    if not verdict.inside_own and _blocked(verdict, request):
        return Objection("the settings block access outside the working directories", ReasonType.OTHER)
    return None


def _blocked(verdict: PathVerdict, request: Request) -> bool:
    reading = verdict.operation is Operation.READ
    return request.policy.block_reads_outside if reading else request.policy.block_writes_outside


def _asked(verdict: PathVerdict, own: Objection | None, request: Request) -> Objection | None:
    if verdict.ask is not None:
        return Objection(f"ask rule {verdict.ask.text} matches {verdict.path}", ReasonType.RULE, verdict.ask)
    return general.find_asked(request, own)


def _own(verdict: PathVerdict, request: Request) -> Objection | None:
    """What the tool itself objects to, bare allow rules left aside; a bare ask rule takes over its reason."""
    if verdict.operation is Operation.READ:
        if verdict.suspicious:
            return Objection("the path has a form that means another file on Windows", ReasonType.OTHER)
        if verdict.inside or verdict.allow is not None or verdict.implied is not None:
            return None
        return Objection(verdict.outside_why or "", ReasonType.WORKING_DIR)
    unsafe = _unsafe(verdict, request)
    if unsafe is not None or verdict.note:
        return unsafe
    if request.mode is Mode.PLAN:
        why = "plan mode makes no edits"
        return Objection(why, ReasonType.MODE, classifier_approvable=False, hook_liftable=False)
    if verdict.allow is not None:
        return None
    if verdict.inside:
        return None if request.mode is Mode.ACCEPT_EDITS else Objection("an edit needs approval", None)
    return Objection(verdict.outside_why or "", ReasonType.WORKING_DIR)


def _unsafe(verdict: PathVerdict, request: Request) -> Objection | None:
    safety = verdict.safety
    if safety is None or (safety.stray and request.mode is Mode.PLAN):
        return None
    return Objection(safety.why, ReasonType.SAFETY_CHECK, classifier_approvable=safety.approvable)


def _granting(tool: str, verdict: PathVerdict, request: Request) -> Rule | None:
    """The allow rule that grants the access by itself: one for the path, or a bare one for the tool.

    `Tool(*)` in an allow list reaches no further than the working directories (measured).
    """
    if (rule := verdict.allow or verdict.implied) is not None:
        return rule
    bare = tool_rules(request.policy, Behavior.ALLOW, tool).bare
    if bare is None or (bare.text.endswith("(*)") and not verdict.inside):
        return None
    return bare


def _grants(verdict: PathVerdict, request: Request, granting: Rule | None) -> bool:
    if verdict.operation is Operation.READ:
        if request.classifies:
            return True
        return not verdict.suspicious and (verdict.inside or granting is not None)
    if verdict.note:
        return True
    if request.mode is Mode.PLAN:
        return False
    return granting is not None or (verdict.inside and request.mode.edits_silently)


def _granted(verdict: PathVerdict, request: Request, granting: Rule | None) -> str:
    if verdict.operation is Operation.READ:
        if verdict.inside:
            return "a read in the working directories, or in the client's own"
        return f"rule {granting.text}" if granting is not None else f"mode {request.mode} reads anywhere"
    if verdict.note:
        return "a note of the client's memory"
    return f"rule {granting.text}" if granting is not None else f"mode {request.mode} approves edits here"
