"""Tools other than Bash and the file tools: what rules, modes and hooks make of them, as measured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from toolaudit.model import Decision, Mode, Scope, ToolCall
from toolaudit.model.workspace import DataWorkspace, UnknownWorkspace
from toolaudit.pipeline import decide
from toolaudit.settings import load_objects

CWD, HOME = "/srv/app", "/home/dana"
SKILLS = {
    ".claude/skills/plain/SKILL.md": "---\nname: plain\ndescription: d\n---\nbody\n",
    ".claude/skills/plain-more/SKILL.md": "no front matter\n",
    ".claude/skills/tools/SKILL.md": "---\nname: tools\nallowed-tools: Bash(ls *)\n---\nbody\n",
    ".claude/skills/hooky/SKILL.md": "---\nname: hooky\nhooks:\n  PreToolUse: []\n---\nbody\n",
    ".claude/commands/group/go.md": "do it\n",
}
WORKSPACE = DataWorkspace.describe(CWD, HOME, SKILLS)

CALLS: dict[str, tuple[str, Mapping[str, Any]]] = {
    "fetch": ("WebFetch", {"url": "https://example.com/a", "prompt": "x"}),
    "docs": ("WebFetch", {"url": "https://docs.python.org/3/", "prompt": "x"}),
    "section": ("WebFetch", {"url": "https://github.com/anthropics/x", "prompt": "x"}),
    "beside": ("WebFetch", {"url": "https://github.com/anthropicsx", "prompt": "x"}),
    "search": ("WebSearch", {"query": "words"}),
    "mcp": ("mcp__gh__get_issue", {"number": 5}),
    "agent": ("Agent", {"prompt": "x", "description": "d"}),
    "explore": ("Task", {"prompt": "x", "description": "d", "subagent_type": "Explore", "model": "opus"}),
    "question": ("AskUserQuestion", {"questions": []}),
    "cron": ("CronCreate", {"cron": "0 9 * * *", "prompt": "x"}),
    "list": ("CronList", {}),
    "find": ("ToolSearch", {"query": "x"}),
    "workflow": ("Workflow", {"name": "x"}),
    "watch": ("Monitor", {"command": "ls", "description": "d", "persistent": True}),
    "delete": ("Monitor", {"command": "rm -rf /", "description": "d"}),
    "worktree": ("EnterWorktree", {"path": "/opt/wt"}),
    "plain": ("Skill", {"skill": "plain", "args": "prod"}),
    "more": ("Skill", {"skill": "plain-more"}),
    "slash": ("Skill", {"skill": "/plain"}),
    "tools": ("Skill", {"skill": "tools"}),
    "hooky": ("Skill", {"skill": "hooky"}),
    "command": ("Skill", {"skill": "group:go"}),
    "init": ("Skill", {"skill": "init"}),
    "unknown": ("Skill", {"skill": "unknown"}),
    "stop": ("KillShell", {"shell_id": "1"}),
    "nothing": ("Nothing", {}),
}


def judged(
    name: str,
    mode: str = "default",
    *,
    allow: Iterable[str] = (),
    ask: Iterable[str] = (),
    deny: Iterable[str] = (),
    scope: Scope = Scope.USER,
    hook: str | None = None,
) -> Decision:
    permissions = {"allow": list(allow), "ask": list(ask), "deny": list(deny)}
    policy = load_objects({scope: {"permissions": permissions}}, cwd=CWD, home=HOME)
    hooks = [{"decision": hook}] if hook else ()
    return decide(ToolCall(*CALLS[name]), policy, Mode(mode), WORKSPACE, hooks=hooks)


def said(decision: Decision) -> str:
    return f"{decision.behavior}/{decision.reason_type}" if decision.reason_type else str(decision.behavior)


MODES = ("default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions")

WITHOUT_RULES = {
    "fetch": "ask ask deny/classifier deny/classifier deny/mode allow",
    "docs": "allow allow allow allow allow allow",
    "section": "allow allow allow allow allow allow",
    "beside": "ask ask deny/classifier deny/classifier deny/mode allow",
    "search": "ask ask deny/classifier deny/classifier deny/mode allow",
    "mcp": "ask ask ask/mode deny/classifier deny/mode allow",
    "agent": "allow allow deny/classifier deny/classifier allow allow",
    "question": "ask ask ask ask deny/mode ask",
    "cron": "allow allow deny/classifier deny/classifier allow allow",
    "list": "allow allow allow allow allow allow",
    "workflow": "ask ask deny/classifier deny/classifier deny/mode allow",
    "watch": "allow allow allow allow allow allow",
    "delete": "ask/safetyCheck ask/safetyCheck deny/safetyCheck deny/safetyCheck deny/mode ask/safetyCheck",
    "worktree": "ask/safetyCheck ask/safetyCheck ask/safetyCheck ask/safetyCheck deny/mode allow",
    "plain": "allow allow allow allow allow allow",
    "command": "allow allow allow allow allow allow",
    "init": "allow allow allow allow allow allow",
    "tools": "ask ask deny/classifier deny/classifier deny/mode allow",
    "hooky": "ask/other ask/other deny/classifier deny/classifier deny/mode allow",
    "stop": "allow allow allow allow allow allow",
    "nothing": "removed removed removed removed removed removed",
}


@pytest.mark.parametrize("name", WITHOUT_RULES)
def test_modes_without_rules(name: str) -> None:
    assert " ".join(said(judged(name, mode)) for mode in MODES) == WITHOUT_RULES[name]


@pytest.mark.parametrize(
    ("name", "rule", "mode", "expected"),
    [
        ("fetch", "WebFetch", "dontAsk", "allow"),
        ("fetch", "WebFetch(*)", "plan", "allow"),
        ("fetch", "WebFetch(domain:example.com)", "auto", "allow"),
        ("fetch", "WebFetch(domain:*.example.com)", "dontAsk", "deny/mode"),
        ("search", "WebSearch", "plan", "allow"),
        ("mcp", "mcp__gh", "dontAsk", "allow"),
        ("mcp", "mcp__gh__get*", "auto", "allow"),
        ("mcp", "mcp__gh", "plan", "ask/mode"),
        ("mcp", "mcp__*", "dontAsk", "deny/mode"),
        ("agent", "Agent", "auto", "deny/classifier"),
        ("cron", "CronCreate", "auto", "allow"),
        ("workflow", "Workflow", "plan", "allow"),
        ("question", "AskUserQuestion", "default", "ask"),
        ("worktree", "EnterWorktree", "default", "ask/safetyCheck"),
        ("tools", "Skill(tools)", "dontAsk", "allow"),
        ("tools", "Skill(/tools)", "dontAsk", "allow"),
        ("tools", "Skill(to*)", "dontAsk", "deny/mode"),
        ("tools", "Skill(to *)", "dontAsk", "allow"),
    ],
)
def test_allow_rule(name: str, rule: str, mode: str, expected: str) -> None:
    assert said(judged(name, mode, allow=[rule])) == expected


@pytest.mark.parametrize(
    ("name", "rule", "expected"),
    [
        ("fetch", "WebFetch", "removed"),
        ("fetch", "WebFetch(domain:*)", "deny/rule"),
        ("docs", "WebFetch(domain:docs.python.org)", "deny/rule"),
        ("mcp", "mcp__gh", "removed"),
        ("mcp", "*get*", "removed"),
        ("mcp", "mcp__g", "allow"),
        ("agent", "Agent(general-purpose)", "deny"),
        ("explore", "Agent(Explore)", "deny"),
        ("explore", "Task(Explore)", "deny"),
        ("explore", "Agent(explore)", "allow"),
        ("explore", "Agent(Exp*)", "allow"),
        ("explore", "Agent(model:opus)", "deny/rule"),
        ("explore", "Agent(model : op*)", "deny/rule"),
        ("agent", "Agent(model:*)", "allow"),
        ("explore", "Task", "removed"),
        ("find", "ToolSearch(query:x)", "deny/rule"),
        ("cron", "CronCreate(cron:* 9 *)", "deny/rule"),
        ("watch", "Monitor(command:ls)", "deny/rule"),
        ("watch", "Monitor(persistent:true)", "allow"),
        ("watch", "Monitor(ls)", "allow"),
        ("watch", "Bash", "removed"),
        ("plain", "Skill(plain)", "deny/rule"),
        ("slash", "Skill(plain)", "deny/rule"),
        ("more", "Skill(plain)", "allow"),
        ("more", "Skill(plain *)", "deny/rule"),
        ("plain", "Skill(plain prod)", "allow"),
        ("plain", "Skill(args:prod)", "deny/rule"),
        ("slash", "Skill(skill:plain)", "deny/rule"),
    ],
)
def test_deny_rule(name: str, rule: str, expected: str) -> None:
    assert said(judged(name, "bypassPermissions", deny=[rule])) == expected


def test_parameters_of_an_mcp_tool_are_denied_on_the_command_line_only() -> None:
    rule = ["mcp__gh__get_issue(number:5)"]
    assert said(judged("mcp", "bypassPermissions", deny=rule, scope=Scope.CLI)) == "deny/rule"
    assert said(judged("mcp", "bypassPermissions", deny=rule)) == "allow"


@pytest.mark.parametrize(
    ("name", "rule", "mode", "expected"),
    [
        ("fetch", "WebFetch", "default", "ask"),
        ("docs", "WebFetch", "bypassPermissions", "ask/rule"),
        ("docs", "WebFetch(domain:docs.python.org)", "auto", "ask/rule"),
        ("search", "WebSearch", "bypassPermissions", "ask/rule"),
        ("mcp", "mcp__gh", "auto", "ask/rule"),
        ("agent", "Agent", "bypassPermissions", "ask/rule"),
        ("explore", "Agent(Explore)", "bypassPermissions", "allow"),
        ("plain", "Skill(plain)", "bypassPermissions", "allow"),
        ("tools", "Skill", "bypassPermissions", "ask"),
        ("workflow", "Workflow", "auto", "ask"),
        ("worktree", "EnterWorktree", "bypassPermissions", "ask/safetyCheck"),
        ("list", "*", "bypassPermissions", "ask/rule"),
        ("find", "ToolSearch(query:x)", "default", "ask/rule"),
        ("cron", "CronCreate", "dontAsk", "deny/mode"),
    ],
)
def test_ask_rule(name: str, rule: str, mode: str, expected: str) -> None:
    assert said(judged(name, mode, ask=[rule])) == expected


@pytest.mark.parametrize(
    ("hook", "name", "mode", "expected"),
    [
        ("allow", "fetch", "plan", "allow"),
        ("allow", "mcp", "dontAsk", "allow"),
        ("allow", "mcp", "plan", "ask/mode"),
        ("allow", "agent", "auto", "allow"),
        ("allow", "question", "bypassPermissions", "ask"),
        ("allow", "worktree", "default", "ask/safetyCheck"),
        ("ask", "docs", "bypassPermissions", "ask/hook"),
        ("ask", "question", "dontAsk", "deny/mode"),
        ("ask", "delete", "default", "ask/safetyCheck"),
        ("deny", "list", "bypassPermissions", "deny/hook"),
    ],
)
def test_hook(hook: str, name: str, mode: str, expected: str) -> None:
    assert said(judged(name, mode, hook=hook)) == expected


def test_an_unknown_skill_waits_for_approval() -> None:
    policy = load_objects({}, cwd=CWD, home=HOME)
    assert said(decide(ToolCall(*CALLS["unknown"]), policy, Mode.DEFAULT, UnknownWorkspace())) == "ask"


@pytest.mark.parametrize("settings", [{"useAutoModeDuringPlan": False}, {"disableAutoMode": "disable"}])
def test_plan_mode_without_a_classifier_prompts(settings: dict[str, Any]) -> None:
    policy = load_objects({Scope.USER: settings}, cwd=CWD, home=HOME)
    calls = [CALLS["fetch"], CALLS["mcp"], CALLS["cron"], CALLS["delete"], ("Read", {"file_path": "/etc/passwd"})]
    found = [said(decide(ToolCall(*call), policy, Mode.PLAN, WORKSPACE)) for call in calls]
    assert found == ["ask", "ask/mode", "allow", "ask/safetyCheck", "ask/workingDir"]


def test_what_a_hook_rewrites_is_judged_as_rewritten() -> None:
    policy = load_objects({Scope.USER: {"permissions": {"deny": ["Read(secret)"]}}}, cwd=CWD, home=HOME)
    hooks = [{"decision": "allow", "updated_input": {"file_path": "secret"}}]
    decision = decide(ToolCall("Read", {"file_path": "open"}), policy, Mode.BYPASS, WORKSPACE, hooks=hooks)
    assert said(decision) == "deny"


@pytest.mark.parametrize("tool", ["AskUserQuestion", "ExitPlanMode"])
@pytest.mark.parametrize(
    ("hook", "mode", "expected"),
    [
        ({"decision": "allow", "updated_input": {"plan": "x"}}, Mode.DEFAULT, "allow"),
        ({"decision": "allow", "updated_input": {"plan": "x"}}, Mode.DONT_ASK, "allow"),
        ({"decision": "allow"}, Mode.DEFAULT, "ask"),
        ({"decision": "allow"}, Mode.DONT_ASK, "deny"),
        ({"updated_input": {"plan": "x"}}, Mode.DEFAULT, "ask"),
    ],
)
def test_a_hook_answers_for_a_person_by_an_input_of_its_own(
    tool: str, hook: Mapping[str, Any], mode: Mode, expected: str
) -> None:
    decision = decide(
        ToolCall(tool, {"plan": "y"}), load_objects({}, cwd=CWD, home=HOME), mode, WORKSPACE, hooks=[hook]
    )
    assert decision.behavior == expected
