"""A PowerShell text taken apart: enough to know each command by its name, and to say where that can't be.

Every word that may begin a command is looked at: at the start, behind `;`, `|`, `&&`, braces, parentheses and `=`.
An expression is harmless as long as it calls no method of a class.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from toolaudit.classifier.local.starts import Start, Text
from toolaudit.patterns import late

_TOKEN = late(
    r"\"(?:[^\"`]|`.|\"\")*\"|'(?:[^']|'')*'|#[^\n]*|\d?>{1,2}(?:&\d)?|[;|{}()\n]|&&|\|\||=(?!=)|[^\s;|"
    r"{}()=\"'>#]+|[=>]+|.",
    16,
)
_HIDDEN = late(
    r"`[^\s`]|-[Ee](?:nc|ncodedCommand)\b|(?:^|[;|{(\n])\s*&(?!&)|[;|{(]\s*\.\s*[$\"'(]|-join\s*\(|"
    r"\[char(?:\[\])?\]|\bsplit\(|-b?xor\b|"
    r"\bInvoke\(|\.InvokeCommand|\.GetMethod\(|\bAdd-Type\b|\bScriptBlock\b.*::|\bReflection\b",
    2 | 8,
)
"""What hides what runs."""
_CLASS = late(r"\[([\w.]+)\]::(\w+)")
_CALLED = late(r"\.(\w+)\(")
_HARMLESS_CLASSES = late(
    r"(?:System\.)?(?:Math|Convert|DateTime|TimeSpan|Guid|String|Char|Int32|Int64|Double|Decimal|Version|Uri|"
    r"Array|Enum|Regex|StringComparison|"
    r"Text\.(?:Encoding|RegularExpressions\.Regex)|Globalization\.\w+|Environment|IO\.Path|"
    r"Diagnostics\.Stopwatch|PSCustomObject|"
    r"BitConverter|Net\.IPAddress|StringSplitOptions|ConsoleColor|Console|"
    r"Runtime\.InteropServices\.RuntimeInformation|"
    r"Security\.Cryptography\.(?:SHA256|MD5|SHA1|HashAlgorithm)|Security\.Principal\.WindowsIdentity)",
    2,
)
_EFFECTS: Final = frozenset(
    """
    setenvironmentvariable exit failfast getenvironmentvariables gettempfilename settitle setin setout delete create
    move copy writealltext appendalltext replace kill start load loadfile loadfrom
    """.split()
)
"""Methods of those classes that do more than compute, and of other objects."""
_METHODS: Final = frozenset(
    """
    add addday adddays addhours addminutes addmonths addseconds addyears compareto contains containskey count endswith
    equals format getbytes getenumerator gethashcode getstring gettype indexof insert isnullorempty join keys
    lastindexof match matches padleft padright parse remove round split startswith substring subtract toarray
    tobase64string tochararray tolocaltime tolower toshortdatestring tostring touniversaltime toupper trim trimend
    trimstart tryparse values frombase64string
    """.split()
)
"""Methods of objects that compute."""
_ENVIRONMENT = late(
    r"\benv:(?!\w)|\bEnv:\*|\b(?:gci|ls|dir|Get-ChildItem|Get-Item|gi)\s+(?:-Path\s+)?env:|\$env:\w*(?:TOKEN|"
    r"SECRET|KEY|PASS)\w*(?!\s*=)|GetEnvironmentVariables",
    2,
)
"""What shows the environment, or a secret of it."""
_SETS = late(r"\$env:(\w+)\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s;|]+)", 2)
_RELATIVE = late(r"[~.\w-]*[\\/]")
_HOME = late(r"\$(?:env:(?:USERPROFILE|HOME)|HOME|\{HOME\})\b", 2)
_REQUESTS: Final = frozenset({"invoke-webrequest", "invoke-restmethod", "iwr", "irm", "wget", "curl"})
_REQUEST: Final = {
    "-method": "-X",
    "-body": "-d",
    "-infile": "-T",
    "-outfile": "-o",
    "-headers": "-H",
    "-useragent": "-A",
    "-form": "-F",
}
"""Parameter of a request -> what it is for curl."""
_LEFT_OUT: Final = frozenset({"-uri", "-usebasicparsing", "-disablekeepalive", "-uselegacyparser"})
_ENDS: Final = frozenset({";", "|", "{", "}", "(", ")", "\n", "&&", "||", "="})
_EXPRESSION: Final = ("$", "-", "@", "[", '"', "'", "%", "*", "/", "+", ",", "!", "<", ".")
_WORDS: Final = frozenset(
    "if else elseif for foreach while do switch try catch finally return in param function begin process end".split()
)
_MOST: Final = 20_000
"""Characters of a text that are looked at; a longer one is unread."""


def take_apart(command: str) -> Text:
    """The commands of a PowerShell text; names of cmdlets in lower case."""
    if len(command) > _MOST:
        return Text((), {}, "too-long")
    starts = list(_starts(command))
    if _ENVIRONMENT.search(command):
        starts.append(Start(("printenv",)))
    starts += [
        Start(("set-variable",), assignments=((name, value.strip("\"'")),)) for name, value in _SETS.findall(command)
    ]
    return Text(tuple(starts), {}, _hidden(command))


def _hidden(command: str) -> str:
    """What in a text hides what runs, or computes with more than is known to be harmless; empty: nothing."""
    found = _HIDDEN.search(command)
    if found is not None:
        return f"hidden by {found.group().strip()}"
    for name, method in _CLASS.findall(command):
        if not _HARMLESS_CLASSES.fullmatch(name) or method.lower() in _EFFECTS:
            return f"hidden by [{name}]::{method}"
    called = (name.lower() for name in _CALLED.findall(command))
    return next((f"hidden by .{name}()" for name in called if name not in _METHODS), "")


def _starts(command: str) -> Iterator[Start]:
    words: list[str] = []
    redirects: list[tuple[str, str]] = []
    operator = ""
    before: Start | None = None
    for token in (*_TOKEN.findall(command), ";"):
        if token in _ENDS:
            if (
                words
                and not words[0].startswith(_EXPRESSION)
                and words[0].lower() not in _WORDS
                and not words[0].isdigit()
                and not (token == "=" and len(words) == 1)
            ):
                before = replace(_start(words, redirects), feeder=before)
                yield before
            if token not in ("|", "{", "}", "(", ")", "="):
                before = None
            words, redirects = [], []
        elif operator:
            redirects.append((operator, token.strip("\"'")))
            operator = ""
        elif ">" in token and "&" not in token:
            operator = token.lstrip("0123456789")
        elif token.strip() and not token.startswith("#") and "&" not in token:
            words.append(token)


def _start(words: list[str], redirects: list[tuple[str, str]]) -> Start:
    plain = [word.strip("\"'").rstrip(",").replace(".\\", "./") for word in words]
    plain = [_HOME.sub("~", word) for word in plain]
    plain = [plain[0], *(word.replace("\\", "/") if _RELATIVE.match(word) else word for word in plain[1:])]
    name = plain[0].replace("\\", "/")
    if name.lower() in _REQUESTS:
        words = [_REQUEST.get(word.lower(), word) for word in plain[1:] if word.lower() not in _LEFT_OUT]
        return Start(("curl", *words), redirects=tuple(redirects))
    if name.lower() == "iex":
        return Start(("invoke-expression", *plain[1:]))
    base = name.rpartition("/")[2].lower().removesuffix(".exe")
    return Start((base, *plain[1:]), name if "/" in name else "", redirects=tuple(redirects))
