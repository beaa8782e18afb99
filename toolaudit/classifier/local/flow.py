"""What runs that was not written by anyone the user knows: downloads, encodings, texts put together at run time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from toolaudit.classifier.local import code
from toolaudit.classifier.local.concern import NAMED, Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.network import DOWNLOADERS, hosts
from toolaudit.classifier.local.paths import written
from toolaudit.classifier.local.started import SHELLS
from toolaudit.classifier.local.starts import MADE_HERE, Start, Text, resolved
from toolaudit.patterns import late

INTERPRETERS: Final = SHELLS | frozenset("bun deno lua node perl php python python2 python3 R Rscript ruby tsx".split())
_EVALUATORS: Final = frozenset({"eval", "source", "."})
SCRIPTED: Final = SHELLS | _EVALUATORS
"""What runs the commands of a file."""
_DECODERS: Final = frozenset("base32 base64 gpg gunzip openssl rev tr uudecode xxd zcat".split())
_DECODES: Final = frozenset({"-d", "-D", "--decode", "-r", "-rp", "enc", "-di"})
_PLAIN_ARGUMENT = late(r"[\w./-]+")
BUILDERS: Final = frozenset(
    "bundle cargo cmake composer docker go gradle make mvn npm pip pip3 pnpm poetry uv yarn".split()
)
_NAMED_BY_ADDRESS = late(r"-[a-zA-Z]*O[a-zA-Z]*|--remote-name(?:-all)?")
_SHARED: Final = ("/tmp/", "/var/tmp/", "/dev/shm/", "/private/tmp/", "/var/folders/")
"""Folders where anybody may put a file."""
_HIDDEN: Final = frozenset(
    """
    . .. .bin .build .buildkite .ci .circleci .claude .config .devcontainer .direnv .github .gitlab .husky .nox .pnpm
    .storybook .tox .venv .yarn .pre-commit-hooks .scripts .tools .maintain .rspec .mocharc.js .eslintrc.js
    .eslintrc.cjs .babelrc.js .prettierrc.js .stylelintrc.js .pnp.cjs .virtualenv .envs .local .cargo .opencode .next
    .nuxt .output .svelte-kit .swiftpm .dart_tool .gradle .mvn
    """.split()
)
"""Hidden folders and files of which programs are run as a matter of course."""
_LOADING: Final = {
    "node": ("-r", "--require", "--import", "--loader", "--experimental-loader", "--env-file"),
    "java": ("-jar", "-cp", "-classpath", "--class-path", "--module-path", "-javaagent"),
    "make": ("-f", "--file"),
    "gmake": ("-f", "--file"),
    "just": ("-f", "--justfile"),
    "rake": ("-f", "--rakefile"),
    "gradle": ("-b", "-c", "--build-file", "-p"),
    "gradlew": ("-b", "-c", "--build-file"),
    "mvn": ("-f", "-s", "-gs", "--file", "--settings"),
    "mvnw": ("-f", "-s", "-gs", "--file", "--settings"),
    "pytest": ("-c", "--confcutdir", "--rootdir"),
    "ruby": ("-r", "-I"),
    "perl": ("-I",),
    "php": ("-f", "-c"),
    "bash": ("--rcfile", "--init-file"),
    "docker": ("-f", "--file", "--env-file"),
    "eslint": ("-c", "--config", "--rulesdir", "--resolve-plugins-relative-to"),
    "npm": ("--script-shell", "--userconfig", "--globalconfig"),
    "pip": ("-r", "--requirement"),
    "ansible-playbook": ("-i",),
    "gdb": ("-x",),
    "vim": ("-S", "-u"),
    "nvim": ("-S", "-u"),
}
"""Program -> options whose value it runs or takes its settings from."""
_SETTINGS: Final = ("--config", "--preload", "--plugin", "--setup-file", "--setupFiles", "--rcfile")
"""Options by which any program is told what to take its settings from, which may be a program."""
_PATHS: Final = frozenset({"-cp", "-classpath", "--class-path", "--module-path"})
_SET: Final = "sensitive-variable"
"""What the reader says where a variable is set that changes what runs: the table of variables has it."""
_RUN: Final = frozenset("run test build install execute try start compile set".split())
"""Verbs by which a user asks for a program to be run."""
_STDIN: Final = frozenset({"-", "-s", "/dev/stdin", "/proc/self/fd/0"})
_CODE: Final = frozenset({"-c", "-e", "-m", "--eval", "-E", "-pe", "-ne", "-p"})


def find(text: Text, context: Context) -> Iterator[Concern]:
    """What speaks against what the text runs."""
    fetched = _fetched(context.done, context) | _fetched((text,), context)
    decoded = {
        context.absolute(path, start.folder)
        for start in text.starts
        if _decodes(start) or _decoder_feeds(start)
        for path in written(start)
    }
    unpacked = any(_unpacks(start, fetched, context) for start in text.starts)
    cloned = next((one for one in text.starts if one.words[:2] == ("git", "clone")), None)
    for start in text.starts:
        yield from _fed(start)
        yield from _filled(start)
        if cloned is not None and start is not cloned and (start.path or start.program in BUILDERS | INTERPRETERS):
            asked = (frozenset({"{host}"}), _RUN)
            yield Concern("remote-code", "it runs what it has just cloned", asked, hosts(cloned), any_verb=True)
        if start.path and not start.path.startswith("/") and unpacked:
            yield Concern("remote-code", f"{start.path} may come out of the archive that was downloaded")
        yield from _file(start, fetched, decoded, text, context)
        if text.unread and start.program == "eval" and not start.fillers:
            yield Concern("opaque", "it evaluates a text as commands")
    if text.unread not in ("", _SET) and not any(start.program == "eval" for start in text.starts):
        yield Concern("opaque", f"what it runs can't be told: {text.unread}")


def _unpacks(start: Start, fetched: frozenset[str], context: Context) -> bool:
    """Whether it unpacks what was downloaded."""
    if start.program not in ("tar", "unzip", "bsdtar", "cpio", "7z"):
        return False
    downloads = any(one.program in DOWNLOADERS for one in start.feeders)
    return downloads or any(context.absolute(word, start.folder) in fetched for word in start.words[1:])


def _fed(start: Start) -> Iterator[Concern]:
    """An interpreter that reads its program from a pipe."""
    if start.program not in INTERPRETERS | {"xargs", "parallel"} or not _reads_program(start):
        return
    feeders = list(start.feeders)
    if start.program in ("xargs", "parallel"):
        if start.words[1:2] != () and not (
            set(start.words) & SHELLS or (set(start.words) & INTERPRETERS and set(start.words) & _CODE)
        ):
            return
        if any(operator == "<" for operator, _ in start.redirects) or "-a" in start.words or not feeders:
            yield Concern("opaque", "it runs whatever the lines of a file say")
    if any(one.program in DOWNLOADERS for one in feeders):
        yield Concern("remote-code", "a download goes straight into an interpreter")
    elif any(_decodes(one) for one in feeders):
        yield Concern("opaque", "what runs is hidden in an encoding")
    elif feeders and start.program in INTERPRETERS and feeders[-1].program not in ("echo", "printf"):
        yield Concern("opaque", "what runs is what another program prints")


def _reads_program(start: Start) -> bool:
    if start.program in ("xargs", "parallel"):
        return True
    operands = [word for word in start.words[1:] if not word.startswith("-")]
    if set(start.words) & (_CODE - {"-p"}):
        return False
    return not operands or "-s" in start.words or operands[0] in _STDIN


def _filled(start: Start) -> Iterator[Concern]:
    """A substitution whose output is run."""
    if start.program not in INTERPRETERS | _EVALUATORS:
        return
    if not start.fillers:
        given = [at + 1 for at, word in enumerate(start.words) if word in ("-c", "-e", "--eval")]
        if any(at in start.unknown and start.words[at].strip('"').startswith("$") for at in given):
            yield Concern("opaque", "what runs is only known at run time")
        return
    if start.program in INTERPRETERS and not any(map(start.unknown.__contains__, _code_places(start))):
        return  # The substitution names files or arguments.
    programs = {inner.program for inner in start.fillers}
    if programs & DOWNLOADERS:
        yield Concern("remote-code", "it runs what a server answers")
    else:
        yield Concern("opaque", "what runs is put together at run time")


def _code_places(start: Start) -> list[int]:
    """Where in its words an interpreter's program text, or the name of its script, stands."""
    given = [at + 1 for at, word in enumerate(start.words) if word in _CODE or (word[:1] == "-" and word[-1:] in "ce")]
    return given or [at for at, word in enumerate(start.words) if at and not word.startswith("-")][:1]


