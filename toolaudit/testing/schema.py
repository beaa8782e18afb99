"""What a `*.toolaudit.yaml` file may say. The JSON Schema that editors use is made from these classes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

ModeName = Literal["default", "manual", "acceptEdits", "plan", "dontAsk", "bypassPermissions", "auto"]
DecisionName = Literal["allow", "ask", "deny", "removed"]
Answer = Literal["allow", "ask", "deny"]
Scalar = str | int | float | bool


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class PolicyFiles(_Strict):
    """Settings files by scope, relative to the test file, and single rules as the command line would give them."""

    user: str | None = None
    project: str | None = None
    local: str | None = None
    managed: str | None = None
    flag: str | None = Field(None, description="the settings given by flag")
    allow: list[str] = []
    ask: list[str] = []
    deny: list[str] = []


class HookAnswer(_Strict):
    """What a configured PreToolUse hook is taken to say. No hook is run.

    It counts where the policy has the hook and the hook's matcher and condition cover the call.
    """

    hook: str | None = Field(None, description="the hook's command as the settings have it; left out: every hook")
    decision: Answer | None = None
    input: dict[str, Any] | None = Field(None, description="the call's input as the hook rewrites it")


class Settings(_Strict):
    """What a decision depends on besides the call and the policy."""

    mode: ModeName | None = Field(None, description="the permission mode; left out: the one the policy starts in")
    cwd: str | None = Field(None, description="the session's working directory, absolute (default /work/project)")
    home: str | None = Field(None, description="the home directory, absolute (default /home/user)")
    files: dict[str, str] | None = Field(None, description="files that exist: path -> text")
    links: dict[str, str] | None = Field(None, description="symbolic links: path -> target")
    git: bool | None = Field(None, description="whether the working directory is a repository (default true)")
    trusted: bool | None = Field(None, description="whether the workspace's trust dialog was accepted (default true)")
    hooks: list[HookAnswer] | None = None
    classifier: Literal["unavailable", "allow", "block"] | None = None
    client: str | None = Field(None, description="the version of the client, as 2.1.332")


class Expectation(_Strict):
    """What must hold of the decision. What is left out may be anything."""

    decision: DecisionName | Annotated[list[DecisionName], Field(min_length=1)] | None = Field(
        None, description="`deny` is also met where the tool is taken out of the pool; a list: any of these"
    )
    stage: str | None = Field(None, description="the step or link that settles it, as `toolaudit check` names it")
    reason: str | None = Field(None, description="the reason type, in the client's words")
    rule: str | None = Field(None, description="the deciding rule as written; null: no rule decides")
    source: str | None = Field(None, description="where that rule stands: a scope, a file, or file:line")
    finding: str | list[str] | None = Field(None, description="ids of findings that must be reported")


class CaseEntry(Settings):
    """One call, or with a matrix several, and what is expected."""

    name: str | None = None
    command: str | None = Field(None, description="the Bash command; for any other tool give tool and input")
    tool: str | None = None
    input: dict[str, Any] | None = None
    matrix: dict[str, Annotated[list[Scalar], Field(min_length=1)]] | None = Field(
        None, description="name -> values: a case for each combination; {name} in texts, or a setting such as mode"
    )
    skip: str | None = Field(None, description="why the case is not run")
    expect: DecisionName | Expectation


class PolicyTests(_Strict):
    """Tests of a permission policy."""

    policy: str | PolicyFiles = Field(
        description="a settings file, a project directory, or files by scope; relative to this file"
    )
    defaults: Settings | None = None
    cases: Annotated[list[CaseEntry], Field(min_length=1)]


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a test file."""
    schema = PolicyTests.model_json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "toolaudit policy tests (*.toolaudit.yaml)",
        **{key: value for key, value in schema.items() if key != "title"},
    }
