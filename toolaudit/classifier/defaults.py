"""The built-in entries of the four `autoMode` lists, and how a policy's lists take them in.

A list that is set replaces the built-in one, unless it holds `$defaults`, which stands for the built-in entries at its
place (documents, 9.5.5). A list that is not set is the built-in one.
"""

from __future__ import annotations

from typing import Final

from toolaudit.classifier.categories import CATEGORIES
from toolaudit.model import AutoMode

MARK: Final = "$defaults"

DEFAULTS: Final = AutoMode(
    environment=(
        "Trusted: the working directories, and the remotes of the repository as they were when the session began.",
        "Everything else is outside: other hosts, other repositories, other people's systems.",
    ),
    allow=(
        "Reading, building, testing, formatting and editing in the working directories, and in the temporary folder "
        "what the session made there.",
        "Installing what the project's manifests and lock files declare.",
        "Read-only requests to the network, and requests to servers on this machine.",
        "Commits, and ordinary pushes to the repository's own remote.",
        "Removing or changing what the session itself made.",
    ),
    soft_deny=tuple(f"{one.name}: {one.covers}." for one in CATEGORIES.values() if not one.hard),
    hard_deny=tuple(f"{one.name}: {one.covers}." for one in CATEGORIES.values() if one.hard),
)


def effective(rules: AutoMode) -> AutoMode:
    """The lists as they are in force."""
    return AutoMode(
        environment=_spliced(rules.environment, DEFAULTS.environment),
        allow=_spliced(rules.allow, DEFAULTS.allow),
        soft_deny=_spliced(rules.soft_deny, DEFAULTS.soft_deny),
        hard_deny=_spliced(rules.hard_deny, DEFAULTS.hard_deny),
        classify_all_shell=rules.classify_all_shell,
    )


def _spliced(entries: tuple[str, ...], defaults: tuple[str, ...]) -> tuple[str, ...]:
    if not entries:
        return defaults
    return tuple(dict.fromkeys(item for entry in entries for item in (defaults if entry == MARK else (entry,))))
