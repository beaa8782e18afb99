"""A rule that spells out a program's name alone, where anything that follows was meant.

Without a star a rule covers exactly one command. `Bash(git)` allows `git`, which prints its help, and not `git status`.

Write `Bash(git status)` or, for all of it, `Bash(git *)`; the latter is wide for most of these programs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.checks.audit import Audit, about
from toolaudit.model import Finding, Severity

ID = "TA016"
SEVERITY = Severity.WARNING

NEED_ARGUMENTS: Final = frozenset(
    """
    apt apt-get aws az brew bun bundle cargo composer conda curl deno docker dotnet gcloud gem gh git go gradle helm
    kubectl mvn npm npx pip pip3 pipx pnpm podman poetry rustup scp ssh systemctl terraform uv wget yarn
    """.split()
)
"""Programs that do nothing of use without an argument."""


def find(audit: Audit) -> Iterator[Finding]:
    for rule, specifier in audit.commands():
        if specifier.strip() in NEED_ARGUMENTS:
            name = specifier.strip()
            yield about(
                rule,
                ID,
                SEVERITY,
                "{} covers no argument",
                f"write {rule.tool}({name} SUBCOMMAND *)",
                witness=f"{name} x",
            )
