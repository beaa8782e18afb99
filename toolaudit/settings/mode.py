from __future__ import annotations

from toolaudit.model import Mode, Policy


def effective_mode(policy: Policy, flag: Mode | None = None) -> tuple[Mode, str]:
    """The mode a session under `policy` starts in, and why; `flag` is the mode asked for on the command line."""
    wanted, why = (flag, "asked for by flag") if flag is not None else (policy.mode, f"set in {policy.mode_source}")
    if wanted is None:
        return Mode.DEFAULT, "no settings name a mode"
    if wanted is Mode.BYPASS and policy.bypass_disabled:
        return Mode.DEFAULT, f"bypassPermissions, {why}, is disabled by the settings"
    if wanted is Mode.AUTO and policy.auto_disabled:
        return Mode.DEFAULT, f"auto, {why}, is disabled by the settings"
    return wanted, why
