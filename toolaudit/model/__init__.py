"""The nouns of the project: frozen data without behaviour.

What a decision makes or needs, here and in the packages that decide, is a `toolaudit.structs.Struct`.
"""

from toolaudit.model.behavior import Behavior, Mode, ReasonType
from toolaudit.model.call import ToolCall
from toolaudit.model.decision import Decision, Outcome, TraceEntry
from toolaudit.model.finding import Finding, Fix, Severity
from toolaudit.model.policy import AutoMode, Directory, Hook, Policy, Sandbox
from toolaudit.model.rule import Rule, Scope, Source

__all__ = [
    "AutoMode",
    "Behavior",
    "Decision",
    "Directory",
    "Finding",
    "Fix",
    "Hook",
    "Mode",
    "Outcome",
    "Policy",
    "ReasonType",
    "Rule",
    "Sandbox",
    "Scope",
    "Severity",
    "Source",
    "ToolCall",
    "TraceEntry",
]
