from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from toolaudit.model import Mode, Policy, Scope, ToolCall
from toolaudit.model.versions import NEWEST, Version
from toolaudit.model.workspace import DataWorkspace
from toolaudit.rules import grammar
from toolaudit.settings import SettingsError, load, locate
from toolaudit.settings.check import closest
from toolaudit.testing import document
from toolaudit.testing.case import UNSET, Broken, Case, Expected, HookAnswer, Subject, Suite
from toolaudit.testing.document import YamlDocument
from toolaudit.testing.errors import PolicyTestError
from toolaudit.testing.matrix import fill, unfold
from toolaudit.tools.validation import malformed

CWD: Final = "/work/project"
HOME: Final = "/home/user"
"""Where a case takes place unless it says otherwise. Nothing is read there."""

SCOPES: Final = ("user", "project", "local", "managed", "flag")

_GONE: Final = ("MultiEdit", "NotebookRead", "LS")


def load_suite(path: Path) -> Suite:
    """The cases of the test file at `path`. What is wrong with it is a `Broken` entry, so that the rest still runs."""
    name = display(path)
    try:
        try:
            data = path.read_bytes()
        except OSError as error:
            raise PolicyTestError((error.strerror or "unreadable").lower(), file=name) from None
        return _Loader(path, document.read(data, name)).suite()
    except PolicyTestError as error:
        return Suite(name, (Broken(path.name, error),))


def display(path: Path) -> str:
    """`path` as messages show it: relative to the directory we are in, where it lies below that."""
    whole = Path(os.path.normpath(path.absolute()))
    return str(whole.relative_to(Path.cwd())) if whole.is_relative_to(Path.cwd()) else str(whole)


def load_policy(files: str | Mapping[str, Any], base: Path, *, cwd: str, home: str, trusted: bool) -> Policy:
    """The policy that a test file names, its paths relative to `base`. Raises SettingsError."""
    if isinstance(files, str):
        paths, files = locate(_beside(base, files)), {}
    else:
        paths = {Scope(scope): _beside(base, files[scope]) for scope in SCOPES if files.get(scope)}
    return load(
        user=paths.get(Scope.USER),
        project=paths.get(Scope.PROJECT),
        local=paths.get(Scope.LOCAL),
        managed=paths.get(Scope.MANAGED),
        flag=paths.get(Scope.FLAG),
        cli_allow=files.get("allow") or (),
        cli_ask=files.get("ask") or (),
        cli_deny=files.get("deny") or (),
        home=home,
        cwd=cwd,
        trusted=trusted,
    )


def _beside(base: Path, name: str) -> Path:
    return Path(display(base / name))