def _decodes(start: Start) -> bool:
    if start.program == "printf":
        return any("\\x" in word for word in start.words)
    return start.program in _DECODERS and (
        start.program in ("rev", "uudecode", "zcat") or any(word in _DECODES for word in start.words[1:])
    )


def _decoder_feeds(start: Start) -> bool:
    return any(map(_decodes, start.feeders))


def _fetched(texts: Sequence[Text], context: Context) -> frozenset[str]:
    """The files that were downloaded."""
    found = set()
    for text in texts:
        for start in text.starts:
            if start.program in DOWNLOADERS or any(one.program in DOWNLOADERS for one in start.feeders):
                found |= {context.absolute(path, start.folder) for path in written(start)}
                if start.program == "wget" or any(map(_NAMED_BY_ADDRESS.fullmatch, start.words)):
                    found |= {
                        context.absolute(word.rpartition("/")[2], start.folder) for word in start.words if "://" in word
                    }
    return frozenset(found)


def _file(start: Start, fetched: frozenset[str], decoded: set[str], text: Text, context: Context) -> Iterator[Concern]:
    """A program file or script: one that was fetched or decoded, that nobody here wrote, or that the session wrote."""
    if not start.path and {context.absolute(f"{folder}/{start.program}") for folder in (".", "/tmp")} & fetched:
        yield Concern("remote-code", f"{start.program} was downloaded and nobody read it")
    for spelled in ran(start):
        path = context.absolute(resolved(spelled, text.values), start.folder)
        if spelled == "{}":
            yield Concern("opaque", "it runs whatever files it finds")
        elif path in fetched:
            yield Concern("remote-code", f"{spelled} was downloaded and nobody read it")
        elif path in decoded:
            yield Concern("opaque", f"{spelled} was made out of an encoded text")
        elif path in context.scripts and start.program not in SHELLS | _EVALUATORS:
            yield from code.find(context.scripts[path], spelled)
        elif _is_strange(path, start, text, context):
            why = f"nobody here wrote {spelled}, which it runs"
            yield Concern("opaque", why, NAMED, frozenset({spelled, path}), any_verb=True)


