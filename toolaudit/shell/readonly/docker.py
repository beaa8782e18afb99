"""The subcommands of docker that only read. No option may stand before the subcommand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from toolaudit.patterns import late
from toolaudit.shell.reading import Word
from toolaudit.shell.readonly.grammar import Anything, Flags
from toolaudit.shell.readonly.words import known

DAEMON_FLAGS = late(
    r"-[A-Za-z]*[Hcr].*"
    r"|--(?:config|connection|context|host|identity|module|out|remote|tlscacert|tlscert|tlskey|url)(?:=.*)?",
    re.DOTALL,
)


def other_daemon(argv: Sequence[Word]) -> str | None:
    """Global options of docker and podman name another daemon; so may a path in the home directory."""
    for word in argv[1:]:
        text = known(word)
        if text is None or word.text.startswith(("~", "'~", '"~')) or DAEMON_FLAGS.fullmatch(text):
            return f"{word.text} may be about another daemon"
    return None


def home_path(words: Sequence[str]) -> str | None:
    """A word that begins with `~`."""
    return next((f"{word} may be a path" for word in words if word.startswith("~")), None)


SUBCOMMANDS: Mapping[str, Anything | Flags] = MappingProxyType(
    {
        "images": Anything(globs=False, refusal=other_daemon),
        "ps": Anything(globs=False, refusal=other_daemon),
        "logs": Flags(
            switches="-f -t --details --follow --timestamps",
            texts="-n --since --tail --until",
            refusal=home_path,
        ),
        "inspect": Flags(
            switches="-s --size",
            texts="-f --format --type",
            refusal=home_path,
        ),
    }
)
