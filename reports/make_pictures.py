"""Makes the pictures and the sample report: python reports/make_pictures.py

What is in them is what the commands print; nothing is drawn by hand.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from toolaudit.cli import main

HERE = Path(__file__).parent
SHOWN = (
    ("replay", ("replay", "corpora/sessions", "--policy", "corpora/policies/team", "--show", "2"), 40),
    ("check", ("check", "cd build && rm -rf *", "--policy", "corpora/policies/team"), 40),
)
REPORT = ("report", "corpora/sessions", "--policy", "corpora/policies/team", "--html", "reports/team.html")


def picture(name: str, arguments: tuple[str, ...], lines: int) -> None:
    """The first `lines` lines that a command prints, as an SVG of the terminal."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        main(arguments)
    command = " ".join(f"'{word}'" if " " in word else word for word in ("toolaudit", *arguments))
    console = Console(record=True, width=120, file=io.StringIO(), force_terminal=True)
    console.print(Text(f"$ {command}", style="bold"))
    shown = printed.getvalue().splitlines()
    console.print(Text.from_ansi("\n".join(shown[:lines])))
    svg = console.export_svg(title=f"toolaudit {name}", theme=MONOKAI, unique_id=f"toolaudit-{name}")
    # The fonts that rich names would be fetched from elsewhere.
    (HERE / f"{name}.svg").write_text(re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL), encoding="utf-8")


if __name__ == "__main__":
    os.chdir(HERE.parent)
    os.environ |= {"FORCE_COLOR": "1", "COLUMNS": "120"}
    for name, arguments, lines in SHOWN:
        picture(name, arguments, lines)
    main(REPORT)