def _is_strange(path: str, start: Start, text: Text, context: Context) -> bool:
    """Whether a file that runs lies where anybody may put one, or in a hidden folder that no tool fills."""
    if start.away or path in context.made or path in context.made_before(start, text) or path.startswith(MADE_HERE):
        return False
    if path.startswith(_SHARED):
        return True
    parts = path.removeprefix(f"{context.question.cwd}/").split("/")
    return context.inside(path) and any(part[:1] == "." and part not in _HIDDEN for part in parts)


def ran(start: Start) -> Iterator[str]:
    """The program files that it runs."""
    words = start.words
    for option in (*_LOADING.get(start.program.rstrip("0123456789."), ()), *_SETTINGS):
        for at, word in enumerate(words[1:], 1):
            if words[at - 1] == option:
                yield from word.split(":") if option in _PATHS else [word]
            elif word.startswith(f"{option}=") or (word.startswith(f"{option}:") and option.startswith("-javaagent")):
                yield word[len(option) + 1 :]
    if start.program in INTERPRETERS | _EVALUATORS:
        if not set(words) & _CODE:
            yield from [word for word in words[1:] if not word.startswith("-")][:1]
        if _reads_program(start):
            yield from (target for operator, target in start.redirects if operator == "<")
    elif start.program in ("dpkg", "rpm", "apt", "apt-get", "pip", "pip3", "npm", "installer"):
        yield from (word for word in words[1:] if "/" in word and _PLAIN_ARGUMENT.fullmatch(word))
    elif start.path:
        yield start.path
