"""What a tool may know and use while it runs, grouped by concern, and how a sub-agent's share of it is cut out.

A context is copied before every call and never changed by a tool: the modifier in a result is the only way on. What
does change while calls run (files read, denials counted, results replaced, the abort signal) is an object of its own
that contexts share, or that a sub-agent gets a fresh one of.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from toolaudit.model import Mode, Policy
from toolaudit.model.versions import NEWEST, Version
from toolaudit.model.workspace import Workspace
from toolaudit.structs import Struct, field, replace
from toolaudit.tools.effects.background import Tasks
from toolaudit.tools.effects.commands import Runner
from toolaudit.tools.effects.web import Transport
from toolaudit.tools.messages import Message

if TYPE_CHECKING:
    from toolaudit.tools.interface import Tool

FILES_MAX = 100
"""How many files the state cache remembers."""

FILES_BYTES_MAX = 25 << 20
"""How many characters of text all its files have together at most."""


RESULT_CHARS_MAX = 400_000
"""How many characters the results of a conversation take together before more of them go to files.

Our number: about half of a model's window. The documents name the budget and no size.
"""


class AgentEnd(Struct):
    """What a sub-agent leaves behind."""

    report: str
    messages: tuple[Message, ...] = ()
    """Its transcript."""
    mode: Mode | None = None
    """The mode that its parent goes on in, where a person changed it on the way."""


class Agents(Protocol):
    """The loop of sub-agents."""

    def run(self, given: Mapping[str, Any], context: ToolUseContext) -> AgentEnd:
        """Runs the sub-agent that a call of Agent with the input `given` asks for, to its end."""

    def sent(self, thread: threading.Thread) -> None:
        """Takes note of one that runs on its own; whoever ends the session waits for it."""


class Options(Struct):
    """Set once, when a session begins."""

    tools: tuple[Tool[Any, Any, Any], ...] = ()
    """The pool, in the order the model sees it."""
    model: str = ""
    interactive: bool = False
    """A person is there to ask."""
    coordinator: bool = False
    """Agents may run side by side."""
    results_directory: str = ""
    """Where results that are too long are kept; empty: nowhere, and then they are cut."""
    environment: Mapping[str, str] = field(default_factory=dict)
    version: Version = NEWEST
    """The client whose behaviour the tools show."""
    runner: Runner | None = None
    """How commands are contained; None: in the sandbox of the system, and not run at all where it has none."""
    transport: Transport | None = None
    """How pages are fetched; None: not at all."""
    agents: Agents | None = None
    """Who runs sub-agents; None: there are none."""
    debug: bool = False

    def number(self, variable: str) -> int | None:
        """The whole number that a variable of the session says; None where it says none, or one too long to mean."""
        given = self.environment.get(variable, "")
        return int(given) if given.isascii() and given.isdigit() and len(given) < 9 else None


class AbortSignal:
    """Set once, seen by all who share it and by the signals derived from it."""

    __slots__ = ("_event", "_parent", "reason")

    def __init__(self, parent: AbortSignal | None = None) -> None:
        self._event = threading.Event()
        self._parent = parent
        self.reason = ""

    def abort(self, reason: str) -> None:
        if not self._event.is_set():
            self.reason = reason
            self._event.set()

    @property
    def aborted(self) -> bool:
        return self._event.is_set() or (self._parent is not None and self._parent.aborted)

    @property
    def why(self) -> str:
        """The reason that was given, here or further up; empty while nothing is aborted."""
        return self.reason or (self._parent.why if self._parent is not None else "")

    def wait(self, seconds: float) -> bool:
        """Waits until this signal itself is set, at most `seconds`; says whether it or a parent is."""
        self._event.wait(seconds)
        return self.aborted


class FileState(Struct):
    """What the session knows of one file."""

    text: str
    timestamp: float
    """Its modification time when it was read or written, in seconds."""
    partial: bool = False
    """Only a part of it was read."""


class FileStateCache:
    """The files read and written last, the longest unused forgotten first."""

    def __init__(self, most: int = FILES_MAX, most_characters: int = FILES_BYTES_MAX) -> None:
        self._most = most
        self._most_characters = most_characters
        self._states: OrderedDict[str, FileState] = OrderedDict()
        self._characters = 0
        self._lock = threading.Lock()

    def get(self, path: str) -> FileState | None:
        with self._lock:
            state = self._states.get(path)
            if state is not None:
                self._states.move_to_end(path)
            return state

    def put(self, path: str, state: FileState) -> None:
        with self._lock:
            old = self._states.pop(path, None)
            self._characters += len(state.text) - (len(old.text) if old is not None else 0)
            self._states[path] = state
            while len(self._states) > 1 and (
                len(self._states) > self._most or self._characters > self._most_characters
            ):
                _, oldest = self._states.popitem(last=False)
                self._characters -= len(oldest.text)

    def copy(self) -> FileStateCache:
        other = FileStateCache(self._most, self._most_characters)
        with self._lock:
            other._states = OrderedDict(self._states)
            other._characters = self._characters
        return other

    def __len__(self) -> int:
        return len(self._states)


class AppState:
    """State that outlives a call: tasks, plan, worktree. Changed only through `update`."""

    def __init__(self, values: Mapping[str, Any] | None = None) -> None:
        self._values = dict(values or {})
        self._lock = threading.RLock()

    def get(self, key: str, default: Any = None) -> Any:
        with self._lock:
            return self._values.get(key, default)

    def update(self, key: str, change: Callable[[Any], Any]) -> None:
        """Replaces the value of `key` by what `change` makes of it."""
        with self._lock:
            self._values[key] = change(self._values.get(key))


class FrozenAppState(AppState):
    """An asynchronous agent's view of its parent's state: it reads it and can't change it."""

    def __init__(self, parent: AppState) -> None:
        super().__init__()
        self._parent = parent

    def get(self, key: str, default: Any = None) -> Any:
        return self._parent.get(key, default)

    def update(self, key: str, change: Callable[[Any], Any]) -> None:
        """Does nothing: an agent that runs on its own must not write over what its parent does meanwhile."""


