"""Program text given on a command line: harmless where every module, name and path in it is known to be.

Python is parsed; of other languages the words are looked at. What stands in the tables of `code` speaks against a text
first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from toolaudit.classifier.local import code
from toolaudit.classifier.local.concern import Concern
from toolaudit.classifier.local.context import is_local
from toolaudit.classifier.local.names import RISKY
from toolaudit.patterns import late

if TYPE_CHECKING:
    import ast

_EFFECTS: Final = {
    "os": "path environ getenv getcwd listdir walk scandir stat lstat cpu_count getpid getppid sep linesep name uname "
    "makedirs mkdir access fspath get_terminal_size curdir pardir extsep devnull SEEK_SET SEEK_END R_OK W_OK X_OK F_OK "
    "PathLike getloadavg sched_getaffinity fsencode fsdecode utime readlink urandom strerror pathsep version_info "
    "statvfs confstr sysconf getuid geteuid times cpu_freq get_exec_path DirEntry exists",
    "shutil": "which disk_usage copy copy2 copyfile copytree get_terminal_size get_archive_formats",
    "socket": "gethostname gethostbyname getfqdn getaddrinfo AF_INET SOCK_STREAM create_connection timeout error",
    "sys": "*",
}
"""Module -> what of it changes nothing beyond a new file or folder."""

_REACHING: Final = frozenset(
    """
    ctypes ftplib imaplib keyring multiprocessing nntplib paramiko pexpect poplib pty pyautogui scapy secretstorage
    smtplib socketserver subprocess telnetlib xmlrpc webbrowser asyncssh fabric pynput winreg pickletools resource
    boto3 botocore hvac winrm mitmproxy nmap runpy code codeop
    """.split()
)
"""Modules that start programs, talk to other machines, or take secrets."""
_FETCHING: Final = frozenset({"aiohttp", "http", "httpx", "requests", "urllib", "urllib3"})
_EVALUATES: Final = frozenset(
    """
    __import__ breakpoint chmod chown compile delete_many dlopen eval exec execl execv execve exec_module execfile fork
    globals import_module kill killpg load_source lchown link locals popen putenv remove_all removedirs rename renames
    rmdir rmtree run_module run_path send send_mail send_message sendall sendmail setattr setgid setuid spawn spawnl
    spawnv startfile symlink system truncate unlink unsetenv vars drop_all drop_database flush_all execute_sql
    """.split()
)
_SENDS: Final = frozenset({"post", "put", "patch", "delete", "request"})
_SECRET = late(r"pass(?:word|wd)?(?:\Z|_)|secret|token|api_?key|credential|private", 2)
_URL = late(r"\b[a-z][a-z+]{1,12}://(?:[^/@\s\"']{1,100}@)?([^/:?#\s\"'`]+)", 2)
_PATHLIKE = late(r"~?(?:/|\.\.?/)?[\w.@+-]+(?:/[\w.@+*-]*)*|~|/")

_SCRIPT_MODULE = late(r"(?:\brequire\s*\(|\bimport\s*\(|\bfrom\b|\bimport\b)\s*[\"'`]([^\"'`]+)[\"'`]")
_SCRIPT_LOADS = late(r"\b(?:require|import)\s*\((?!\s*[\"'`][^\"'`$]+[\"'`]\s*\))")
_SCRIPT_REACHING: Final = frozenset(
    "child_process cluster dgram dns http2 inspector net repl tls vm worker_threads shelljs execa zx nodemailer ssh2 "
    "node-pty keytar puppeteer".split()
)
_SCRIPT_EFFECTS = late(
    r"\b(?:eval|Function|execSync|exec|execFile|execFileSync|spawn|spawnSync|fork|kill|dlopen|binding|unlink|"
    r"unlinkSync|"
    r"rm|rmSync|rmdir|rmdirSync|chmod|chmodSync|chown|symlink|symlinkSync|rename|renameSync|truncate|truncateSync|"
    r"sendMail|importScripts|createServer|listen|deleteMany|drop|dropDatabase|removeItem|setInterval)\s*\(|"
    r"\bprocess\.env\b(?!\.(?!\w*(?:TOKEN|SECRET|KEY|PASS|CRED))\w+)|\bBun\.(?:spawn|\$)|\bDeno\.(?:run|"
    r"Command|remove|env)|"
    r"document\.cookie|localStorage|sessionStorage|indexedDB|\.submit\s*\("
)
_OTHER_EFFECTS = late(
    r"`|\bqx\b|%x|\b(?:system|exec|shell_exec|passthru|proc_open|popen|spawn|fork|kill|unlink|rmdir|rmtree|"
    r"rename|chmod|"
    r"chown|symlink|truncate|eval|instance_eval|class_eval|send|public_send|socket|TCPSocket|TCPServer|UNIXSocket|"
    r"LWP|HTTP|FTP|SMTP|Net|Socket|mail|curl_\w+|fsockopen|file_put_contents|Open3|PTY|Kernel|ObjectSpace|"
    r"File\.delete|FileUtils|os\.execute|io\.popen|os\.remove|System\.cmd|Port\.open|shell|download|"
    r"install|Runtime|ProcessBuilder|delete_all|destroy_all|destroy|drop|update_all|deliver|deliver_now|deliver_later)"
    r"\b(?!\s*[:=]>?[^=])"
)


def find(text: str, program: str) -> Iterator[Concern]:
    """What of a text given to `program` is not known to be harmless."""
    found = False
    for concern in code.find(text, f"the text given to {program}"):
        found = True
        yield concern
    if found:
        return
    unknown = _python(text) if program.startswith(("python", "pypy", "py")) else _words(text, program)
    if unknown is not None:
        yield Concern("opaque", f"the text given to {program} is not known to be harmless: {unknown}")


def paths(text: str) -> Iterator[str]:
    """The quoted words of a text that may be paths."""
    for quoted in _QUOTED.findall(text):
        word = quoted[1:-1]
        if ("/" in word or word.startswith((".", "~"))) and _PATHLIKE.fullmatch(word):
            yield word


_QUOTED = late(r"'[^'\n]{1,200}'|\"[^\"\n]{1,200}\"")


def strangers(text: str) -> frozenset[str]:
    """The hosts that a text names, this machine aside."""
    return frozenset(host for host in _URL.findall(text) if not is_local(host))


def _words(text: str, program: str) -> str | None:
    """What of a text that is not Python is not known to be harmless."""
    if program.startswith(("node", "bun", "deno", "tsx", "ts-node", "esno")):
        modules = {name.removeprefix("node:").partition("/")[0] for name in _SCRIPT_MODULE.findall(text)}
        if bad := modules & _SCRIPT_REACHING:
            return f"it uses {min(bad)}"
        if _SCRIPT_LOADS.search(text):
            return "what it loads is only known at run time"
        effect = _SCRIPT_EFFECTS.search(text)
        reaches = modules & {"http", "https", "axios", "got", "node-fetch", "undici"} or "fetch(" in text
    else:
        effect, reaches = _OTHER_EFFECTS.search(text), False
    if effect is not None:
        return effect.group().strip(" (") or effect.group()
    if strangers(text):
        return f"it names {min(strangers(text))}"
    if reaches and not _URL.search(text):
        return "it reaches an address that can't be told"
    risky = RISKY.search(text)
    return f"the word {risky.group().strip('_')}" if risky is not None else None


def _python(text: str) -> str | None:
    import ast

    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "it can't be read"
    fetches = False
    modules: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            roots = [node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names]
            for root in (name.partition(".")[0] for name in roots):
                if root in _REACHING:
                    return f"it uses {root}"
                fetches = fetches or root in _FETCHING
            unknown = _imported(node, modules)
            if unknown is not None:
                return unknown
    for node in ast.walk(tree):
        unknown = _node(node, modules, fetches)
        if unknown is not None:
            return unknown
    hosts = strangers(text)
    if fetches and hosts:
        return f"it reaches {min(hosts)}"
    if fetches and not _URL.search(text) and "urllib.parse" not in text:
        return "it reaches an address that can't be told"
    return None


def _imported(node: ast.Import | ast.ImportFrom, modules: dict[str, str]) -> str | None:
    import ast

    if isinstance(node, ast.ImportFrom):
        known = _EFFECTS.get(node.module or "", "*")
        bad = next((one.name for one in node.names if known != "*" and one.name not in known.split()), None)
        return f"{node.module}.{bad}" if bad else None
    for one in node.names:
        modules[one.asname or one.name.partition(".")[0]] = one.name
    return None


def _node(node: ast.AST, modules: dict[str, str], fetches: bool) -> str | None:
    import ast

    match node:
        case ast.Attribute(value=ast.Name(id=name), attr=attribute) if modules.get(name, name) in _EFFECTS:
            known = _EFFECTS[modules.get(name, name)]
            if known != "*" and attribute not in known.split():
                return f"{name}.{attribute}"
        case ast.Call(func=ast.Name(id=called)) | ast.Call(func=ast.Attribute(attr=called)):
            bare = isinstance(node.func, ast.Name) if isinstance(node, ast.Call) else False
            if called in _EVALUATES and not (called == "compile" and not bare):
                return called
            if fetches and called in _SENDS:
                return f"{called} sends something"
            if called == "getattr" and not all(isinstance(one, ast.Constant) for one in _second(node)):
                return "what it calls is only known at run time"
            if RISKY.search(called):
                return f"the word {called}"
        case ast.Subscript(value=ast.Attribute(attr="environ"), slice=ast.Constant(value=str(name))):
            if _SECRET.search(name):
                return f"it reads {name}"
    return _environment(node)


def _second(node: ast.AST) -> list[ast.expr]:
    import ast

    return node.args[1:2] if isinstance(node, ast.Call) else []


def _environment(node: ast.AST) -> str | None:
    """A use of the whole environment, or of a secret in it."""
    import ast

    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Attribute) and child.attr == "environ":
            used = isinstance(node, ast.Subscript) or (
                isinstance(node, ast.Attribute) and node.attr in ("get", "setdefault", "pop", "keys")
            )
            if not used and not isinstance(node, ast.Compare):
                return "it takes the whole environment"
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        name = node.args[0].value
        called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if called in ("get", "getenv") and isinstance(name, str) and name.isupper() and _SECRET.search(name):
            return f"it reads {name}"
    return None
