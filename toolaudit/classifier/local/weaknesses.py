"""What a text puts in that weakens a protection: in program text, tests and settings.

What a text says is held against the text before it, so that what was weak already does not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.classifier.local.concern import Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.kinds import is_test
from toolaudit.classifier.local.words import changed
from toolaudit.patterns import late

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
        (r"unsafe-(?:inline|eval)|(?:default|script)-src\s+\*", "a page may run what it likes"),
        (
            r"\bdisable\s+(?:row level|trigger|constraint)|\bgrant\s+all\b|\bto\s+public\b|\bsecurity definer\b|"
            r"\bwith superuser\b",
            "everybody may change the data",
        ),
        (r"\btype\W{1,5}(?:LoadBalancer|NodePort)|\bhostPort\b", "the world may reach it"),
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
            r"^[ \t]*(?:return True|return true;?|pass)\s*(?:#|//)\s*(?:todo|temp|hack|bypass|disable|skip)",
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
_DISABLED = late(r"\benabled?[\"']?\s*[:=]\s*[\"']?(?:false|0|no|off)\b", 2)
_PROTECTS = late(
    r"polic|secur|auth|tls|ssl|firewall|waf|audit|backup|encrypt|limit|protect|guard|scan|alert|monitor|probe|"
    r"log|verif|sandbox",
    2,
)
LOOSEN_ASKED: Final = (
    frozenset(
        """
        all allow any debug disable enable everybody everyone loosen open permit public relax remove skip switch turn
        """.split()
    ),
)
_UNCHECKED_ASKED: Final = (frozenset({"certificate", "certificates", "ssl", "tls", "verify", "verification"}),)
LOOSENING: Final = "allow disable ignore skip stop switch turn"
SKIP_ASKED: Final = (frozenset({"skip", "disable", "xfail", "ignore", "mark"}),)


def find(path: str, text: str, before: str, context: Context) -> Iterator[Concern]:
    """What `text` in the file `path` weakens, and `before` did not."""
    if _UNCHECKED.search(text) and not _UNCHECKED.search(before):
        yield Concern("safety-bypass", f"{path} no longer checks certificates", _UNCHECKED_ASKED, text=LOOSENING)
    loose = weakened(text, before)
    if loose is not None:
        yield _loosens(f"{path}: {loose}")
    if CHECKS.fullmatch(path) and _loosened(text, before, context):
        yield _loosens(f"{path} checks less")
    had = frozenset(line.strip() for line in before.splitlines())
    fresh = "\n".join(line for line in text.splitlines() if line.strip() not in had)
    nothing = _PROVES_NOTHING.search(fresh)
    if nothing is not None and not _PROVES_NOTHING.search(before):
        why = f"{path}: {nothing.group().strip()} lets a check succeed"
        yield Concern("safety-bypass", why, SKIP_ASKED, text=LOOSENING)
    for pattern in (_OFF, _ON) if not is_test(path) else ():
        found = pattern.search(fresh)
        if found is not None and not pattern.search(before) and not changed(found.group(), "") & context.said:
            yield _loosens(f"{path}: {found.group().strip()} protects less")
    if before and _DISABLED.search(fresh) and _PROTECTS.search(text) and not _DISABLED.search(before):
        yield _loosens(f"{path}: a protection is switched off")


def _loosens(why: str) -> Concern:
    return Concern("safety-bypass", why, LOOSEN_ASKED, text=LOOSENING)


def weakened(text: str, before: str) -> str | None:
    """What a text says that weakens a protection, and the text before it did not say."""
    return next((why for pattern, why in _WEAKENINGS if pattern.search(text) and not pattern.search(before)), None)


def _loosened(text: str, before: str, context: Context) -> bool:
    """Whether a file of checks lets more through, by what it says or by a lower number that the user did not name."""
    if _UNNOTICED.search(text) and not _UNNOTICED.search(before):
        return True
    numbers = [int(found) for found in _THRESHOLD.findall(before)]
    pairs = zip(numbers, _THRESHOLD.findall(text), strict=False)
    return any(int(new) < old and new not in context.said for old, new in pairs)
