"""The embedded classifier: deterministic, without network or key, from facts of the parsed call.

Stage 1 looks at the call alone and lets it through only where all of it is known to be harmless: any fact against it
flags it, and so does a program, option, task, package, place, address, tool or kind of file that no table knows. Stage
2 goes through the facts with the session's context, and lets a fact go where the session made the thing itself, the
policy excepts the command, or the user asked for just this; what is left blocks, and the reason says so.

What it can't do: understand prose. Of the policy's lists it reads the commands in backticks, hosts and storage places;
of the user's words the verbs and names. A limit or a permission in other words is left to a model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from toolaudit.classifier.categories import CATEGORIES
from toolaudit.classifier.local import calls, embedded, flow, inquiries, limits, powershell, shells, unknown
from toolaudit.classifier.local.asking import asked
from toolaudit.classifier.local.concern import Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.starts import Text, take_apart
from toolaudit.classifier.question import Question
from toolaudit.classifier.stages import Opinion
from toolaudit.model.verdict import Answer


@dataclass(frozen=True, slots=True)
class Local:
    """The two stages of `local`."""

    name: str = "local"

    def first(self, question: Question) -> Opinion:
        text, context = _read(question)
        concern = next(iter(_concerns(question, text, context)), None)
        if concern is None:
            return Opinion(Answer.ALLOW, reason="all of it is known to be harmless", input=question.shown)
        return Opinion(Answer.BLOCK, concern.category, concern.why, input=question.shown)

    def second(self, question: Question, flagged: Opinion) -> Opinion:
        text, context = _read(question)
        let_go: list[str] = []
        excepted = context.excepted(text.starts)
        for concern in _weightiest(_concerns(question, text, context)):
            why = _cleared(concern, context, excepted)
            if why is None:
                return Opinion(Answer.BLOCK, concern.category, concern.why, input=question.text)
            let_go.append(f"{concern.why}, but {why}")
        return Opinion(Answer.ALLOW, flagged.category, "; ".join(dict.fromkeys(let_go)), input=question.text)


def _read(question: Question) -> tuple[Text, Context]:
    """The call's shell text, with the shell scripts that it runs and the session wrote, and the context."""
    command, context = question.call.input.get("command"), Context(question)
    if question.call.tool not in calls.SHELLS or not isinstance(command, str):
        return Text((), {}), context
    if question.call.tool == "PowerShell":
        return powershell.take_apart(command), context
    text = take_apart(command)
    scripts = {
        path
        for start in text.starts
        if start.program in flow.SCRIPTED or start.program.endswith(".sh")
        for path in (context.absolute(spelled, start.folder) for spelled in flow.ran(start))
        if path in context.scripts
    }
    for path in sorted(scripts):
        inner = take_apart(context.scripts[path])
        text = Text(
            (*text.starts, *inner.starts),
            {**inner.values, **text.values},
            text.unread or inner.unread,
            text.functions | inner.functions,
        )
    return text, context


def _concerns(question: Question, text: Text, context: Context) -> Iterator[Concern]:
    tool, given = question.call.tool, question.call.input
    changing = unknown.changes(text) if text.starts else calls.changes(tool)
    yield from chain(
        limits.find(text.starts or calls.spelled(tool), changing, calls.edited(tool, given), context),
        inquiries.find(text, calls.edited(tool, given), context),
        shells.find(text, context),
        embedded.of_shell(text, context),
        calls.find(tool, given, context),
    )


def _weightiest(concerns: Iterator[Concern]) -> Sequence[Concern]:
    return sorted(concerns, key=lambda one: (not one.hard, one.category not in _HARD, one.any_verb))


_HARD: Final = frozenset(name for name, category in CATEGORIES.items() if category.hard)


def _cleared(concern: Concern, context: Context, excepted: str | None) -> str | None:
    """Why a concern does not count here; None: it does."""
    if concern.hard or concern.category in _HARD:
        return None
    if concern.own:
        return "the session made it"
    if excepted is not None and not concern.policy:
        return f"the policy excepts it: {excepted}"
    if concern.category == "boundary" and not concern.policy and concern.asked is None:
        return None
    message = asked(concern, context)
    command = context.question.call.input.get("command")
    if message is None and not concern.policy and isinstance(command, str):
        message = context.wrote(command)
    return None if message is None else f"the user asked for it: {message}"
