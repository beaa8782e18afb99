"""The shape of the settings that decide. Measured, as far as the client looks at it."""

from __future__ import annotations

from toolaudit.settings.keys import UNMODELLED
from toolaudit.settings.kinds import ANYTHING, BOOLEAN, NUMBER, OBJECT, STRING, STRINGS, Fields, ListOf, Word

RULES = ListOf(STRING, lenient=True)
DISABLE = Word(("disable",))

PERMISSIONS = Fields(
    {
        "allow": RULES,
        "ask": RULES,
        "deny": RULES,
        "defaultMode": Word(("default", "manual", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions")),
        "additionalDirectories": STRINGS,
        "disableBypassPermissionsMode": DISABLE,
        "disableAutoMode": DISABLE,
        "blockReadsOutsideWorkingDirectories": BOOLEAN,
        "blockWritesOutsideWorkingDirectories": BOOLEAN,
        "denyInsteadOfPrompting": BOOLEAN,
    }
)

SANDBOX = Fields(
    {
        "enabled": BOOLEAN,
        "autoAllowBashIfSandboxed": BOOLEAN,
        "allowUnsandboxedCommands": BOOLEAN,
        "failIfUnavailable": BOOLEAN,
        "excludedCommands": STRINGS,
        "filesystem": Fields(
            {
                "allowWrite": STRINGS,
                "denyWrite": STRINGS,
                "denyRead": STRINGS,
                "allowRead": STRINGS,
                "allowManagedReadPathsOnly": BOOLEAN,
                "disabled": BOOLEAN,
            }
        ),
        "network": Fields(
            {
                "allowedDomains": STRINGS,
                "deniedDomains": STRINGS,
                "strictAllowlist": BOOLEAN,
                "allowAllUnixSockets": BOOLEAN,
                "allowLocalBinding": BOOLEAN,
                "allowMachLookup": STRINGS,
                "allowManagedDomainsOnly": BOOLEAN,
                "allowUnixSockets": STRINGS,
                "httpProxyPort": NUMBER,
                "socksProxyPort": NUMBER,
                "tlsTerminate": OBJECT,
            }
        ),
        "allowAppleEvents": BOOLEAN,
        "bwrapPath": ANYTHING,
        "credentials": OBJECT,
        "enableWeakerNestedSandbox": BOOLEAN,
        "enableWeakerNetworkIsolation": BOOLEAN,
        "ignoreViolations": OBJECT,
        "ripgrep": OBJECT,
        "socatPath": ANYTHING,
    }
)

AUTO_MODE = Fields(
    {
        "environment": STRINGS,
        "allow": STRINGS,
        "soft_deny": STRINGS,
        "hard_deny": STRINGS,
        "classifyAllShell": BOOLEAN,
    }
)

SETTINGS = Fields(
    {
        **UNMODELLED,
        "permissions": PERMISSIONS,
        "sandbox": SANDBOX,
        "autoMode": AUTO_MODE,
        "allowManagedPermissionRulesOnly": BOOLEAN,
        "allowManagedHooksOnly": BOOLEAN,
        "disableAllHooks": BOOLEAN,
        "disableAutoMode": DISABLE,
        "enableAllProjectMcpServers": BOOLEAN,
        "hooks": ANYTHING,
        "useAutoModeDuringPlan": BOOLEAN,
    }
)
"""All of a settings file but `hooks`, which `hooks.read` checks."""

SECTIONS = (("permissions", PERMISSIONS), ("sandbox", SANDBOX), ("", SETTINGS))
"""Where a key that stands in the wrong place may belong."""
