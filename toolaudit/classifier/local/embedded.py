"""Commands that a file holds, which run when it is built, checked or started: they are held against the same rules.

Looked at are shell scripts, recipes of makefiles, steps of pipelines and container images, and scripts of a manifest.
What is only opaque in them does not count: a script lives on variables.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from toolaudit.classifier.local import contents, shells
from toolaudit.classifier.local.concern import Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.harmless import known
from toolaudit.classifier.local.starts import Text, take_apart
from toolaudit.patterns import late

_SCRIPT = late(r".*\.(?:sh|bash|zsh|ksh)|\.envrc|(?:pre|post|commit|prepare)-[\w-]+|entrypoint|bootstrap|configure")
_SHEBANG = late(r"#!.{0,60}\b(?:ba|z|da|k)?sh\b")
_MAKEFILE = late(r"(?:GNU)?[Mm]akefile|.*\.(?:mk|mak)|[Jj]ustfile")
_RECIPE = late(r"(?m)^(?:\t| {2,})[@+-]*(.+)$")
_IMAGE = late(r"(?:.*\.)?(?:Dockerfile|Containerfile)(?:\..*)?")
_STEP = late(r"(?m)^[ \t]*RUN\s+(?:--\S+\s+)*(.+(?:\\\n.+)*)")
_MANIFEST = late(
    r"package\.json|composer\.json|deno\.jsonc?|\.lintstagedrc(?:\.json)?|lerna\.json|turbo\.json|nx\.json|"
    r"project\.json"
)
_VALUE = late(r"\"[\w:.*{},/-]+\"\s*:\s*\"((?:[^\"\\\n]|\\.)+)\"")
_PIPELINE = late(r".*\.ya?ml|Jenkinsfile.*|.*\.(?:gradle|toml|cfg|ini)")
_RUN = late(
    r"(?m)^([ \t]*)(?:- )?(?:run|script|before_script|after_script|command|cmd|entrypoint|sh|test|build|lint|"
    r"[\w-]*cmds?)\s*[:=]\s*"
    r"(?:[|>][+-]?[ \t]*\n((?:\1[ \t]+.*\n?|[ \t]*\n)+)|(\S.*)$)"
)
_ITEM = late(
    r"(?m)^[ \t]*- ((?:curl|wget|npm|npx|pip|pip3|python3?|node|sh|bash|make|docker|kubectl|aws|gcloud|git|chmod|rm|"
    r"export|eval|sudo|yarn|pnpm|go|cargo|mvn|\./).*)$"
)
_MAGIC = late(r"(?m)^[ \t]*(?:!|%%(?:ba)?sh\s*\n|%sx?\s+|%system\s+)(.+(?:\\\n.+)*)")
_JENKINS = late(r"\b(?:sh|bat|exec|commandLine)\s*\(?\s*(?:'''|\"\"\"|['\"])(.+?)(?:'''|\"\"\"|['\"])", 16)
_BUILT: Final = frozenset({"access-grants", "destruction", "persistence", "system-change", "discarded-work"})
"""What an image under construction or a runner may do to itself."""
_RUNNING: Final = frozenset(
    {"credential-exposure", "denial-of-service", "exfiltration", "intrusion", "network-exposure", "remote-code"}
)
"""What counts of a file that the session wrote, where something runs."""
_EVERYWHERE: Final = frozenset({"boundary", "opaque"})
MOST: Final = 20_000


def find(path: str, text: str, before: str, context: Context) -> Iterator[Concern]:
    """What speaks against the commands that `text` puts into the file `path`, and that `before` did not have."""
    name = posixpath.basename(path)
    had = frozenset(line.strip() for line in before.splitlines())
    boxed = _IMAGE.fullmatch(name) is not None or "/.github/" in path or "gitlab-ci" in name
    left_out = _EVERYWHERE | (_BUILT if boxed else frozenset())
    for command in _commands(name, text):
        lines = [line for line in command.splitlines() if line.strip() not in had]
        fresh = "\n".join(lines).replace("$$", "$").strip()
        if fresh:
            for concern in shells.find(take_apart(fresh[:MOST]), context):
                if concern.category not in left_out:
                    yield replace(concern, why=f"{name}: {concern.why}", own=False)


def of_shell(text: Text, context: Context) -> Iterator[Concern]:
    """What speaks against the commands in files that a shell text writes, or that the session wrote and it may run."""
    for path, put in contents.put(text, context):
        yield from find(path, put, "", context)
    if any(known(start.words, starts=True).kind in ("run", "task", "") for start in text.starts if start.words):
        for path, put, before in context.edits:
            for concern in (*contents.of_text(path, put, context, before), *find(path, put, before, context)):
                if concern.category in _RUNNING:
                    yield concern


def _commands(name: str, text: str) -> Iterator[str]:
    if name.endswith(".ipynb"):
        yield from _MAGIC.findall(text)
    if _SCRIPT.fullmatch(name) or _SHEBANG.match(text):
        yield text
    elif _MAKEFILE.fullmatch(name):
        yield from _RECIPE.findall(text)
    elif _IMAGE.fullmatch(name):
        yield from (step.replace("\\\n", " ") for step in _STEP.findall(text))
    elif _MANIFEST.fullmatch(name):
        yield from (
            value.replace('\\"', '"') for value in _VALUE.findall(text) if " " in value or value.startswith("./")
        )
    elif _PIPELINE.fullmatch(name):
        for _, block, line in _RUN.findall(text):
            yield block or line.strip("'\"")
        yield from _ITEM.findall(text)
        yield from _JENKINS.findall(text)
