"""What speaks against a text that is put into a file, by an editing tool or by a command."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Final

from toolaudit.classifier.local import code, paths
from toolaudit.classifier.local.code import LOADS
from toolaudit.classifier.local.concern import HOSTED, Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.network import SECRET_TEXT
from toolaudit.classifier.local.starts import Text, resolved
from toolaudit.patterns import late

_HOST = late(r"(?:https?|git|ssh)://(?:[^/@\s\"']{1,200}@)?([^/:?#\s\"']+)|=>\s*([\w-]+(?:\.[\w-]+)+)/", 2)
_REGISTRY = late(r"^[ \t]*(?:@[\w-]+:)?(?:registry|index-url|extra-index-url|npmRegistryServer)\s*[=:]", 2 | 8)
_MANIFEST = late(
    r"(?:package\.json|go\.mod|Cargo\.toml|pyproject\.toml|Pipfile|setup\.(?:cfg|py)|Gemfile|composer\.json|"
    r"pubspec\.yaml|Podfile|environment\.ya?ml|(?:.*-)?requirements.*\.(?:txt|in)|constraints.*\.txt)"
)
_SOURCE = late(
    r"\breplace\s+\S+(?:\s+v\S+)?\s+=>\s+[\w-]+\.[\w.-]+/|\bgit\s*[=:]\s*[\"']?(?:https?|ssh|git)://|"
    r"[\"'\s@]git\+(?:https?|ssh)://|\s@\s*https?://|"
    r"\"(?!(?:url|homepage|bugs|repository|funding|\$schema)\")[^\"\n]{1,100}\"\s*:\s*\"(?:https?://|git:|github:)",
)
"""A dependency that comes from an address instead of the project's registry."""
_AUTOMATIC = late(
    r"\brunOn\W{1,5}folderOpen|\b(?:initialize|onCreate|updateContent|postCreate|postStart|postAttach)Command\b|"
    r"\"(?:pre|post)install\"\s*:|^[ \t]*RunAtLoad|<key>RunAtLoad",
    8,
)
"""A setting by which something runs without anyone starting it."""
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
_CHECKS = late(
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
    r"\bescape(?:Html|_html)?\(|\bbcrypt\.\w+|\bcompare_digest|\btimingSafeEqual|\bnpm audit|\bgitleaks|"
    r"\bsemgrep|\btrivy|\bbandit\b|\bcodeql",
    2,
)
"""A guard by its name."""
_LOOSEN_ASKED: Final = (
    frozenset(
        """
        all allow any debug disable enable everybody everyone loosen open permit public relax remove skip switch turn
        """.split()
    ),
)
_TAKEN_ASKED: Final = (frozenset("remove delete drop disable allow rename replace refactor move open public".split()),)
_PROSE: Final = (".md", ".rst", ".txt", ".adoc", ".mdx")
_WRITTEN_HARM: Final = frozenset({"remote-code", "network-exposure", "exfiltration", "denial-of-service"})
"""Categories of program text that count where a text is only written, not run."""
_SKIP_ASKED: Final = (frozenset({"skip", "disable", "xfail", "ignore", "mark"}),)
_UNCHECKED_ASKED: Final = (frozenset({"certificate", "certificates", "ssl", "tls", "verify", "verification"}),)
_LOOSENING: Final = "allow disable ignore skip stop switch turn"
_AUTOMATIC_ASKED: Final = (
    frozenset("automatic automatically folderopen postinstall preinstall startup boot whenever devcontainer".split()),
)
_ADDING: Final = "add make set replace point pin"
"""Verbs by which a user asks for either."""
_PRINTERS: Final = frozenset({"echo", "printf"})


def find(text: Text, context: Context) -> Iterator[Concern]:
    """What speaks against the texts that commands put into files."""
    for start in text.starts:
        texts = start.texts
        if start.program in _PRINTERS:
            texts.append("\n".join(start.words[1:]))
        elif start.program == "tee":
            texts += ["\n".join(one.words[1:]) for one in start.feeders if one.program in _PRINTERS]
        if texts:
            for path in paths.written(start):
                yield from of_text(
                    context.absolute(resolved(path, text.values), start.folder), "\n".join(texts), context
                )


def of_text(path: str, text: str, context: Context, before: str = "") -> Iterator[Concern]:
    """What speaks against `text` in the file `path`, in place of `before`; not what speaks against writing there."""
    name = posixpath.basename(path)
    told = any(True for _ in paths.of_path(path, "write", context))
    if told and LOADS.search(text):
        yield Concern("persistence", f"{path} would run a download")
    if told and "PATH=/tmp" in text:
        yield Concern("persistence", f"{path} puts programs of a shared folder first")
    if (told and _REGISTRY.search(text)) or (_MANIFEST.fullmatch(name) and _SOURCE.search(text)):
        yield Concern("supply-chain", f"{path} names another source of packages", HOSTED, _hosts(text), _ADDING)
    if _UNCHECKED.search(text) and not _UNCHECKED.search(before):
        yield Concern("safety-bypass", f"{path} no longer checks certificates", _UNCHECKED_ASKED, text=_LOOSENING)
    loose = weakened(text, before)
    if loose is not None and not path.endswith(_PROSE):
        yield Concern("safety-bypass", f"{path}: {loose}", _LOOSEN_ASKED, text=_LOOSENING)
    if _CHECKS.fullmatch(path) and _loosened(text, before):
        yield Concern("safety-bypass", f"{path} checks less", _LOOSEN_ASKED, text=_LOOSENING)
    if LOADS.search(text) and not LOADS.search(before) and not path.endswith(_PROSE) and not told:
        yield Concern("remote-code", f"{path} would run a download", HOSTED, _hosts(text), any_verb=True)
    taken = frozenset(_TAKEN.findall(before)) - frozenset(_TAKEN.findall(text)) if before else frozenset()
    if taken and not path.endswith(_PROSE):
        why = f"{path} no longer has {min(taken)}"
        yield Concern("safety-bypass", why, _TAKEN_ASKED, text=_LOOSENING)
    if SECRET_TEXT.search(text) and not SECRET_TEXT.search(before):
        yield Concern("exfiltration", f"{path} would hold a credential")
    if not path.endswith(_PROSE) and not paths.is_secret(path):
        yield from (one for one in code.find(text, path) if one.category in _WRITTEN_HARM)
    if before and _SKIPS.search(text) and not _SKIPS.search(before) and (GUARD.search(name) or GUARD.search(before)):
        yield Concern("safety-bypass", f"{path} skips a test of security", _SKIP_ASKED, text=_LOOSENING)
    if (told or name == "package.json") and _AUTOMATIC.search(text):
        yield Concern("persistence", f"{path} makes something run by itself", _AUTOMATIC_ASKED, text=_ADDING)


def _hosts(text: str) -> frozenset[str]:
    return frozenset(one for found in _HOST.findall(text) for one in found if one)


def weakened(text: str, before: str) -> str | None:
    """What a text says that weakens a protection, and the text before it did not say."""
    return next((why for pattern, why in _WEAKENINGS if pattern.search(text) and not pattern.search(before)), None)


def _loosened(text: str, before: str) -> bool:
    """Whether a file of checks lets more through, by what it says or by a lower number."""
    if _UNNOTICED.search(text) and not _UNNOTICED.search(before):
        return True
    numbers = [int(found) for found in _THRESHOLD.findall(before)]
    return any(int(new) < old for old, new in zip(numbers, _THRESHOLD.findall(text), strict=False))
