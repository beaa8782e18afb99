from __future__ import annotations

import argparse
import json

EXAMPLES = """\
examples:
  toolaudit schema > toolaudit.schema.json
  toolaudit schema script > script.schema.json

Editors check a test file against it by its first line:  # yaml-language-server: $schema=toolaudit.schema.json

exit codes: 0 done, 2 wrong usage
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument(
        "of",
        nargs="?",
        choices=("tests", "script"),
        default="tests",
        help="tests: a *.toolaudit.yaml file (default); script: what `toolaudit run` plays",
    )


def run(args: argparse.Namespace) -> int:
    if args.of == "script":
        from toolaudit.play import schema as script

        print(json.dumps(script.json_schema(), indent=2))
        return 0
    from toolaudit.testing.schema import json_schema

    print(json.dumps(json_schema(), indent=2))
    return 0
