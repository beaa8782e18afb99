"""Settings that some versions of the client don't know: to those they say nothing."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from toolaudit.model import Policy
from toolaudit.model.versions import Difference, Version
from toolaudit.structs import replace

FIELDS: Final[Mapping[str, Difference]] = MappingProxyType(
    {
        "block_reads_outside": Difference.SETTINGS_BLOCK_OUTSIDE,
        "block_writes_outside": Difference.SETTINGS_BLOCK_OUTSIDE,
        "deny_instead_of_prompting": Difference.SETTINGS_DENY_PROMPTS,
    }
)
"""Field of a policy, a switch that is off by default -> since when the client knows its setting."""


def known_to(policy: Policy, version: Version) -> Policy:
    """The policy as this version of the client reads it; the same object where it reads all of it."""
    unknown = [name for name, difference in FIELDS.items() if getattr(policy, name) and not version.has(difference)]
    return replace(policy, **dict.fromkeys(unknown, False)) if unknown else policy
