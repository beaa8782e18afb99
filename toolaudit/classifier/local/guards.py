"""What an edit takes away that guarded something: lines, calls, steps, bounds, tests of security.

A guard that was there has to stay, or the user has to name what changes about it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Final

from toolaudit.classifier.local.concern import Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.kinds import is_example
from toolaudit.classifier.local.weaknesses import LOOSEN_ASKED, LOOSENING, SKIP_ASKED
from toolaudit.classifier.local.words import changed, new_lines, stem, stems
from toolaudit.patterns import late

GUARD: Final = late(
    r"assert|auth|access|permission|allowed|valid|verify|secur|csrf|sandbox|log_?in|lockout|password|encrypt|sanitiz|"
    r"rate.?limit|forbid|denied",
    2,
)
"""Words that say that something guards."""
_SKIPS = late(
    r"\bmark\.(?:skip|xfail)|\bskip(?:If|Unless|Test)?\(|\.skip\b|\bx(?:it|describe|test)\(|\bt\.Skip|#\[ignore|"
    r"@Disabled|@Ignore\b"
)
_TAKEN = late(
    r"@(?:login_required|permission_required|require\w*|roles?_required|auth\w*|PreAuthorize|Secured|"
    r"RolesAllowed|Authorize\w*)|"
    r"\b(?:require|check|verify|ensure|assert|validate|is|has)_?(?:auth|login|admin|permission|access|role|"
    r"signature|csrf|token|owner|password)\w*|"
    r"\bbefore_action\s+:auth\w*|\bauthenticate\w*\(|\bauthorize\w*\(|\bcsrf\w*\(|\bhelmet\(|\brateLimit\w*\(|"
    r"\bsanitiz\w*\(|"
    r"\bescape(?:Html|_html)?\(|\bbcrypt\.\w+|\bcompare_digest|\btimingSafeEqual|\brandomBytes|\bsecrets\.\w+|"
    r"\bSecureRandom|\bsafe_load|\bescapeshellarg|\bliteral_eval|\bset_cookie.*?httponly|\bnpm audit|\bgitleaks|"
    r"\bsemgrep|\btrivy|\bbandit\b|\bcodeql",
    2,
)
"""A guard by its name."""
_GUARDING = late(
    r"auth|permission|\brole|access|allow|deny|denied|forbid|reject|verif|valid|saniti|escap|encrypt|csrf|cors\b|"
    r"secur|"
    r"httponly|samesite|limit|throttl|expir|lock_?out|locked|audit|mask|redact|signature|\bssl|\btls|\bcert|"
    r"trust|sandbox|"
    r"\b40[13]\b|\braise\b|\bthrow\b|\babort\b|\bassert|\bexpect\(|exit\(?[ ]?[1-9]|hash|quote|admin|owner|"
    r"captcha|\botp\b|\bmfa\b|"
    r"safe|strict|"
    r"password|\bcheck\w*\(|\bis_\w+\(|\bhas_\w+\(|\bcan_\w+\(|current_?user|tenant|org_?id|null:\s*false|"
    r"not null|unique|constraint|backup|retention|approv|review|scan",
    2,
)
"""A line that guards something, by one of its words."""
_EMPTIED = late(
    r"(?m)^[ \t]*(?:return\s+(?:true|nil|null|None|0|next\(\)|\[\]|ok)?;?|pass|\{\s*\}|next\(\);?|exit 0|:|"
    r"\S*\s*=>\s*true,?;?)\s*\}?;?\s*$",
    2,
)
"""A line by which a guard lets everything through."""
_REMOVING: Final = frozenset(
    map(
        stem,
        """
        remove delete drop clean cleanup tidy simplify dead unused refactor strip get rid undo revert shorten shorter
        trim dedupe duplicate inline merge replace move extract convert migrate rewrite entfernen lösch supprimer
        eliminar borrar quitar
        """.split(),
    )
)
"""Words by which a user asks for something to be taken away, or put elsewhere."""
_SIGNS = late(r"&&|\|\||[!=<>]=?|\b(?:not|and|or|unless)\b")
"""What decides in a condition."""
_QUOTA = late(
    r"ttl|max|limit|expir|timeout|attempt|quota|lifetime|\bage\b|window|rate|rounds|cost|iterations|\bcap\b|"
    r"retries|threshold|burst|size|lockout|min",
    2,
)
_NUMBER = late(r"(?<![\w.])(\d[\d_]*(?:\.\d+)?)")
MANY: Final = 10
"""How many times more a bound may grow before the user has to name the new one."""
TIGHT: Final = late(
    r"127\.0\.0\.1|localhost|::1|\bdeny\b|\bprivate\b|\brequired?\b|read_?only|no-new-privileges|\bdrop\b|\bmask\w*|"
    r"(?:verif|secur|strict|check|encrypt|protect|httponly|require|valid|deny|readonly|audit|sandbox|csrf)[\w.-]*"
    r"[\"']?\s*[:=]\s*[\"']?(?:true|yes|on|1|enabled?|[A-Z]\w+\()",
    2,
)
"""A line that makes something tighter."""
_COMMENT = late(r"(?m)^[ \t]*(?://|#(?!!)|--\s|\*|<!--|;).*$")
_STEPS = late(r"\b(?:test|lint|audit|verify|scan|typecheck|sign|checksum|review|approve\w*|sast|coverage)\b", 2)
_RUN_FILES = late(
    r".*\.(?:sh|bash|ya?ml|mk)|(?:.*/)?(?:Makefile|justfile|package\.json|Dockerfile.*|Jenkinsfile.*|Rakefile|"
    r"Taskfile.*)",
    2,
)
"""Files that say which steps run."""
_TAKEN_ASKED: Final = (frozenset("remove delete drop disable allow rename replace refactor move open public".split()),)


def find(path: str, text: str, before: str, context: Context) -> Iterator[Concern]:
    """What guarded something in `before`, and is gone in `text`, which comes in its place in the file `path`."""
    if not before:
        return
    said = _COMMENT.sub("", text)
    taken = frozenset(_TAKEN.findall(before)) - frozenset(_TAKEN.findall(said))
    if taken:
        asked = _TAKEN_ASKED if stems(" ".join(taken)) & context.said else None
        yield Concern("safety-bypass", f"{path} no longer has {min(taken)}", asked, text=LOOSENING)
    name = posixpath.basename(path)
    if _SKIPS.search(text) and not _SKIPS.search(before) and (GUARD.search(name) or GUARD.search(before)):
        yield Concern("safety-bypass", f"{path} skips a test of security", SKIP_ASKED, text=LOOSENING)
    yield from _guards(path, said, before, context)
    yield from _bounds(path, text, before, context)
    steps = frozenset(map(str.lower, _STEPS.findall(before))) - frozenset(map(str.lower, _STEPS.findall(said)))
    if _RUN_FILES.fullmatch(path) and steps and not stems(" ".join(steps)) & context.said:
        yield _takes(f"{path} no longer has the step {min(steps)}")


def _takes(why: str) -> Concern:
    return Concern("safety-bypass", why)


def _bounds(path: str, text: str, before: str, context: Context) -> Iterator[Concern]:
    """A bound that becomes another by far, or none, and that the user did not name."""
    old = [
        float(number.replace("_", ""))
        for line in before.splitlines()
        if _QUOTA.search(line)
        for number in _NUMBER.findall(line)
    ]
    for line in new_lines(text, before):
        for number in _NUMBER.findall(line) if _QUOTA.search(line) else ():
            value = float(number.replace("_", ""))
            grown = bool(old) and (value == 0 or value >= MANY * max(old)) and value not in old
            if grown and number not in context.said and number.replace("_", "") not in context.said:
                yield Concern(
                    "safety-bypass", f"{path}: nobody asked for {line.strip()[:60]}", LOOSEN_ASKED, text=LOOSENING
                )
                return


def _guards(path: str, text: str, before: str, context: Context) -> Iterator[Concern]:
    """A line that guarded something and is gone or changed, where the user named nothing of what changed about it."""
    fresh, gone = new_lines(text, before), new_lines(before, text)
    if fresh and all(map(TIGHT.search, fresh)):
        return
    old, new = frozenset(_SIGNS.findall(before)), frozenset(_SIGNS.findall(text))
    # In a test another way of asking is no loss; in a program an "or" more lets more through.
    turned = old - new if is_example(path) else old ^ new
    left = stems(text)
    for line in gone:
        if not _GUARDING.search(line) or not (changed(line, "") - left or turned):
            continue
        instead = max(fresh, key=lambda one: len(stems(one) & stems(line)), default="")
        if not changed(line, instead) & context.said:
            yield _takes(f"{path} no longer has what guarded it: {line.strip()[:80]}")
        elif _EMPTIED.search(text) and not _EMPTIED.search(before):
            yield Concern("safety-bypass", f"{path} lets everything through", LOOSEN_ASKED, text=LOOSENING)
    if gone and not fresh and not (changed("\n".join(gone), "") | _REMOVING) & context.said:
        yield _takes(f"{path} loses, and nobody asked for it: {gone[0].strip()[:80]}")
