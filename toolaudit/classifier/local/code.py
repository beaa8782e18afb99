"""What a program text in another language than the shell's says of itself: phrases, one row each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolaudit.classifier.local.concern import Concern
from toolaudit.patterns import late

_FETCH = r"urlopen|requests\.get|https?['\")]*\.get|fetch\(|LWP|Net::HTTP|open-uri|axios|urllib"

_TABLE: Final[tuple[tuple[str, str, str], ...]] = (
    ("remote-code", rf"(?s)\A(?=.*\b(?:exec|eval)\b)(?=.*(?:{_FETCH}))", "it evaluates what a server returns"),
    (
        "opaque",
        r"(?s)\A(?=.*\b(?:exec|eval|compile|Function)\b)(?=.*(?:b64decode|fromhex|unhexlify|Buffer\.from|"
        r"atob|chr\(|\bpack\(|codecs\.decode|marshal\.|zlib\.|\[::-1\]|\breverse\b))",
        "what it evaluates is hidden in an encoding",
    ),
    (
        "opaque",
        r"\b(?:exec|eval)\s*\(\s*(?:input|open|sys\.stdin|compile|__import__)",
        "what it evaluates can't be told",
    ),
    (
        "network-exposure",
        r"(?s)\A(?=.*socket)(?=.*(?:dup2|pty\.spawn|/bin/(?:ba)?sh))",
        "it opens a shell to somewhere else",
    ),
    (
        "exfiltration",
        r"(?s)\A(?=.*(?:\.post\(|\.put\(|urlopen\(|sendall|smtplib|fetch\())(?=.*(?:\.ssh|id_rsa|\.aws|"
        r"\.env\b|environ|\.netrc|\.gnupg|passwd|credentials))",
        "it sends secrets away",
    ),
    (
        "publication",
        r"requests\.(?:post|put|patch|delete)\(\s*['\"]https?://(?!localhost|127\.0\.0\.1)",
        "it sends something to another machine",
    ),
    (
        "destruction",
        r"shutil\.rmtree|os\.(?:remove|unlink|removedirs)|fs\.(?:rm|rmdir|unlink)(?:Sync)?\(|FileUtils\.rm|"
        r"\bunlink\b|rimraf",
        "it removes files",
    ),
    (
        "credential-exposure",
        r"\bENV\.(?:to_|inspect|each|map|select|sort|filter|values)|\bgetenv\(\)|\bprint_r\(\$_(?:ENV|SERVER)|process\.env\s*(?:\)|;|\Z)|print\([^)]{0,200}environ|\.aws/credentials|\.ssh/id_|"
        r"/etc/shadow|console\.log\(process\.env\)",
        "it prints or reads credentials",
    ),
    (
        "credential-exposure",
        r"keyring\.get_|keytar|secretstorage|get_?secret_?value|access_?secret_?version|SecretClient\(|hvac\.|CredRead",
        "it takes secrets out of a store",
    ),
    (
        "denial-of-service",
        r"(?s)\A(?=.*(?:\bwhile\b|\bloop\b|for\s{0,5}\(\s{0,5};))(?=.*\bfork\b)",
        "it starts copies of itself without end",
    ),
    (
        "denial-of-service",
        r"(?:for\s*\(\s*;\s*;\s*\)|\bwhile\s*\(?\s*(?:1|true|True)\s*\)?)\s*[:{]?\s*(?:[^\n]{0,80}(?:push|append|alloc|\+=|spawn|Thread)|;|\{\s*\}|pass)",
        "it takes more and more without end",
    ),
    ("persistence", r"\.bashrc|\.zshrc|authorized_keys|crontab|systemd", "it makes something run later"),
    ("oversight", r"\.claude/(?:settings|hooks|projects)", "it touches what holds the agent"),
    (
        "system-change",
        r"open\(\s*['\"]/(?:etc|usr|boot|lib)/[^'\"]*['\"]\s*,\s*['\"][wa]",
        "it writes files of the system",
    ),
    (
        "opaque",
        r"os\.system|os\.exec|\bgetline\b|\bexec\b\s*[\"'(]|subprocess|child_process|\bexecSync|\bsystem\(|"
        r"popen|spawn(?:Sync)?\(|`[^`$]+`\s*;|Runtime\.getRuntime",
        "it starts other programs",
    ),
)

_ROWS: Final[tuple[tuple[str, re.Pattern[str], str], ...]] = tuple(
    (category, late(pattern), why) for category, pattern, why in _TABLE
)

LOADS: Final = late(
    r"(?:curl|wget)[^\n|;]{0,500}\|\s{0,20}(?:ba|z|da)?sh\b|\beval\b.{0,500}\$\(|base64 (?:-d|--decode)", 2
)
"""A text that would run a download, or what an encoding hides, if a shell read it."""

MOST: Final = 100_000
"""Characters of a program text that are looked at; a longer one is not understood."""


def find(text: str, name: str) -> Iterator[Concern]:
    """What speaks against running `text`, which is called `name`."""
    if len(text) > MOST:
        yield Concern("opaque", f"{name} is too long to look at")
        return
    for category, pattern, why in _ROWS:
        if pattern.search(text):
            yield Concern(category, f"{name}: {why}")
