"""The permission chain: a tool call, a policy and a mode in; a `Decision` with its trace out."""

from toolaudit.permissions.chain import CHAIN, decide
from toolaudit.permissions.request import HookVerdict, Request

__all__ = ["CHAIN", "HookVerdict", "Request", "decide"]
