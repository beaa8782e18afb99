from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from toolaudit.cli.extras import extra
from toolaudit.cli.policy import MODES, add_policy_options, add_version_option, load_policy

if TYPE_CHECKING:
    from toolaudit.pipeline.prompting import Question
    from toolaudit.pipeline.state import Hooks
    from toolaudit.play.player import Played
    from toolaudit.play.script import Script
    from toolaudit.play.workspace import Ground
    from toolaudit.tools.context import ToolUseContext
    from toolaudit.tools.effects.commands import Runner
    from toolaudit.tools.registry import AnyTool

EXAMPLES = """\
examples:
  toolaudit run script.yaml --workspace . --policy .
  toolaudit run script.yaml --workspace . --policy . --answer allow --transcript session.jsonl
  toolaudit run session.jsonl --workspace . --deny 'Bash(git push *)' --json

Plays a script of calls live, through all fourteen steps, in a copy of the workspace: files are read and written there,
commands run in a sandbox without network. Without a sandbox on this system, commands fail, unless --no-sandbox asks
for your own rights. The policy's hooks and the workspace's MCP servers run only when asked for.

A script is a list of steps:

  - prompt: Fix the tests           # a person says something
  - mode: acceptEdits               # ... or changes the mode
  - meanwhile: {a.py: "x = 2"}      # somebody else writes a file; null removes it
  - wait: 0.5                       # seconds go by
  - call: {Read: {file_path: a.py}}
  - calls:                          # the calls of one message
      - Read: {file_path: "{cwd}/a.py"}
      - {tool: Bash, input: {command: make}, answer: allow}

An Agent call may have `steps`, `report` and `mode`. All of it: `toolaudit schema script`.

exit codes: 0 every call was carried out, 1 some were not, 2 wrong usage, 3 a policy that can't be read
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("script", metavar="SCRIPT", help="a script (YAML or JSON) or a recorded session (.jsonl)")
    parser.add_argument("--workspace", metavar="DIR", type=Path, help="what is copied (default: an empty directory)")
    parser.add_argument("--keep", metavar="DIR", type=Path, help="make the copy there, and leave it")
    parser.add_argument("--mode", choices=MODES, help="the mode to begin in (default: the script's, or the policy's)")
    parser.add_argument(
        "--answer", choices=("deny", "allow", "ask-me"), default="deny", help="to prompts the script has no answer for"
    )
    parser.add_argument("--classifier", choices=("unavailable", "allow", "block"), default="unavailable")
    parser.add_argument("--coordinator", action="store_true", help="run the agents of one message side by side")
    parser.add_argument("--run-hooks", action="store_true", help="run the policy's hooks, in the sandbox")
    parser.add_argument("--mcp", action="store_true", help="start the servers of the workspace's .mcp.json")
    parser.add_argument(
        "--allow-host", metavar="HOST", action="append", default=[], help="let HTTP hooks and servers go there"
    )
    parser.add_argument(
        "--env",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        type=_variable,
        help="a variable of the session, for its tools and for ${NAME} in .mcp.json; none is taken from yours",
    )
    parser.add_argument("--no-sandbox", action="store_true", help="run commands with your own rights")
    parser.add_argument("--transcript", metavar="FILE", type=Path, help="write the session in Claude Code's format")
    parser.add_argument("--trace", action="store_true", help="show every step that each call went through, of fourteen")
    parser.add_argument("--json", action="store_true", help="print one JSON object a call")
    add_version_option(parser)
    add_policy_options(parser)


def _variable(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not (separator and name.isidentifier()):
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, got {text!r}")
    return name, value


def run(args: argparse.Namespace) -> int:
    with extra("tools"):
        from toolaudit.play.workspace import WorkspaceError, prepare
        from toolaudit.testing.errors import PolicyTestError
        from toolaudit.tools.mcp.servers import ServerError

    try:
        script = _script(args.script)
        with prepare(args.workspace, args.keep) as ground:
            return _play(args, script, ground)
    except PolicyTestError as error:
        print(error, file=sys.stderr)
    except (WorkspaceError, ServerError) as error:
        print(f"toolaudit run: {error}", file=sys.stderr)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        print(f"toolaudit run: {error.filename}: {(error.strerror or str(error)).lower()}", file=sys.stderr)
    return 2


def _script(path: str) -> Script:
    if path.endswith((".jsonl", ".jsonl.gz")):
        from toolaudit.play.recorded import script_of
        from toolaudit.play.workspace import WorkspaceError

        os.stat(path)  # noqa: PTH116 (a missing file is wrong usage here, not a problem of reading)
        recorded = script_of([path])
        if not recorded.steps:
            raise WorkspaceError(f"{path}: no call of the main agent is recorded there")
        return recorded
    from toolaudit.play import script

    return script.read(Path(path).read_bytes(), path)


def _play(args: argparse.Namespace, script: Script, ground: Ground) -> int:
    from toolaudit.pipeline.live import Services
    from toolaudit.pipeline.stated import Fixed, StatedHooks
    from toolaudit.play.answers import Answers
    from toolaudit.play.player import Player
    from toolaudit.play.transcript import Transcript
    from toolaudit.reporting import play as report
    from toolaudit.tools.effects.commands import Unconfined, find_runner

    runner = Unconfined() if args.no_sandbox else find_runner()
    hooks: Hooks = StatedHooks()
    if args.run_hooks:
        from toolaudit.pipeline.hooks.live import LiveHooks

        hooks = LiveHooks(runner, frozenset(args.allow_host))
    with contextlib.ExitStack() as stack:
        served = stack.enter_context(_servers(args, ground, runner))
        context = _context(args, script, ground, served, runner)
        if context is None:
            return 3
        transcript = None
        if args.transcript is not None:
            transcript = stack.enter_context(Transcript(args.transcript, str(ground.cwd)))
        writer = report.Writer(sys.stdout, str(ground.cwd), steps=args.trace)

        def hear(played: Played) -> None:
            if args.json:
                print(json.dumps(report.record(played)), flush=True)
            else:
                writer.call(played)

        answers = Answers(args.answer, _ask)
        services = Services(hooks=hooks, classifier=Fixed(args.classifier))
        player = Player(ground, context, services, answers, transcript, hear)
        stop = player.play(script)
    if not args.json:
        writer.end(player.played, len(answers.asked), stop)
    if args.keep is not None:
        print(f"the workspace is in {ground.cwd}", file=sys.stderr)
    done = all(played.outcome.executed and played.outcome.error_class is None for played in player.played)
    return 0 if done and stop is None else 1


def _context(
    args: argparse.Namespace, script: Script, ground: Ground, served: tuple[AnyTool, ...], runner: Runner
) -> ToolUseContext | None:
    from toolaudit.model import Mode
    from toolaudit.model.workspace import RealWorkspace
    from toolaudit.settings import effective_mode
    from toolaudit.tools.context import Options, PermissionContext, ToolUseContext
    from toolaudit.tools.registry import assemble_tool_pool

    policy = load_policy(args, cwd=str(ground.cwd), home=str(ground.home))
    if policy is None:
        return None
    asked = Mode.parse(args.mode) if args.mode else script.mode
    mode, _ = effective_mode(policy, asked)
    workspace = RealWorkspace(str(ground.cwd), str(ground.home), trusted=not args.untrusted)
    permissions = PermissionContext(policy, mode, workspace)
    options = Options(
        tools=assemble_tool_pool(permissions, served),
        interactive=args.answer == "ask-me",
        coordinator=args.coordinator,
        results_directory=str(ground.results),
        environment=dict(args.env),
        version=args.client_version,
        runner=runner,
    )
    return ToolUseContext(permissions, options)


@contextlib.contextmanager
def _servers(args: argparse.Namespace, ground: Ground, runner: Runner) -> Iterator[tuple[AnyTool, ...]]:
    """The tools of the workspace's MCP servers, where they were asked for."""
    if not args.mcp:
        yield ()
        return
    with extra("mcp"):
        from toolaudit.tools.mcp.connection import connect
        from toolaudit.tools.mcp.servers import read
        from toolaudit.tools.mcp.tool import tools_of
    servers = read(ground.cwd / ".mcp.json", dict(args.env))
    with connect(servers, runner, str(ground.cwd), args.allow_host) as connections:
        yield tuple(tool for connection in connections for tool in tools_of(connection))


def _ask(question: Question) -> bool:
    """Asks the person at the terminal. The end of the input is a no."""
    from toolaudit.replay.subject import subject
    from toolaudit.reporting.text import plain

    who = f"sub-agent {question.agent}, " if question.agent else ""
    print(plain(f"{who}{question.call.tool}: {subject(question.call)}"), file=sys.stderr)
    print(plain(f"  {question.decision.why}"), file=sys.stderr)
    print("Let it run? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
