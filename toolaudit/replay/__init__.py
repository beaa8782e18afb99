"""Recorded sessions held against a policy: a decision for each call, and what would change."""

from toolaudit.replay.decider import Decider, Settings
from toolaudit.replay.record import Change, Record
from toolaudit.replay.replay import Event, Replay
from toolaudit.replay.report import Damage, Group, Groups, Report, RuleUse

__all__ = [
    "Change",
    "Damage",
    "Decider",
    "Event",
    "Group",
    "Groups",
    "Record",
    "Replay",
    "Report",
    "RuleUse",
    "Settings",
]
