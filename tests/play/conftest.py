from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from toolaudit import CLIENT_VERSION
from toolaudit.model import Mode, Policy
from toolaudit.model.versions import Version
from toolaudit.model.workspace import RealWorkspace
from toolaudit.pipeline.live import Services
from toolaudit.play import script
from toolaudit.play.answers import Answers
from toolaudit.play.player import Played, Player
from toolaudit.play.workspace import Ground, prepare
from toolaudit.settings import load
from toolaudit.tools.context import Options, PermissionContext, ToolUseContext
from toolaudit.tools.effects.commands import Refusing, find_runner
from toolaudit.tools.registry import assemble_tool_pool


@pytest.fixture
def ground() -> Iterator[Ground]:
    if isinstance(find_runner(), Refusing):
        pytest.skip("playing commands needs bubblewrap")
    with prepare(None) as ground:
        yield ground


Play = Callable[..., list[Played]]


@pytest.fixture
def play(ground: Ground) -> Play:
    """Plays a script's text in an empty workspace and gives the calls."""

    def played(
        text: str,
        *,
        allow: tuple[str, ...] = (),
        deny: tuple[str, ...] = (),
        answers: Answers | None = None,
        version: str = CLIENT_VERSION,
    ):
        policy: Policy = load(cli_allow=allow, cli_deny=deny, home=str(ground.home), cwd=str(ground.cwd))
        permissions = PermissionContext(policy, Mode.DEFAULT, RealWorkspace(str(ground.cwd), str(ground.home)))
        options = Options(
            tools=assemble_tool_pool(permissions, ()),
            results_directory=str(ground.results),
            version=Version.parse(version),
        )
        player = Player(ground, ToolUseContext(permissions, options), Services(), answers or Answers())
        player.play(script.read(text.encode(), "script.yaml"))
        return player.played

    return played