class _Loader:
    def __init__(self, path: Path, read: YamlDocument) -> None:
        self._base = path.parent
        self._read = read
        self._policies: dict[tuple[str, str, bool], Policy] = {}
        self._machines: dict[str, DataWorkspace] = {}

    def suite(self) -> Suite:
        from toolaudit.testing.schema import PolicyTests

        value = self._read.value
        if not isinstance(value, dict):
            raise self._read.error("expected an object with `policy` and `cases`")
        entries = value.get("cases")
        if not isinstance(entries, list) or not entries:
            raise self._read.error("expected `cases` to be a list with at least one case", "cases")
        _validate(PolicyTests, {**value, "cases": [{"command": "true", "expect": "allow"}]}, self._read, ())
        policy = self._policy(CWD, HOME, trusted=True)
        subject = Subject(self._name(), policy, lambda cwd, home: self._policy(cwd, home, trusted=True))
        return Suite(self._read.file, tuple(self._once(self._cases(entries, value))), subject)

    def _name(self) -> str:
        files = self._read.value["policy"]
        if isinstance(files, str):
            return display(self._base / files)
        named = {key: display(self._base / value) if key in SCOPES else value for key, value in files.items()}
        return json.dumps(named)

    def _cases(self, entries: list[Any], value: Mapping[str, Any]) -> Iterator[Case | Broken]:
        from toolaudit.testing.schema import CaseEntry

        defaults = value.get("defaults") or {}
        for index, entry in enumerate(entries):
            path = ("cases", index)
            try:
                _validate(CaseEntry, entry, self._read, path)
                try:
                    unfolded = list(unfold(entry))
                except ValueError as error:
                    raise self._read.error(str(error), *path, "matrix") from None
                if entry.get("matrix"):
                    for raw in unfolded:
                        _validate(CaseEntry, {k: v for k, v in raw.items() if k != "suffix"}, self._read, path)
                for raw in unfolded:
                    yield self._case({**defaults, **raw}, path)
            except PolicyTestError as error:
                given = entry.get("name") if isinstance(entry, dict) else None
                yield Broken(given if isinstance(given, str) else f"case {index + 1}", error)

    def _once(self, cases: Iterable[Case | Broken]) -> Iterator[Case | Broken]:
        """Each name once: a second case of the same name could not be told from the first."""
        seen: dict[str, int] = {}
        for case in cases:
            line = case.line if isinstance(case, Case) else case.error.line or 1
            first = seen.setdefault(case.name, line)
            if first == line or isinstance(case, Broken):
                yield case
            else:
                message = f"another case is called {case.name!r}, in line {first}"
                yield Broken(f"{case.name} (line {line})", PolicyTestError(message, file=case.file, line=line))

    def _case(self, raw: Mapping[str, Any], path: document.Path) -> Case:
        cwd, home = raw.get("cwd") or CWD, raw.get("home") or HOME
        for name, directory in (("cwd", cwd), ("home", home)):
            if not directory.startswith("/"):
                raise self._read.error(f"expected {name} to be an absolute path, got {directory!r}", *path, name)
        raw = fill(raw, {"cwd": cwd, "home": home})
        trusted = raw.get("trusted") is not False
        call = self._call(raw, path)
        policy = self._policy(cwd, home, trusted=trusted)
        answers = tuple(
            HookAnswer(one.get("hook"), one.get("decision"), one.get("input")) for one in raw.get("hooks") or ()
        )
        self._check_answers(answers, policy, path)
        return Case(
            name=(raw.get("name") or subject(call)) + raw.get("suffix", ""),
            file=self._read.file,
            line=self._read.place(path)[0],
            call=call,
            expected=self._expected(raw["expect"], path),
            policy=policy,
            workspace=self._machine(raw, cwd, home, trusted),
            mode=Mode.parse(raw["mode"]) if raw.get("mode") else None,
            answers=answers,
            classifier=raw.get("classifier") or "unavailable",
            version=self._version(raw.get("client"), path),
            skip=raw.get("skip"),
        )

    def _call(self, raw: Mapping[str, Any], path: document.Path) -> ToolCall:
        command, tool, given = raw.get("command"), raw.get("tool"), raw.get("input")
        if (command is None) == (given is None and tool is None):
            raise self._read.error("expected either `command`, or `tool` and `input`", *path)
        if command is not None:
            return ToolCall("Bash", {"command": command})
        if tool is None or given is None:
            raise self._read.error(f"expected `{'tool' if tool is None else 'input'}` too", *path)
        if tool not in grammar.TOOLS and not (tool.startswith("mcp__") and "__" in tool[5:].strip("_")):
            close = next((name for name in grammar.TOOLS if name.lower() == tool.lower()), closest(tool, grammar.TOOLS))
            hint = f"; did you mean {close}?" if close else "; MCP tools are written mcp__SERVER__TOOL"
            raise self._read.error(f"no tool is called {tool!r}{hint}", *path, "tool")
        call = ToolCall(grammar.ALIASES.get(tool, tool), given)
        why = None if tool in _GONE else malformed(call)
        if why is not None:
            raise self._read.error(f"the client would refuse this input of {tool}: {why}", *path, "input")
        return call

    def _expected(self, raw: Any, path: document.Path) -> Expected:
        if isinstance(raw, str):
            return Expected((raw,))
        if not raw:
            raise self._read.error("expected something to be expected, got nothing", *path, "expect")
        decision, finding = raw.get("decision") or (), raw.get("finding") or ()
        return Expected(
            decisions=(decision,) if isinstance(decision, str) else tuple(decision),
            stage=raw.get("stage"),
            reason=raw.get("reason"),
            rule=raw.get("rule", UNSET),
            source=raw.get("source"),
            findings=(finding,) if isinstance(finding, str) else tuple(finding),
        )

    def _check_answers(self, answers: Iterable[HookAnswer], policy: Policy, path: document.Path) -> None:
        known = [hook.command for hook in policy.hooks if hook.event == "PreToolUse"]
        for index, answer in enumerate(answers):
            if not known or (answer.hook is not None and answer.hook not in known):
                there = f"the policy has {', '.join(map(repr, known))}" if known else "the policy has none"
                wanted = "a PreToolUse hook" if answer.hook is None else f"the PreToolUse hook {answer.hook!r}"
                raise self._read.error(f"expected {wanted}, but {there}", *path, "hooks", index)

    def _version(self, text: str | None, path: document.Path) -> Version:
        try:
            return NEWEST if text is None else Version.parse(text)
        except ValueError as error:
            raise self._read.error(str(error), *path, "client") from None

    def _policy(self, cwd: str, home: str, *, trusted: bool) -> Policy:
        key = (cwd, home, trusted)
        if key not in self._policies:
            try:
                self._policies[key] = load_policy(
                    self._read.value["policy"], self._base, cwd=cwd, home=home, trusted=trusted
                )
            except SettingsError as error:
                raise PolicyTestError(
                    f"{error.message} ({error.help})", file=error.file, line=error.line, column=error.column
                ) from None
        return self._policies[key]

    def _machine(self, raw: Mapping[str, Any], cwd: str, home: str, trusted: bool) -> DataWorkspace:
        files, links, git = raw.get("files") or {}, raw.get("links") or {}, raw.get("git") is not False
        key = json.dumps([cwd, home, trusted, files, links, git])
        if key not in self._machines:
            self._machines[key] = DataWorkspace.describe(cwd, home, files, links, git=git, trusted=trusted)
        return self._machines[key]