class OverlaidAppState(AppState):
    """A parent's state but for some keys, of which the agent has its own."""

    def __init__(self, parent: AppState, own: Mapping[str, Any]) -> None:
        super().__init__(own)
        self._parent = parent

    def get(self, key: str, default: Any = None) -> Any:
        return super().get(key, default) if key in self._values else self._parent.get(key, default)

    def update(self, key: str, change: Callable[[Any], Any]) -> None:
        """Replaces the value, the agent's own or the parent's."""
        if key in self._values:
            super().update(key, change)
        else:
            self._parent.update(key, change)


class FileAccess(Protocol):
    """What the permission layer says of files, for tools that meet files which no call named."""

    def readable(self, path: str) -> bool:
        """Whether Read would need no approval for the absolute path."""

    def hidden(self, path: str) -> bool:
        """Whether a deny rule keeps the absolute path from being read."""


class PermissionContext(Struct):
    """What the permission chain needs to know."""

    policy: Policy
    mode: Mode
    workspace: Workspace
    before_plan: Mode | None = None
    """The mode to go back to when planning ends."""
    directory: str = ""
    """Where the shell stands; empty: in the session's working directory, which rules and checks go by."""
    access: FileAccess | None = None
    """None: no file is readable before it was read, and none is hidden."""


class DenialTracking:
    """How often the classifier blocked, by which an agent falls back to prompting."""

    def __init__(self) -> None:
        self.consecutive = 0
        self.total = 0
        self._lock = threading.Lock()

    def count(self, before: int, after: int) -> None:
        """Takes note of a call that found `before` blocks in a row and left `after`, whatever ran beside it."""
        with self._lock:
            if after > before:
                self.consecutive += after - before
                self.total += after - before
            elif after < before:
                self.consecutive = after


class ContentReplacementState:
    """Which results were replaced by previews, and how many characters the results take in the conversation."""

    def __init__(self, most: float = RESULT_CHARS_MAX) -> None:
        self._most = most
        self._replaced: dict[str, str] = {}
        self._characters = 0
        self._lock = threading.Lock()

    @property
    def replaced(self) -> Mapping[str, str]:
        """Tool use id -> the file that holds the whole result."""
        return self._replaced

    @property
    def characters(self) -> int:
        return self._characters

    def take(self, characters: int, *, always: bool = False) -> bool:
        """Counts a result of so many characters, if the budget has room for it or in any case; says whether it did."""
        with self._lock:
            if not always and self._characters + characters > self._most:
                return False
            self._characters += characters
            return True

    def replace(self, tool_use_id: str, path: str) -> None:
        with self._lock:
            self._replaced[tool_use_id] = path

    def clone(self) -> ContentReplacementState:
        other = ContentReplacementState(self._most)
        with self._lock:
            other._replaced, other._characters = dict(self._replaced), self._characters
        return other


class Prompter(Struct):
    """How a person is asked. Left empty where there is no one, and then what would be asked is denied."""

    ask: Callable[[Any], Any] | None = None
    """Takes the question, gives the answer; see `toolaudit.pipeline.prompting`."""
    notify: Callable[[str], None] | None = None


class AgentContext(Struct):
    """Which agent the calls come from."""

    id: str = ""
    """Empty: the main one."""
    parent: ToolUseContext | None = None
    asynchronous: bool = False
    system_prompt: str = ""
    """The parent's as it was rendered; rendering it again could differ and cost the prompt cache."""


class ToolUseContext(Struct):
    """Everything a call may use."""

    permissions: PermissionContext
    options: Options = field(default_factory=Options)
    abort: AbortSignal = field(default_factory=AbortSignal)
    files: FileStateCache = field(default_factory=FileStateCache)
    app: AppState = field(default_factory=AppState)
    messages: tuple[Message, ...] = ()
    denials: DenialTracking = field(default_factory=DenialTracking)
    replacements: ContentReplacementState = field(default_factory=ContentReplacementState)
    prompter: Prompter = field(default_factory=Prompter)
    agent: AgentContext = field(default_factory=AgentContext)
    tasks: Tasks = field(default_factory=Tasks)
    """The commands of the session, sub-agents' ones among them. Whoever made the context closes it."""

    @property
    def cwd(self) -> str:
        """Where relative paths start: the shell's directory."""
        return self.permissions.directory or self.permissions.workspace.cwd


def create_subagent_context(
    parent: ToolUseContext, agent_id: str, *, asynchronous: bool = False, mode: Mode | None = None
) -> ToolUseContext:
    """The context of a sub-agent: what it shares with `parent` and what it gets for itself.

    shared     options; the policy and the workspace; the commands; for one that is waited for, abort signal and state
    its own    the conversation, the count of denials, a derived abort signal when it runs on its own
    a copy     the files read, the results replaced
    nothing    writing the state, when it runs on its own; asking a person, who is reached through the parent
    """
    return replace(
        parent,
        permissions=replace(parent.permissions, mode=mode or parent.permissions.mode),
        abort=AbortSignal(parent.abort) if asynchronous else parent.abort,
        files=parent.files.copy(),
        app=FrozenAppState(parent.app) if asynchronous else parent.app,
        messages=(),
        denials=DenialTracking(),
        replacements=parent.replacements.clone(),
        prompter=Prompter(),
        agent=AgentContext(agent_id, parent, asynchronous, parent.agent.system_prompt),
    )
