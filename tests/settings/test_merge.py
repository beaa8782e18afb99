"""Several scopes to one policy: precedence, what is set aside and why, and where each rule comes from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolaudit.model import Behavior, Policy, Scope
from toolaudit.settings import SettingsError, load_objects
from toolaudit.structs import as_dict

CWD, HOME = "/work/app", "/home/u"


def policy(trusted: bool = True, **scopes: Any) -> Policy:
    return load_objects({Scope(name): value for name, value in scopes.items()}, cwd=CWD, home=HOME, trusted=trusted)


def permissions(**keys: Any) -> Mapping[str, Any]:
    return {"permissions": keys}


def texts(policy: Policy) -> list[str]:
    return [str(rule) for rule in policy.rules]


def test_lists_join_from_the_highest_scope_to_the_lowest() -> None:
    scopes = {scope.value: permissions(allow=[f"Bash({scope.value})"], deny=["Read(x)"]) for scope in reversed(Scope)}
    found = policy(**scopes)
    assert [rule.source.scope for rule in found.rules_for(Behavior.ALLOW)] == list(Scope)
    assert [rule.source.scope for rule in found.rules_for(Behavior.DENY)] == list(Scope)


def test_a_rule_knows_its_place() -> None:
    text = json.dumps(permissions(deny=["Read(.env)", "Bash(rm *)"]), indent=2)
    (first, second) = policy(project=text).rules
    assert (first.source.line, first.source.column) == (4, 7)
    assert (second.source.line, second.source.column) == (5, 7)


ROOTS = [("user", "/home/u/.claude"), ("project", CWD), ("local", CWD), ("cli", CWD)]


@pytest.mark.parametrize(("scope", "root"), ROOTS, ids=[row[0] for row in ROOTS])
def test_root_of_a_path_with_one_slash(scope: str, root: str) -> None:
    (rule,) = policy(**{scope: permissions(deny=["Read(/src/**)"])}).rules
    assert rule.root == root


TRUST = [
    # scope, what stays of an allow, an ask and a deny rule and of a directory, without trust
    ("project", ["deny Bash(c)", "ask Bash(b)"], []),
    ("local", ["deny Bash(c)", "ask Bash(b)", "allow Bash(a)"], ["/opt"]),
    ("user", ["deny Bash(c)", "ask Bash(b)", "allow Bash(a)"], ["/opt"]),
    ("flag", ["deny Bash(c)", "ask Bash(b)", "allow Bash(a)"], ["/opt"]),
    ("managed", ["deny Bash(c)", "ask Bash(b)", "allow Bash(a)"], ["/opt"]),
]
FULL = permissions(allow=["Bash(a)"], ask=["Bash(b)"], deny=["Bash(c)"], additionalDirectories=["/opt"])


@pytest.mark.parametrize(("scope", "rules", "directories"), TRUST, ids=[row[0] for row in TRUST])
def test_without_trust_a_project_grants_nothing(scope: str, rules: list[str], directories: list[str]) -> None:
    found = policy(trusted=False, **{scope: FULL})
    assert texts(found) == rules
    assert [directory.path for directory in found.directories] == directories
    assert texts(policy(**{scope: FULL})) == ["deny Bash(c)", "ask Bash(b)", "allow Bash(a)"]


DIRECTORIES = [
    ("/opt", "/opt"),
    ("/opt//x/", "/opt/x"),
    (" /opt/x\t", "/opt/x"),
    ("sub", "/work/app/sub"),
    ("./sub/..", "/work/app"),
    ("../other", "/work/other"),
    ("", "/work/app"),
    ("~", "/home/u"),
    ("~/x", "/home/u/x"),
    ("~x", "/work/app/~x"),
    ("$HOME/x", "/work/app/$HOME/x"),
]


@pytest.mark.parametrize(("text", "path"), DIRECTORIES, ids=[repr(row[0]) for row in DIRECTORIES])
def test_an_additional_directory_is_relative_to_the_working_directory(text: str, path: str) -> None:
    for scope in ("user", "project", "flag"):
        (directory,) = policy(**{scope: permissions(additionalDirectories=[text])}).directories
        assert (directory.path, directory.source.scope) == (path, scope)


def test_two_slashes_add_no_directory() -> None:
    assert policy(user=permissions(additionalDirectories=["//opt/x"])).directories == ()


RESTRICTIONS = [
    # key, attribute, scopes where true counts
    ("blockReadsOutsideWorkingDirectories", "block_reads_outside", {"user", "project", "local", "flag", "managed"}),
    ("blockWritesOutsideWorkingDirectories", "block_writes_outside", {"user", "project", "local", "flag", "managed"}),
    ("denyInsteadOfPrompting", "deny_instead_of_prompting", {"user", "flag", "managed"}),
]


@pytest.mark.parametrize("scope", ["user", "project", "local", "flag", "managed"])
@pytest.mark.parametrize(("key", "attribute", "counts"), RESTRICTIONS, ids=[row[1] for row in RESTRICTIONS])
def test_a_restriction_is_on_where_any_scope_that_counts_turns_it_on(
    key: str, attribute: str, counts: set[str], scope: str
) -> None:
    on = {scope: permissions(**{key: True})}
    assert getattr(policy(trusted=False, **on), attribute) is (scope in counts)
    for other in {"user", "project", "managed"} - {scope}:
        assert getattr(policy(**on, **{other: permissions(**{key: False})}), attribute) is (scope in counts)


@pytest.mark.parametrize("scope", ["user", "local", "flag", "managed"])
def test_auto_during_plan_is_off_where_any_scope_but_the_project_turns_it_off(scope: str) -> None:
    assert policy(**{scope: {"useAutoModeDuringPlan": False}}).auto_during_plan is False
    assert policy(project={"useAutoModeDuringPlan": False}).auto_during_plan is True


def test_a_repository_does_not_shape_the_classifier() -> None:
    auto = {"autoMode": {"allow": ["x"], "classifyAllShell": True}}
    for scope in ("project", "local"):
        found = policy(**{scope: auto})
        assert (found.auto.allow, found.auto.classify_all_shell) == ((), False)
        assert [finding.id for finding in found.findings] == ["key-ignored"]
    for scope in ("user", "flag", "managed"):
        found = policy(**{scope: auto})
        assert (found.auto.allow, found.auto.classify_all_shell) == (("x",), True)


def test_the_sandbox_is_that_of_the_highest_word_and_all_lists() -> None:
    found = policy(
        trusted=False,
        user={"sandbox": {"enabled": True, "autoAllowBashIfSandboxed": True, "excludedCommands": ["git *"]}},
        project={"sandbox": {"autoAllowBashIfSandboxed": False, "excludedCommands": ["npm *"]}},
        local={"sandbox": {"filesystem": {"denyRead": ["~/.aws"]}, "network": {"allowedDomains": ["a.example"]}}},
    ).sandbox
    assert (found.enabled, found.auto_allow, found.allow_unsandboxed) == (True, False, True)
    assert found.excluded_commands == ("npm *", "git *")
    assert (found.deny_read, found.allowed_domains) == (("~/.aws",), ("a.example",))


MANAGED_ONLY = [
    ("user", [], ["/opt"]),
    ("project", [], ["/opt"]),
    ("local", [], ["/opt"]),
    ("flag", [], ["/opt"]),
    ("cli", ["deny Bash(c)"], ["/opt"]),
]


@pytest.mark.parametrize(("scope", "rules", "directories"), MANAGED_ONLY, ids=[row[0] for row in MANAGED_ONLY])
def test_managed_permission_rules_only(scope: str, rules: list[str], directories: list[str]) -> None:
    managed = {"allowManagedPermissionRulesOnly": True, **permissions(allow=["Bash(m)"])}
    found = policy(managed=managed, **{scope: FULL})
    assert texts(found) == ["allow Bash(m)", *rules]
    assert [directory.path for directory in found.directories] == directories
    assert {reason for _, reason in found.ignored} == {"managed settings allow managed permission rules only"}


@pytest.mark.parametrize("scope", ["user", "project", "local", "flag"])
def test_managed_permission_rules_only_counts_in_managed_settings_alone(scope: str) -> None:
    found = policy(**{scope: {**FULL, "allowManagedPermissionRulesOnly": True}})
    assert texts(found) == ["deny Bash(c)", "ask Bash(b)", "allow Bash(a)"]
    assert [finding.id for finding in found.findings] == ["key-ignored"]


def test_a_list_that_is_not_in_force_is_one_finding() -> None:
    rules = permissions(allow=["Bash(a)", "Bash(b)", "*"], deny=["Read"])
    (finding,) = policy(trusted=False, project=json.dumps(rules)).findings
    assert (finding.id, finding.message) == (
        "rules-ignored",
        "3 allow rules of project settings not in force: the workspace is not trusted",
    )
    assert str(finding.source) == "<project settings>:1:28"


def test_a_dead_rule_is_set_aside_and_reported() -> None:
    found = policy(user=permissions(allow=["*", "Bash(ls)"], deny=["Write(.env)", "bash(rm *)"]))
    assert texts(found) == ["allow Bash(ls)"]
    assert [(str(rule), rule.source.scope) for rule, _ in found.ignored] == [
        ("deny Write(.env)", Scope.USER),
        ("deny bash(rm *)", Scope.USER),
        ("allow *", Scope.USER),
    ]
    assert [(finding.id, str(finding.severity)) for finding in found.findings] == [
        ("rule-ignored", "error"),
        ("rule-ignored", "error"),
        ("rule-ignored", "warning"),
    ]


def test_a_tool_that_does_not_exist_is_reported_once() -> None:
    found = policy(user=permissions(allow=["Fetch(domain:a.example)", "WebFetcher", "Fetch"], deny=["my_tool", "F*"]))
    assert len(found.rules) == 5
    assert [(finding.id, finding.message) for finding in found.findings] == [
        ("unknown-tool", 'no tool is called "Fetch"'),
        ("unknown-tool", 'no tool is called "WebFetcher"; did you mean WebFetch?'),
    ]


def test_a_hostile_number_of_oddities_is_counted() -> None:
    settings: dict[str, Any] = {f"key{number}": 1 for number in range(50_000)}
    allow = [1] * 50_000 + ["("] * 50_000 + [f"Tool{number}" for number in range(5_000)]
    settings["permissions"] = {"allow": allow}
    found = policy(user=settings)
    assert len(found.findings) == 404
    assert len(found.ignored) == 50_000
    assert [finding.message for finding in found.findings if finding.id == "not-listed"] == [
        "49,900 more unknown keys in the settings",
        "49,900 more entries that are no rules in permissions.allow",
        "49,900 more rules that can never match",
        "4,900 more rules for tools that do not exist",
    ]


def test_an_entry_that_is_no_string_is_left_out() -> None:
    found = policy(user=permissions(allow=[1, "Bash(ls)", None, ["Bash(x)"]]))
    assert texts(found) == ["allow Bash(ls)"]
    assert [finding.message for finding in found.findings] == [
        "expected a string for permissions.allow.0, got a number",
        "expected a string for permissions.allow.2, got null",
        "expected a string for permissions.allow.3, got a list",
    ]


WRONG = [
    # settings, message
    ({"permissions": []}, "expected an object for permissions, got a list"),
    ({"permissions": None}, "expected an object for permissions, got null"),
    (permissions(allow="Bash"), 'expected a list for permissions.allow, got the string "Bash"'),
    (permissions(deny=None), "expected a list for permissions.deny, got null"),
    (permissions(deny={"a": 1}), "expected a list for permissions.deny, got an object"),
    (permissions(defaultMode=5), None),
    (permissions(defaultMode="allowEdits"), None),
    (permissions(defaultMode="bubble"), None),
    (permissions(additionalDirectories="/etc"), None),
    (permissions(additionalDirectories=[5]), "expected a string for permissions.additionalDirectories.0, got a number"),
    (
        permissions(disableBypassPermissionsMode=True),
        'expected "disable" for permissions.disableBypassPermissionsMode, got true',
    ),
    ({"disableAutoMode": True}, 'expected "disable" for disableAutoMode, got true'),
    ({"sandbox": True}, "expected an object for sandbox, got true"),
    ({"sandbox": {"enabled": "true"}}, 'expected true or false for sandbox.enabled, got the string "true"'),
    ({"sandbox": {"excludedCommands": "git"}}, None),
    ({"autoMode": "x"}, 'expected an object for autoMode, got the string "x"'),
    ({"disableAllHooks": "yes"}, 'expected true or false for disableAllHooks, got the string "yes"'),
    ({"model": 5}, "expected a string for model, got a number"),
    ({"env": "x"}, 'expected an object for env, got the string "x"'),
    ({"verbose": None}, "expected true or false for verbose, got null"),
    ({"cleanupPeriodDays": 0}, "expected a whole number above 0 for cleanupPeriodDays, got a number"),
    ({"feedbackSurveyRate": 5}, "expected a number from 0 to 1 for feedbackSurveyRate, got a number"),
    ({"enabledMcpjsonServers": [5]}, "expected a string or a list for enabledMcpjsonServers, got a list"),
    ({"enabledPlugins": {"a": 1}}, "expected true or false or a list for enabledPlugins.a, got a number"),
    ({"statusLine": {}}, "expected the key type in statusLine, got none"),
    ({"sshConfigs": ["x"]}, 'expected an object for sshConfigs.0, got the string "x"'),
    ({"sandbox": {"network": {"httpProxyPort": "x"}}}, None),
    ([], "expected an object, got a list"),
    (None, "expected an object, got null"),
]


@pytest.mark.parametrize(("settings", "message"), WRONG, ids=[json.dumps(row[0]) for row in WRONG])
def test_a_wrong_type_is_an_error_with_its_place(settings: object, message: str | None) -> None:
    with pytest.raises(SettingsError) as caught:
        load_objects({Scope.USER: settings}, cwd=CWD, home=HOME)
    if message is not None:
        assert caught.value.message == message
    with pytest.raises(SettingsError) as placed:
        load_objects({Scope.USER: "\n\n" + json.dumps(settings)}, cwd=CWD, home=HOME)
    assert placed.value.message == caught.value.message
    assert placed.value.line == (3 if isinstance(settings, dict) else 1)
    assert "deny rules included" in placed.value.help


UNKNOWN = [
    ({"permision": {}}, 'unknown key "permision" in the settings; did you mean permissions?'),
    (permissions(denied=[]), 'unknown key "denied" in permissions'),
    (permissions(alow=[]), 'unknown key "alow" in permissions; did you mean allow?'),
    ({"defaultMode": "plan"}, 'unknown key "defaultMode" in the settings; did you mean permissions.defaultMode?'),
    (
        permissions(allowManagedPermissionRulesOnly=True),
        'unknown key "allowManagedPermissionRulesOnly" in permissions; did you mean '
        "allowManagedPermissionRulesOnly at the top level?",
    ),
    ({"sandbox": {"enable": True}}, 'unknown key "enable" in sandbox; did you mean enabled?'),
    ({"zzz": 1}, 'unknown key "zzz" in the settings'),
    ({"\x1b[31m": 1}, 'unknown key "\\u001b[31m" in the settings'),
]


@pytest.mark.parametrize(("settings", "message"), UNKNOWN, ids=[row[1][:40] for row in UNKNOWN])
def test_an_unknown_key_is_reported(settings: Mapping[str, Any], message: str) -> None:
    (finding,) = policy(user=settings).findings
    assert (finding.id, finding.message, finding.help) == ("unknown-key", message, "the client ignores it")


KNOWN = [
    {"model": "x", "$schema": "x", "language": ""},
    {"verbose": True, "env": {"A": 1}, "cleanupPeriodDays": 30, "desktopSessionCleanupPeriodDays": 0},
    {"theme": 5, "editorMode": [], "effortLevel": None},
    {"attribution": False, "enabledMcpjsonServers": ["a"], "forceLoginOrgUUID": "x"},
    {"enabledPlugins": {"a": True, "b": ["x"]}, "statusLine": {"type": "command", "command": "x", "padding": 0}},
    {"sandbox": {"network": {"httpProxyPort": 8080}, "ripgrep": {"command": "rg"}}},
]


@pytest.mark.parametrize("settings", KNOWN, ids=json.dumps)
def test_a_known_key_that_decides_nothing_is_passed_over(settings: dict[str, Any]) -> None:
    assert policy(user=settings).findings == ()


RULE = st.sampled_from(["Bash(ls)", "Bash(rm *)", "Read(.env)", "mcp__*", "Bash(", "Write(x)", "WebFetch"])
PERMISSIONS = st.fixed_dictionaries(
    {},
    optional={
        "allow": st.lists(RULE, max_size=3),
        "ask": st.lists(RULE, max_size=3),
        "deny": st.lists(RULE, max_size=3),
        "additionalDirectories": st.lists(st.sampled_from(["/opt", "/srv", "sub"]), max_size=2),
        "defaultMode": st.sampled_from(["default", "plan", "auto", "bypassPermissions"]),
        "blockReadsOutsideWorkingDirectories": st.booleans(),
    },
)
SETTINGS = st.fixed_dictionaries(
    {"permissions": PERMISSIONS}, optional={"allowManagedPermissionRulesOnly": st.booleans()}
)
SCOPES = st.dictionaries(st.sampled_from(list(Scope)), SETTINGS)


@given(SCOPES, st.booleans(), st.randoms())
def test_the_order_of_the_scopes_does_not_matter(scopes: dict[Scope, Any], trusted: bool, random: Any) -> None:
    shuffled = list(scopes.items())
    random.shuffle(shuffled)
    merged = load_objects(scopes, cwd=CWD, home=HOME, trusted=trusted)
    assert as_dict(load_objects(dict(shuffled), cwd=CWD, home=HOME, trusted=trusted)) == as_dict(merged)


@given(SCOPES, st.booleans())
def test_rules_join_as_their_scopes_do(scopes: dict[Scope, Any], trusted: bool) -> None:
    """Grouping does not matter: the rules are those of each scope beside the managed one, joined in order."""
    managed = {Scope.MANAGED: scopes.get(Scope.MANAGED, {})}
    merged = load_objects({**managed, **scopes}, cwd=CWD, home=HOME, trusted=trusted)
    own = load_objects(managed, cwd=CWD, home=HOME, trusted=trusted)
    joined = own.rules
    for scope in Scope:
        if scope in scopes and scope is not Scope.MANAGED:
            alone = load_objects({**managed, scope: scopes[scope]}, cwd=CWD, home=HOME, trusted=trusted)
            joined += alone.rules[len(own.rules) :]
    assert merged.rules == joined


@given(SCOPES)
def test_trust_only_adds_grants(scopes: dict[Scope, Any]) -> None:
    trusted = load_objects(scopes, cwd=CWD, home=HOME)
    wary = load_objects(scopes, cwd=CWD, home=HOME, trusted=False)
    assert set(wary.rules) <= set(trusted.rules)
    assert wary.rules_for(Behavior.DENY) == trusted.rules_for(Behavior.DENY)
    assert wary.rules_for(Behavior.ASK) == trusted.rules_for(Behavior.ASK)
    assert wary.mode == trusted.mode


def test_no_settings_are_a_policy_of_nothing() -> None:
    assert as_dict(policy()) == as_dict(Policy())