def subject(call: ToolCall) -> str:
    """The call in one line, as a name: the command itself, or the tool and the one thing that tells it apart."""
    if call.tool == "Bash":
        return str(call.input.get("command", ""))
    main = grammar.MAIN_FIELDS.get(call.tool, ("subagent_type", "skill"))
    shown = next((call.input[field] for field in main if isinstance(call.input.get(field), str)), None)
    if not call.input:
        return call.tool
    return f"{call.tool} {shown if shown is not None else json.dumps(dict(call.input), ensure_ascii=False)}"


def _validate(model: Any, value: Any, read: YamlDocument, base: document.Path) -> None:
    """Raises the first thing that the schema has against `value`, in words of the file."""
    from pydantic import ValidationError

    try:
        model.model_validate(value)
    except ValidationError as error:
        raise _first(error.errors(include_url=False), value, read, base) from None


def _first(errors: list[Any], value: Any, read: YamlDocument, base: document.Path) -> PolicyTestError:
    # A value that may be of two kinds gets an error for each; the one that reached furthest into it is meant.
    found = max(errors, key=lambda one: len(one["loc"]))
    path: list[str | int] = []
    for part in found["loc"]:
        inside = isinstance(value, dict) and part in value
        inside = inside or (isinstance(value, list) and isinstance(part, int) and part < len(value))
        if inside:
            value = value[part]
            path.append(part)
    name = found["loc"][-1]
    if found["type"] == "extra_forbidden":
        return read.error(f"there is no key {name!r} here{_slip(str(name), path)}", *base, *path)
    if found["type"] == "missing":
        return read.error(f"the key {name!r} is missing", *base, *path)
    where = ".".join(str(part) for part in path if isinstance(part, str)) or "this"
    words = found["msg"].replace("Input should be", "be").removeprefix("be ")
    return read.error(f"expected {where} to be {words}, got {_shown(value)}", *base, *path)


def _slip(name: str, path: list[str | int]) -> str:
    from toolaudit.testing import schema

    models = (schema.PolicyTests, schema.CaseEntry, schema.Expectation, schema.PolicyFiles, schema.HookAnswer)
    known = {field for model in models for field in model.model_fields}
    close = closest(name, known - {name})
    return f"; did you mean {close!r}?" if close else ""


def _shown(value: object) -> str:
    return {dict: "an object", list: "a list", type(None): "nothing"}.get(type(value)) or repr(value)[:60]
