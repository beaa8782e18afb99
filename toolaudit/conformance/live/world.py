"""What a batch of calls is asked in: files, links, settings, stated hooks, MCP servers, flags and environment."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from toolaudit.conformance.cases import CWD, HOME, Case
from toolaudit.conformance.live import programs
from toolaudit.conformance.live.isolation import MANAGED
from toolaudit.conformance.live.programs import PATH

ROOT = Path(CWD).parent
SHELL = ROOT / "bin/bash"
HOOKS = ROOT / "hooks"
ENVIRONMENT = {
    "ANTHROPIC_API_KEY": "sk-loopback-only",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_TELEMETRY": "1",
    "HOME": HOME,
    "IS_SANDBOX": "1",  # without it, root may not use bypassPermissions
    "LANG": "C.UTF-8",
    "TERM": "dumb",
}
"""All of the client's environment, but for its shell, the way to programs, the model's address and what a case adds."""
SHELL_ENVIRONMENT = {"SHELL": str(SHELL), "CLAUDE_CODE_SHELL": str(SHELL)}
SETTINGS = {
    "user": Path(HOME, ".claude/settings.json"),
    "project": Path(CWD, ".claude/settings.json"),
    "local": Path(CWD, ".claude/settings.local.json"),
    "managed": MANAGED / "managed-settings.json",
    "flag": ROOT / "flag.json",
}
RULE_FLAGS = (("--allowedTools", "allow"), ("--disallowedTools", "deny"))


@dataclass(frozen=True, slots=True)
class World:
    """The part of a case that calls in one client process share: everything but the tool and its input."""

    settings: Mapping[str, Any]
    mode: str | None
    trusted: bool
    files: Mapping[str, str]
    links: Mapping[str, str]
    git: bool
    start: str
    mcp: Mapping[str, tuple[str, ...]]
    hooks: tuple[Mapping[str, Any], ...]
    env: Mapping[str, str]
    args: tuple[str, ...]

    @classmethod
    def of(cls, case: Case) -> World:
        """The world of a case."""
        return cls(**{name: getattr(case, name) for name in cls.__slots__})

    @classmethod
    def empty(cls) -> World:
        """A world with nothing in it but a repository."""
        return cls({}, None, True, {}, {}, True, CWD, {}, (), {}, ())

    @property
    def key(self) -> str:
        """Equal for worlds that are built alike: the world as JSON."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_key(cls, key: str) -> World:
        """The world that `key` was made of."""
        return cls(**json.loads(key))


@dataclass(frozen=True, slots=True)
class Launch:
    """How the client is started in a world that was built."""

    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    directory: str


def build(world: World, url: str) -> Launch:
    """Makes the files of `world`, whose model and MCP servers answer at `url`; inside a chamber only.

    Raises OSError where a file can't be made, as outside the working and the home directory.
    """
    Path(HOME, ".claude").mkdir(parents=True)
    Path(CWD).mkdir()
    if world.git:
        subprocess.run(["git", "init", "-q", CWD], env={"PATH": PATH, "HOME": HOME}, check=True)
    for path, text in world.files.items():
        _write(Path(CWD, path), text)
    for path, target in world.links.items():
        Path(CWD, path).parent.mkdir(parents=True, exist_ok=True)
        Path(CWD, path).symlink_to(target)
    if world.trusted:
        _write(Path(HOME, ".claude.json"), json.dumps({"projects": {CWD: {"hasTrustDialogAccepted": True}}}))
    # INVARIANT: what follows is made after the files and links of the case, which so can't stand in its place.
    SHELL.parent.mkdir()
    SHELL.touch(exist_ok=False)
    programs.put_stub(SHELL)
    arguments = [*world.args, *_settings(world)]
    if world.mcp:
        servers = {name: {"type": "http", "url": f"{url}/mcp/{n}"} for n, name in enumerate(world.mcp)}
        _write(ROOT / "mcp.json", json.dumps({"mcpServers": servers}))
        arguments += ["--mcp-config", str(ROOT / "mcp.json"), "--strict-mcp-config"]
    if world.mode:
        arguments += ["--permission-mode", world.mode]
    environment = {**ENVIRONMENT, **world.env, **SHELL_ENVIRONMENT, "ANTHROPIC_BASE_URL": url}
    return Launch(tuple(arguments), environment, world.start)


def _settings(world: World) -> list[str]:
    """Writes the settings of each scope; what the command line says is returned."""
    arguments = []
    scopes = dict(world.settings)
    rules = (scopes.pop("cli", None) or {}).get("permissions") or {}
    for flag, key in RULE_FLAGS:
        if rules.get(key):
            arguments += [flag, *rules[key]]
    if world.hooks:
        HOOKS.mkdir()
        programs.answer_hooks(HOOKS / "shell")
        scopes["flag"] = _with_hooks(scopes.get("flag") or {}, world.hooks)
    for scope, settings in scopes.items():
        _write(SETTINGS[scope], settings if isinstance(settings, str) else json.dumps(settings))
    if "flag" in scopes:
        arguments += ["--settings", str(SETTINGS["flag"])]
    return arguments


def _with_hooks(settings: Mapping[str, Any], stated: tuple[Mapping[str, Any], ...]) -> dict[str, Any]:
    """`settings` with a command for each stated verdict, and the verdict where the command finds it."""
    hooks: dict[str, list[object]] = dict(settings.get("hooks") or {})
    for number, hook in enumerate(stated):
        event = hook.get("event", "PreToolUse")
        _write(HOOKS / f"{number}.json", json.dumps(_verdict(event, hook)))
        command = {"type": "command", "command": f"{programs.VERDICT} {number}"}
        if "if" in hook:
            command["if"] = hook["if"]
        hooks[event] = [*hooks.get(event, ()), {"matcher": hook.get("matcher", ""), "hooks": [command]}]
    return {**settings, "hooks": hooks}


def _verdict(event: str, hook: Mapping[str, Any]) -> dict[str, Any]:
    if hook.get("exit_code"):
        return {"exit_code": int(hook["exit_code"]), "output": ""}
    specific = {"hookEventName": event}
    for key, name in (("decision", "permissionDecision"), ("updated_input", "updatedInput")):
        if key in hook:
            specific[name] = hook[key]
    output = json.dumps({"hookSpecificOutput": specific, **(hook.get("json") or {})})
    return {"exit_code": 0, "output": output}


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
