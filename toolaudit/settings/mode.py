from __future__ import annotations

from toolaudit.model import Mode, Policy


def effective_mode(policy: Policy, flag: Mode | None = None) -> tuple[Mode, str]:
    """The mode a session under `policy` starts in, and why; `flag` is the mode asked for on the command line.

    A mode asked for by flag beats every `defaultMode`, the managed one too. Where bypassPermissions is disabled, asking
    for it counts as not asking; where auto is disabled, asking for it gives the default mode (measured). Without any
    word the mode is default: that is a session without terminal; a terminal may start in auto (documents, 6.7).
    """
    if flag is Mode.AUTO and policy.auto_disabled:
        return Mode.DEFAULT, "auto, asked for by flag, is disabled by the settings"
    if flag is not None and not (flag is Mode.BYPASS and policy.bypass_disabled):
        return flag, "asked for by flag"
    refused = "" if flag is None else "bypassPermissions, asked for by flag, is disabled by the settings; "
    mode = policy.mode
    if mode is None:
        return Mode.DEFAULT, f"{refused}no settings name a mode"
    why = f"{refused}defaultMode in {policy.mode_source}"
    if (mode is Mode.BYPASS and policy.bypass_disabled) or (mode is Mode.AUTO and policy.auto_disabled):
        return Mode.DEFAULT, f"{why} is {mode}, which the settings disable"
    return mode, why
