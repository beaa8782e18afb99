from __future__ import annotations

from enum import StrEnum


class Behavior(StrEnum):
    """What becomes of a tool call."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"
    REMOVED = "removed"
    """The tool is not in the pool the model sees: a deny rule without specifier took it out, or nothing put it in."""
    INVALID = "invalid"
    """The input was refused before any permission check: bad schema, missing file, file not read yet."""


class Mode(StrEnum):
    """The permission mode of a session (documents, section 9); `bubble` sends a sub-agent's prompts to its parent."""

    DEFAULT = "default"
    ACCEPT_EDITS = "acceptEdits"
    PLAN = "plan"
    DONT_ASK = "dontAsk"
    BYPASS = "bypassPermissions"
    AUTO = "auto"
    BUBBLE = "bubble"

    @property
    def edits_silently(self) -> bool:
        """Whether edits inside the working directories need no approval (documents, 9.2 and 9.5)."""
        return self in (Mode.ACCEPT_EDITS, Mode.AUTO)

    @classmethod
    def parse(cls, text: str) -> Mode:
        """The mode named `text`; `manual` is the client's newer word for `default`.

        Raises ValueError for any other word.
        """
        return cls.DEFAULT if text == "manual" else cls(text)


class ReasonType(StrEnum):
    """Why a call was not simply allowed, in the client's own words."""

    RULE = "rule"
    MODE = "mode"
    HOOK = "hook"
    CLASSIFIER = "classifier"
    SAFETY_CHECK = "safetyCheck"
    WORKING_DIR = "workingDir"
    SUBCOMMAND_RESULTS = "subcommandResults"
    SANDBOX_OVERRIDE = "sandboxOverride"
    ASYNC_AGENT = "asyncAgent"
    PERMISSION_PROMPT_TOOL = "permissionPromptTool"
    OTHER = "other"
