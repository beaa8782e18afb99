"""The top-level keys of a settings file that the client knows and no decision here depends on.

From the documents' reference of all settings; a name that is in neither this list nor `schema.SCHEMA` is reported.
"""

from __future__ import annotations

UNMODELLED = frozenset(
    """
    $schema advisorModel agent agentPushNotifEnabled allowAllClaudeAiMcps allowClaudeInChromeWithManagedMcp
    allowManagedMcpServersOnly allowedChannelPlugins allowedHttpHookUrls allowedMcpServers allowedProviders
    alwaysThinkingEnabled apiKeyHelper appendPlugins askUserQuestionTimeout attribution autoCompactEnabled
    autoCompactWindow autoConnectIde autoContinueAtUsageLimit autoDreamEnabled autoInstallIdeExtension
    autoMemoryDirectory autoMemoryEnabled autoScrollEnabled autoUpdatesChannel availableModels availableModelsMatch
    awaySummaryEnabled awsAuthRefresh awsCredentialExport axScreenReader bashEditDiffEnabled bashOutputMaxChars
    blockedMarketplaces browserExternalPageTools channelsEnabled claudeInChromeDefaultEnabled claudeMd
    claudeMdExcludes cleanupPeriodDays companyAnnouncements copyFullResponse copyOnSelect crossSessionInbound
    defaultShell defaultToAgentsView deniedMcpServers deniedModels desktopSessionCleanupPeriodDays dialogExpiry
    diffTool disableAgentView disableArtifact disableBrowserExternalNavigation disableBundledSkills
    disableClaudeAiConnectors disableCommandPluginSources disableDeepLinkRegistration disableDesktopLocalSessions
    disableMobileSimulatorTools disableRemoteControl disableSideloadFlags disableSkillShellExecution
    disableWorkflows disabledMcpjsonServers editorMode effortLevel emojiCompletionEnabled
    enableArtifact enableWorkflows enabledMcpjsonServers enabledPlugins
    enforceAvailableModels env externalEditorContext extraKnownMarketplaces fallbackModel fastMode
    fastModePerSessionOptIn feedbackDrafts feedbackSurveyRate feedbackSurveyState fileCheckpointingEnabled
    fileSuggestion footerLinksRegexes forceLoginGatewayUrl forceLoginMethod forceLoginOrgUUID
    forceRemoteSettingsRefresh gatewayInternalNetworks gcpAuthRefresh httpHookAllowedEnvVars includeCoAuthoredBy
    includeGitInstructions inputNeededNotifEnabled isolatePeerMachines keybindingFlavor language
    leftArrowOpensAgents managedMcpServers managedSourcesBehavior maxEffortLevel maxProseWidth minimumVersion model
    modelOverrides modelPicker modelPricing modelSettings otelHeadersHelper outputStyle parentSettingsBehavior
    permissionExplainerEnabled plansDirectory pluginConfigs pluginSuggestionMarketplaces pluginTrustMessage
    policyHelper prStatusFooterEnabled prUrlTemplate preferredNotifChannel prefersReducedMotion prependPlugins
    processWrapper promptCacheTtl promptSuggestionEnabled remote remoteControlAtStartup requiredMaximumVersion
    requiredMinimumVersion respectGitignore respondToBashCommands showClearContextOnPlanAccept
    showThinkingSummaries showTurnDuration skillListingBudgetFraction skillListingMaxDescChars skillOverrides
    skipAutoPermissionPrompt skipDangerousModePermissionPrompt skipWebFetchPreflight skipWorkflowUsageWarning
    spellcheck spinnerTipsEnabled spinnerTipsOverride spinnerVerbs sshConfigs sshHostAllowlist statusLine
    strictKnownMarketplaces strictPluginOnlyCustomization subagentPromptCacheTtl subagentStatusLine
    switchModelsOnFlag syncClaudeAiPlugins syncClaudeAiSkills syntaxHighlightingDisabled taskOutputMaxChars
    teammateDefaultModel teammateMode terminalProgressBarEnabled terminalTitleFromRename theme timeFormat timeZone
    tui ultracode verbose viewMode vimInsertModeRemaps voice voiceEnabled wheelScrollAccelerationEnabled
    workflowKeywordTriggerEnabled workflowSizeGuideline worktree wslInheritsWindowsSettings
    """.split()
)
