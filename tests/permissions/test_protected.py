"""Which names are protected from writing, and which forms of paths a person must look at; measured."""

from __future__ import annotations

import pytest

from toolaudit.permissions.protected import protection, suspicious

CWD = "/srv/app"

PROTECTED = """
.git/a s/.git/q/a .GIT/a .git .git:x .g\u200cit/a .config/git/c .CONFIG/Git/c x/.config/git .vscode/t .idea/x .husky/p
.cargo/c .devcontainer/d .yarn/r .mvn/w .claude/x .Claude/x s/.claude/x .claude/commands/a.md .claude/settings.json
.claude/agent-memory/x .claude/worktrees/a/.git/x .claude/worktrees/a/.bashrc .claude/worktrees/a/.claude/x
.gitconfig .gitmodules .bashrc F/.BASHRC .bashrc::$DATA .bash_profile .bash_login .bash_aliases .bash_logout .zshrc
.zprofile .zshenv .zlogin .zlogout .profile .envrc .npmrc .yarnrc .yarnrc.yml .pnp.cjs .pnp.loader.mjs .pnpmfile.cjs
bunfig.toml .bunfig.toml .bazelrc .bazelversion .bazeliskrc .pre-commit-config.yaml lefthook.yml lefthook.yaml
.lefthook.yml .lefthook.yaml LEFTHOOK.yml gradle/wrapper/gradle-wrapper.properties maven-wrapper.properties
.devcontainer.json .ripgreprc pyrightconfig.json .mcp.json .claude.json
"""

OPEN = """
.gitignore .gitattributes .gitx .git.x/a x.git/a .config/x .config/x/git/c .github/w .ssh/x .aws/x .env .bash_history
.bashrc.bak a.bashrc .bashrc~ .bashrc/x .gitconfig/x package.json Makefile CLAUDE.md mcp.json settings.json .hooks
lefthook.toml gradle-wrapper.jar .pre-commit-config.yml .claude/worktrees/a/b s/.claude/worktrees/a/b con CON.txt
"""

SUSPICIOUS = "a. a.. .../x a./b a~1 GIT~1/a a~12.txt a.con x.CON b.LPT1"

PLAIN = "a .a ..a con aux a.DOS a~b a.b.c x~ con.txt"


@pytest.mark.parametrize("name", PROTECTED.split())
def test_protected(name: str) -> None:
    assert protection(f"{CWD}/{name}", CWD) is not None


@pytest.mark.parametrize("name", OPEN.split())
def test_open(name: str) -> None:
    assert protection(f"{CWD}/{name}", CWD) is None


@pytest.mark.parametrize("name", SUSPICIOUS.split())
def test_suspicious(name: str) -> None:
    assert suspicious(f"{CWD}/{name}")
    assert protection(f"{CWD}/{name}", CWD) is not None


@pytest.mark.parametrize("name", PLAIN.split())
def test_plain(name: str) -> None:
    assert not suspicious(f"{CWD}/{name}")


def test_blanks_at_the_end_of_a_segment() -> None:
    assert suspicious(f"{CWD}/a /b")
    assert not suspicious(f"{CWD}/ b/c d")


def test_managed_settings_are_protected() -> None:
    assert protection("/etc/claude-code/managed-settings.json", CWD) is not None
