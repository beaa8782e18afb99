"""What a script may say, as classes from which the JSON Schema that editors use is made.

`toolaudit.play.script` reads scripts by itself, with the place of what is wrong; a test holds the two equal.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel

from toolaudit.play.script import WAIT_MAX

ModeName = Literal["default", "manual", "acceptEdits", "plan", "dontAsk", "bypassPermissions", "auto", "bubble"]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class FullCall(_Strict):
    """A call with more than its input."""

    tool: str = Field(description="the tool's name")
    input: dict[str, Any] | None = Field(None, description="{cwd} and {home} stand for the workspace and the home")
    answer: Literal["allow", "deny"] | None = Field(None, description="what a person says if the call is asked about")
    steps: list[Step] = Field([], description="what the sub-agent of an Agent call does")
    report: str = Field("", description="what that sub-agent says at its end")
    mode: ModeName | None = Field(None, description="the mode that sub-agent works in; left out: its parent's")


class ShortCall(RootModel[Annotated[dict[str, dict[str, Any] | None], Field(min_length=1, max_length=1)]]):
    """A tool's name and the input of the call."""


Call = FullCall | ShortCall


class Prompt(_Strict):
    """A person says something."""

    prompt: str


class ModeChange(_Strict):
    """A person changes the mode."""

    mode: ModeName


class Meanwhile(_Strict):
    """Somebody else writes files of the workspace, or removes them."""

    meanwhile: dict[str, str | None] = Field(description="path in the workspace -> text; null removes the file")


class Wait(_Strict):
    """Seconds go by."""

    wait: Annotated[float, Field(ge=0, le=WAIT_MAX)]


class OneCall(_Strict):
    """The model makes one call."""

    call: Call


class SomeCalls(_Strict):
    """The model makes several calls in one message."""

    calls: Annotated[list[Call], Field(min_length=1)]


Step = Prompt | ModeChange | Meanwhile | Wait | OneCall | SomeCalls
FullCall.model_rebuild()


class Whole(_Strict):
    """A script with the mode to begin in."""

    mode: ModeName | None = Field(None, description="left out: the one the policy starts in")
    steps: list[Step]


class Script(RootModel[Whole | list[Step]]):
    """A script for `toolaudit run`: what happens in a session, one thing after the other."""


def json_schema() -> dict[str, Any]:
    """The JSON Schema of scripts."""
    schema = Script.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "toolaudit script"}
