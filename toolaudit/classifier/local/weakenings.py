"""What an edit takes away from a protection, or puts in that weakens one: in program text, tests and settings.

A protection that was there has to stay, or the user has to name what changes about it. What a text says is held against
the text before it, so that what was weak already does not count.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Final

from toolaudit.classifier.local.concern import Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.words import stem, stems
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
_UNCHECKED = late(
    r"\bverify\s{0,5}=\s{0,5}False|rejectUnauthorized\W{1,5}false|InsecureSkipVerify\W{1,5}true|"
    r"\bstrict-ssl\W{1,5}false|ssl_?verify(?:_?peer)?\W{1,10}(?:false|0|off)|accept_invalid_certs\(true|"
    r"check_hostname\s{0,5}=\s{0,5}False|CERT_NONE|_create_unverified_context",
    2,
)
_WEAKENINGS: Final = tuple(
    (late(pattern, 2), why)
    for pattern, why in (
        (
            r"\bDEBUG\s{0,5}=\s{0,5}True\b|\bAPP_DEBUG\s{0,5}=\s{0,5}true",
            "the program tells strangers about its errors",
        ),
        (r"ALLOWED_HOSTS\s{0,5}=\s{0,5}\[\s{0,5}['\"]\*", "every host is allowed"),
        (
            r"(?:Access-Control-Allow-Origin|allow_origins|CORS_\w*ORIGINS?|"
            r"origin)['\"]?\s{0,5}[:=,]\s{0,5}\[?\s{0,5}['\"]\*"
            r"|CORS_(?:ORIGIN_)?ALLOW_ALL\w*\s{0,5}=\s{0,5}True",
            "every site may ask",
        ),
        (
            r"@?csrf_exempt|csrf\(?\)?\.disable|protect_from_forgery\s+with:\s*:null|"
            r"skip_before_action\s+:(?:verify|auth)",
            "requests are not checked for forgery",
        ),
        (
            r"\bpermitAll\(|permission_classes\s{0,5}=\s{0,5}\[\s{0,5}(?:AllowAny)?\s{0,5}\]|\bAllowAny\b|"
            r"@PermitAll|allow_anonymous|\[AllowAnonymous\]",
            "everybody is let in",
        ),
        (
            r"algorithms?['\"]?\s{0,5}[:=]\s{0,5}\[?\s{0,5}['\"]none['\"]|"
            r"verify_signature['\"]?\s{0,5}[:=]\s{0,5}False|ignoreExpiration['\"]?\s{0,5}:\s{0,5}true",
            "tokens are not verified",
        ),
        (r"0\.0\.0\.0/0|::/0", "every address is let in"),
        (
            r"\bprivileged['\"]?\s{0,5}:\s{0,5}true|allowPrivilegeEscalation['\"]?\s{0,5}:\s{0,5}true|"
            r"hostNetwork\s{0,5}:\s{0,5}true|hostPID\s{0,5}:\s{0,5}true|docker\.sock",
            "a container gets the whole machine",
        ),
        (
            r"['\"]?Action['\"]?\s{0,5}[:=]\s{0,5}\[?\s{0,5}['\"]\*['\"]|\bcluster-admin\b|roles/owner|"
            r"AdministratorAccess|public-read\b|allUsers",
            "more rights are given than are needed",
        ),
        (
            r"^\s*(?:return True|return true;?|pass)\s*(?:#|//)\s*(?:todo|temp|hack|bypass|disable|skip)",
            "a check always passes",
        ),
        (r"\bchmod\s+(?:-R\s+)?(?:777|a\+w)|\bNOPASSWD\b|\bseccomp[=:]unconfined", "everybody may change it"),
        (
            r"(?:MD5|SHA1|DES|ECB)['\"]?\s*\)|createHash\(['\"](?:md5|sha1)|hashlib\.(?:md5|sha1)\([^)]{0,60}passw",
            "weak cryptography guards it",
        ),
        (
            r"(?:strict-ssl|sslVerify|verify_ssl|ssl_verify|tls_?verify|checkServerIdentity|"
            r"validateCertificates?)\W{1,10}(?:false|0|off|no)\b",
            "certificates are not checked",
        ),
        (
            r"password_?(?:hash|check)?\s*==\s*['\"]|(?:user|username|token)\s*===?\s*['\"](?:admin|root|debug|"
            r"backdoor|letmein)",
            "somebody is let in by a fixed word",
        ),
        (
            r"rate_?limit\w*['\"]?\s{0,5}[:=]\s{0,5}(?:0|None|null|false|off)\b|"
            r"max_?attempts['\"]?\s{0,5}[:=]\s{0,5}(?:0|None|9{3,})",
            "guesses are not limited",
        ),
    )
)
"""What a text says that weakens a protection, where the text before did not say it."""
CHECKS = late(
    r"(?:.*/)?(?:package\.json|Makefile|justfile|tox\.ini|noxfile\.py|\.pre-commit-config\.yaml|"
    r"lefthook\.ya?ml|[^/]*(?:ci|pipelines?)\.ya?ml|"
    r"\.eslintrc[^/]*|eslint\.config\.\w+|biome\.jsonc?|tsconfig[^/]*\.json|(?:jest|vitest|playwright|"
    r"karma)\.config\.\w+|pyproject\.toml|"
    r"setup\.cfg|mypy\.ini|\.flake8|\.?ruff\.toml|\.coveragerc|\.rubocop[^/]*|phpstan[^/]*|\.golangci[^/]*|"
    r"\.?codecov\.ya?ml|\.nycrc[^/]*|"
    r"pytest\.ini|clippy\.toml|\.github/.*|\.husky/.*)"
)
"""A file that says what is checked, and how strictly."""
_UNNOTICED = late(
    r"continue-on-error\W{1,5}true|\|\|\s{0,5}(?:true|exit 0|:)(?!\w)|allow_failure\W{1,5}true|"
    r"--passWithNoTests|--no-verify\b|--exit-zero\b|"
    r"['\"]off['\"]|\bstrict\w{0,30}['\"]?\s{0,5}[:=]\s{0,5}[Ff]alse|ignore_errors\s{0,5}=\s{0,5}[Tt]rue|"
    r"check_untyped_defs\s{0,5}=\s{0,5}[Ff]alse|"
    r"noUnchecked\w+['\"]?\s{0,5}:\s{0,5}false|ignore_missing_imports\s{0,5}=\s{0,5}[Tt]rue|"
    r"enabled['\"]?\s{0,5}:\s{0,5}false"
)
_THRESHOLD = late(
    r"(?:threshold|branches|lines|functions|statements|fail[_-]under|min\w{0,20})['\"]?\s{0,5}[:=]\s{0,5}(\d{1,3})", 2
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
    r"safe|strict|backup|retention|approv|review|scan",
    2,
)
"""A line that guards something, by one of its words."""
_OFF = late(
    r"(?:auth|verif|valid|secur|ssl|tls|cert|check|strict|encrypt|protect|sandbox|audit|csrf|password|require|"
    r"approv|sign|scan|"
    r"mfa|2fa|firewall|https|backup|versioning|prevent_destroy|hsts|httponly|samesite|safe|escape|saniti|throttl|"
    r"limit|captcha)"
    r"[\w.-]*[\"']?\s*(?:=>|[:=]|\s)\s*[\"'(]?(?:false|off|no|none|0|disabled?|never|trust|skip|null|nil|"
    r"permissive|unconfined|anonymous|noop)\b",
    2,
)
"""A guard that a line switches off."""
_ON = late(
    r"\b(?:insecure|privileged|skip|ignore|disable|allow|bypass|debug|anonymous|public|force_destroy|"
    r"host(?:network|pid|ipc)|unsafe|"
    r"expose|trust|passwordless|continue-on-error|permit|no_?auth|root|wildcard|unauthenticated|danger)[\w.-]*[\"']?"
    r"\s*(?:=>|[:=]|\s)\s*[\"'\[(]{0,2}(?:true|1|yes|on|all|any|\*|always|enabled?|everyone|anyone|world|root|"
    r"admin|0\.0\.0\.0)(?![\w.])",
    2,
)
"""A danger that a line switches on."""
_EMPTIED = late(
    r"(?m)^\s*(?:return\s+(?:true|nil|null|None|0|next\(\)|\[\]|ok)?;?|pass|\{\s*\}|next\(\);?|exit 0|:|"
    r"\S*\s*=>\s*true,?;?)\s*\}?;?\s*$",
    2,
)
"""A line by which a guard lets everything through."""
_PROVES_NOTHING = late(
    r"\"(?:lint|test|check|audit|typecheck|verify|scan)[\w:-]*\"\s*:\s*\"(?:echo\b[^\"]*|true|exit 0|:|)\"|"
    r"\bassert True\b|assert(?:True|Equal)?\(\s*(?:true|1\s*,\s*1)\s*\)|expect\(true\)\.to(?:Be|Equal)\(true\)|"
    r"\|\| true\b|"
    r"except(?: Exception)?:\s*pass|catch\s*(?:\([^)]*\))?\s*\{\s*\}|if:\s*(?:false|\$\{\{\s*false)|exit 0\s*$|"
    r"collect_ignore|--deselect|\bxfail\b|pytest\.skip\(|istanbul ignore|pragma: no cover|nosec\b|noqa: S|"
    r"@ts-nocheck|eslint-disable(?!-next-line)|NOSONAR|nolint|rubocop:disable (?:Security|all)|semgrep-ignore|"
    r"gitleaks:allow|--silent \|\|",
    2,
)
"""A check that succeeds whatever is."""
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
_COMMENT = late(r"(?m)^\s*(?://|#(?!!)|--\s|\*|<!--|;).*$")
_STEPS = late(r"\b(?:test|lint|audit|verify|scan|typecheck|sign|checksum|review|approve\w*|sast|coverage)\b", 2)
_RUN_FILES = late(
    r".*\.(?:sh|bash|ya?ml|mk)|(?:.*/)?(?:Makefile|justfile|package\.json|Dockerfile.*|Jenkinsfile.*|Rakefile|"
    r"Taskfile.*)",
    2,
)
"""Files that say which steps run."""
_DISABLED = late(r"\benabled?[\"']?\s*[:=]\s*[\"']?(?:false|0|no|off)\b", 2)
_PROTECTS = late(
    r"polic|secur|auth|tls|ssl|firewall|waf|audit|backup|encrypt|limit|protect|guard|scan|alert|monitor|probe|"
    r"log|verif|sandbox",
    2,
)
_TEST = late(
    r"(?:.*/)?(?:tests?|specs?|__tests__|e2e|cypress|fixtures?|mocks?|testdata|testing|stories)/.*|"
    r".*(?:[._-](?:test|spec|stories|mock)|_test|Test|Spec)\.\w+|.*/(?:test_|conftest)[^/]*",
    2,
)
_LOOSEN_ASKED: Final = (
    frozenset(
        """
        all allow any debug disable enable everybody everyone loosen open permit public relax remove skip switch turn
        """.split()
    ),
)
_TAKEN_ASKED: Final = (frozenset("remove delete drop disable allow rename replace refactor move open public".split()),)
_SKIP_ASKED: Final = (frozenset({"skip", "disable", "xfail", "ignore", "mark"}),)
_UNCHECKED_ASKED: Final = (frozenset({"certificate", "certificates", "ssl", "tls", "verify", "verification"}),)
_LOOSENING: Final = "allow disable ignore skip stop switch turn"
_COMMON: Final = frozenset(
    map(
        stem,
        """
        assert class const def else elif end error false fail fix func function green if int let none null pass public
        return self str string test this true type value var void work make build check run
        """.split(),
    )
)
"""Words that name nothing in particular of a program."""


def find(path: str, text: str, before: str, context: Context) -> Iterator[Concern]:
    """What `text` in the file `path` protects less than `before`, in whose place it comes."""
    name = posixpath.basename(path)
    if _UNCHECKED.search(text) and not _UNCHECKED.search(before):
        yield Concern("safety-bypass", f"{path} no longer checks certificates", _UNCHECKED_ASKED, text=_LOOSENING)
    loose = weakened(text, before)
    if loose is not None:
        yield Concern("safety-bypass", f"{path}: {loose}", _LOOSEN_ASKED, text=_LOOSENING)
    if CHECKS.fullmatch(path) and _loosened(text, before):
        yield Concern("safety-bypass", f"{path} checks less", _LOOSEN_ASKED, text=_LOOSENING)
    said = _COMMENT.sub("", text)
    taken = frozenset(_TAKEN.findall(before)) - frozenset(_TAKEN.findall(said)) if before else frozenset()
    if taken:
        yield Concern("safety-bypass", f"{path} no longer has {min(taken)}", _TAKEN_ASKED, text=_LOOSENING)
    if before and _SKIPS.search(text) and not _SKIPS.search(before) and (GUARD.search(name) or GUARD.search(before)):
        yield Concern("safety-bypass", f"{path} skips a test of security", _SKIP_ASKED, text=_LOOSENING)
    had = frozenset(line.strip() for line in before.splitlines())
    fresh = "\n".join(line for line in text.splitlines() if line.strip() not in had)
    tests = _TEST.fullmatch(path) is not None
    nothing = _PROVES_NOTHING.search(fresh)
    if nothing is not None and not _PROVES_NOTHING.search(before):
        yield Concern(
            "safety-bypass", f"{path}: {nothing.group().strip()} lets a check succeed", _SKIP_ASKED, text=_LOOSENING
        )
    switched = (
        None
        if tests
        else next((found for one in (_OFF, _ON) if (found := one.search(fresh)) and not one.search(before)), None)
    )
    if switched is not None and not _names(switched.group(), "", context):
        yield Concern(
            "safety-bypass", f"{path}: {switched.group().strip()} protects less", _LOOSEN_ASKED, text=_LOOSENING
        )
    if before:
        yield from _guards(path, said, before, context)
        yield from _bounds(path, fresh, before, context)
        steps = frozenset(map(str.lower, _STEPS.findall(before))) - frozenset(map(str.lower, _STEPS.findall(said)))
        if _RUN_FILES.fullmatch(path) and steps and not stems(" ".join(steps)) & context.said:
            yield Concern("safety-bypass", f"{path} no longer has the step {min(steps)}", _TAKEN_ASKED, text=_LOOSENING)
        if _DISABLED.search(fresh) and _PROTECTS.search(text) and not _DISABLED.search(before):
            yield Concern("safety-bypass", f"{path}: a protection is switched off", _LOOSEN_ASKED, text=_LOOSENING)


def _bounds(path: str, fresh: str, before: str, context: Context) -> Iterator[Concern]:
    """A bound that becomes another by far, or none, and that the user did not name."""
    old = [
        float(number.replace("_", ""))
        for line in before.splitlines()
        if _QUOTA.search(line)
        for number in _NUMBER.findall(line)
    ]
    for line in fresh.splitlines():
        for number in _NUMBER.findall(line) if _QUOTA.search(line) else ():
            value = float(number.replace("_", ""))
            grown = bool(old) and (value == 0 or value >= MANY * max(old)) and value not in old
            if grown and number not in context.said and number.replace("_", "") not in context.said:
                yield Concern(
                    "safety-bypass", f"{path}: nobody asked for {line.strip()[:60]}", _LOOSEN_ASKED, text=_LOOSENING
                )
                return


def _guards(path: str, text: str, before: str, context: Context) -> Iterator[Concern]:
    """A line that guarded something and is gone or changed, where the user named nothing of what changed."""
    kept = frozenset(line.strip() for line in text.splitlines())
    gone = [line.strip() for line in before.splitlines() if line.strip() and line.strip() not in kept]
    fresh = [line for line in text.splitlines() if line.strip() and line.strip() not in before]
    if fresh and all(map(TIGHT.search, fresh)):
        return
    left, signs = stems(text), frozenset(_SIGNS.findall(text))
    guards = [
        line
        for line in gone
        if _GUARDING.search(line) and (stems(line) - left or signs ^ frozenset(_SIGNS.findall(before)))
    ]
    if guards and not _names("\n".join(gone), text, context):
        yield Concern(
            "safety-bypass", f"{path} no longer has what guarded it: {guards[0][:80]}", _TAKEN_ASKED, text=_LOOSENING
        )
    elif guards and _EMPTIED.search(text) and not _EMPTIED.search(before):
        yield Concern("safety-bypass", f"{path} lets everything through", _LOOSEN_ASKED, text=_LOOSENING)


def _names(gone: str, come: str, context: Context) -> bool:
    """Whether the user named something that is only in one of the texts."""
    old, new = stems(gone), stems(come)
    return bool(((old ^ new) - _COMMON) & context.said)


def weakened(text: str, before: str) -> str | None:
    """What a text says that weakens a protection, and the text before it did not say."""
    return next((why for pattern, why in _WEAKENINGS if pattern.search(text) and not pattern.search(before)), None)


def _loosened(text: str, before: str) -> bool:
    """Whether a file of checks lets more through, by what it says or by a lower number."""
    if _UNNOTICED.search(text) and not _UNNOTICED.search(before):
        return True
    numbers = [int(found) for found in _THRESHOLD.findall(before)]
    return any(int(new) < old for old, new in zip(numbers, _THRESHOLD.findall(text), strict=False))
