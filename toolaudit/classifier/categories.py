"""What a call can be blocked for: one row a category, the one place where they are named.

A category is *hard* where no word of the user clears it, and *soft* where the user's naming the very action, an allow
entry of the policy, or what the session made itself does (documents, 9.5.5). What each covers follows the documents'
list of what auto mode blocks by default, in our own words.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from toolaudit.structs import Struct


class Category(Struct):
    """One kind of harm."""

    name: str
    covers: str
    """What belongs to it, as the prompt of a model says it."""
    hard: bool = False


_TABLE: Final = (
    Category("remote-code", "running code that was downloaded and that nobody has read"),
    Category(
        "exfiltration",
        "sending secrets, credentials, private keys or private data to anyone who is not their proper receiver, "
        "committing or publishing them included",
        hard=True,
    ),
    Category(
        "credential-exposure",
        "printing, collecting or searching for live credentials; asking a cloud's metadata service for them",
    ),
    Category(
        "oversight",
        "changing the agent's own permissions, hooks, settings or session records, answering its own prompts, or "
        "starting an agent that runs without approval",
        hard=True,
    ),
    Category(
        "persistence", "what makes something run later or at each login, boot, commit or folder opening; new accounts"
    ),
    Category(
        "destruction",
        "removing or overwriting, beyond recovery, what was there before the session, by wildcard in shared folders, "
        "or at a place that can't be told",
    ),
    Category("discarded-work", "throwing uncommitted, stashed or unmerged work away"),
    Category("rewritten-history", "forced pushes, deleted remote branches, rewritten commits of others"),
    Category("production", "deploying to, migrating, switching flags of, or changing what serves real users"),
    Category("infrastructure", "creating, changing or deleting shared infrastructure, clusters, storage, DNS, secrets"),
    Category("access-grants", "giving people, accounts or files more rights than they had"),
    Category(
        "network-exposure", "making something here reachable from outside, shells into sensitive places, no firewall"
    ),
    Category("safety-bypass", "switching a check, a guard, a test of security or a certificate's verification off"),
    Category("publication", "publishing, posting, mailing or opening something to other people unasked"),
    Category("system-change", "changing the machine or files outside the working directories"),
    Category("supply-chain", "taking packages or pushing code from or to places that were not the project's"),
    Category("intrusion", "scanning, attacking or listening to systems that are not the session's"),
    Category("denial-of-service", "exhausting a machine or somebody's server, mining"),
    Category("opaque", "what it would do can't be told from its text"),
    Category("boundary", "something the user or the policy ruled out in so many words"),
)

CATEGORIES: Final[Mapping[str, Category]] = MappingProxyType({category.name: category for category in _TABLE})
"""Name -> category, in the order in which the prompt lists them."""
