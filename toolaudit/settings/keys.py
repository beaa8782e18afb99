"""The top-level keys that the client knows and no decision here depends on, by the type it insists on.

The names are those of the documents' reference of all settings; the types were measured: a value of another type costs
the whole file. The client also insists on the words of some strings and on the inside of some objects; of that only
what stands here is held against a file. A newcomer adds a key to the block of its type.
"""

from __future__ import annotations

from toolaudit.settings.kinds import (
    ANYTHING,
    BOOLEAN,
    COUNT,
    COUNT_OR_ZERO,
    LIST,
    OBJECT,
    OBJECTS,
    SHARE,
    SHARE_ABOVE_ZERO,
    STRING,
    STRINGS,
    Either,
    Fields,
    Kind,
    MapOf,
    Word,
)

_BOOLEANS = """
    agentPushNotifEnabled allowAllClaudeAiMcps allowClaudeInChromeWithManagedMcp allowManagedMcpServersOnly
    alwaysThinkingEnabled autoCompactEnabled autoContinueAtUsageLimit autoDreamEnabled autoMemoryEnabled
    autoScrollEnabled awaySummaryEnabled axScreenReader bashEditDiffEnabled channelsEnabled disableAgentView
    disableArtifact disableBundledSkills disableClaudeAiConnectors disableCommandPluginSources disableRemoteControl
    disableSideloadFlags disableSkillShellExecution disableWorkflows emojiCompletionEnabled enableArtifact
    enableWorkflows enforceAvailableModels fastMode fastModePerSessionOptIn fileCheckpointingEnabled
    forceRemoteSettingsRefresh includeCoAuthoredBy includeGitInstructions inputNeededNotifEnabled
    isolatePeerMachines prefersReducedMotion promptSuggestionEnabled remoteControlAtStartup respectGitignore
    respondToBashCommands showClearContextOnPlanAccept showThinkingSummaries showTurnDuration
    skipAutoPermissionPrompt skipDangerousModePermissionPrompt skipWebFetchPreflight skipWorkflowUsageWarning
    spinnerTipsEnabled switchModelsOnFlag syncClaudeAiPlugins syncClaudeAiSkills syntaxHighlightingDisabled
    terminalProgressBarEnabled terminalTitleFromRename verbose voiceEnabled wheelScrollAccelerationEnabled
    workflowKeywordTriggerEnabled wslInheritsWindowsSettings
"""

_STRINGS = """
    $schema advisorModel agent apiKeyHelper autoMemoryDirectory autoUpdatesChannel awsAuthRefresh
    awsCredentialExport claudeMd defaultShell disableDeepLinkRegistration feedbackDrafts gcpAuthRefresh language
    managedSourcesBehavior minimumVersion model otelHeadersHelper outputStyle parentSettingsBehavior plansDirectory
    pluginTrustMessage processWrapper prUrlTemplate requiredMaximumVersion requiredMinimumVersion timeFormat
    timeZone tui workflowSizeGuideline
"""

_OBJECTS = """
    env fileSuggestion remote skillOverrides spinnerVerbs voice worktree
"""

_STRING_LISTS = """
    allowedHttpHookUrls availableModels claudeMdExcludes companyAnnouncements fallbackModel httpHookAllowedEnvVars
    pluginSuggestionMarketplaces
"""

_UNCHECKED = """
    allowedMcpServers allowedProviders appendPlugins askUserQuestionTimeout autoCompactWindow autoConnectIde
    autoInstallIdeExtension availableModelsMatch bashOutputMaxChars browserExternalPageTools
    claudeInChromeDefaultEnabled copyFullResponse copyOnSelect crossSessionInbound defaultToAgentsView
    deniedMcpServers deniedModels dialogExpiry diffTool disableBrowserExternalNavigation disableDesktopLocalSessions
    disableMobileSimulatorTools editorMode effortLevel externalEditorContext extraKnownMarketplaces
    feedbackSurveyState footerLinksRegexes forceLoginGatewayUrl forceLoginMethod gatewayInternalNetworks
    keybindingFlavor leftArrowOpensAgents managedMcpServers maxEffortLevel maxProseWidth modelPicker modelPricing
    modelSettings permissionExplainerEnabled policyHelper preferredNotifChannel prependPlugins promptCacheTtl
    prStatusFooterEnabled spellcheck spinnerTipsOverride sshHostAllowlist strictPluginOnlyCustomization
    subagentPromptCacheTtl subagentStatusLine taskOutputMaxChars teammateDefaultModel teammateMode theme ultracode
    viewMode vimInsertModeRemaps
"""

_BLOCKS: tuple[tuple[str, Kind], ...] = (
    (_BOOLEANS, BOOLEAN),
    (_STRINGS, STRING),
    (_OBJECTS, OBJECT),
    (_STRING_LISTS, STRINGS),
    (_UNCHECKED, ANYTHING),
)

UNMODELLED: dict[str, Kind] = {
    **{key: kind for block, kind in _BLOCKS for key in block.split()},
    "allowedChannelPlugins": OBJECTS,
    "attribution": Either(BOOLEAN, Fields({"commit": STRING, "pr": STRING}, open=True)),
    "blockedMarketplaces": OBJECTS,
    "cleanupPeriodDays": COUNT,
    "desktopSessionCleanupPeriodDays": COUNT_OR_ZERO,
    "disabledMcpjsonServers": Either(STRING, STRINGS),
    "enabledMcpjsonServers": Either(STRING, STRINGS),
    "enabledPlugins": MapOf(Either(BOOLEAN, LIST)),
    "feedbackSurveyRate": SHARE,
    "forceLoginOrgUUID": Either(STRING, STRINGS),
    "modelOverrides": MapOf(STRING),
    "pluginConfigs": MapOf(OBJECT),
    "skillListingBudgetFraction": SHARE_ABOVE_ZERO,
    "skillListingMaxDescChars": COUNT,
    "sshConfigs": OBJECTS,
    "statusLine": Fields({"type": Word(("command",)), "command": STRING}, required=frozenset({"type"}), open=True),
    "strictKnownMarketplaces": OBJECTS,
}
