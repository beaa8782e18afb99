from __future__ import annotations

import argparse

EXAMPLES = """\
examples:
  toolaudit completion bash > ~/.local/share/bash-completion/completions/toolaudit
  toolaudit completion zsh > "${fpath[1]}/_toolaudit"
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("shell", choices=("bash", "zsh", "tcsh"))


def run(args: argparse.Namespace) -> int:
    import shtab

    from toolaudit.cli import build_parser

    print(shtab.complete(build_parser(), args.shell))
    return 0
