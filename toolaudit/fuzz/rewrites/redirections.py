"""Redirections and assignments, which change where a command writes, not what it is."""

from __future__ import annotations

from toolaudit.fuzz.chance import Chance
from toolaudit.fuzz.rewrites.command import Command, Frame, Rewrite


class OutputToNull(Frame):
    """> sends the output elsewhere."""

    after = " >/dev/null"


class ErrorsToNull(Frame):
    """A digit in front of > names the descriptor."""

    after = " 2>/dev/null"


class BothToNull(Frame):
    """&> sends output and errors elsewhere."""

    after = " &>/dev/null"


class ErrorsToOutput(Frame):
    """>& makes one descriptor a copy of another."""

    after = " 2>&1"


class ClosedDescriptor(Frame):
    """>&- closes one."""

    after = " 3>&-"


class InputFromNull(Frame):
    """< takes the input from a file."""

    after = " </dev/null"


class HereString(Frame):
    """<<< takes it from a word."""

    after = " <<<x"


class HereDocument(Frame):
    """<< takes it from the lines that follow."""

    after = " <<'EOF'\n$x\nEOF\n"


class NamedDescriptor(Frame):
    """{x}> opens a free descriptor and puts its number into x."""

    after = " {x}>/dev/null"


class ForcedOutput(Frame):
    """>| writes over a file in spite of noclobber."""

    after = " >|/dev/null"


class LeadingRedirection(Frame):
    """A redirection may stand before the command."""

    before = ">/dev/null "


class LeadingInput(Frame):
    """So may one of the input."""

    before = "</dev/null "


class LeadingHereString(Frame):
    """And a here-string."""

    before = "<<<x "


class MiddleRedirection(Rewrite):
    """It may stand between two words; the words behind it are arguments as before."""

    def apply(self, command: Command, chance: Chance) -> Command | None:
        if len(command.pieces) < 2:
            return None
        at = chance.position(len(command.pieces) - 2)
        return command.respelled(at, command.pieces[at] + chance.choose((" >/dev/null", " 2>&1", " </dev/null")))


class TightRedirection(Rewrite):
    """No blank is needed in front of >, nor behind its target if another operator follows."""

    def apply(self, command: Command, chance: Chance) -> Command | None:
        if command.after or command.pieces[-1][-1:].isdigit():
            return None
        return command.respelled(len(command.pieces) - 1, command.pieces[-1] + ">/dev/null</dev/null")


class Assignment(Frame):
    """An assignment before a command puts a variable into its environment."""

    before = "A=1 "


class LocaleAssignment(Frame):
    """Many are harmless and common."""

    before = "LANG=C "


class QuotedAssignment(Frame):
    """Its value may be quoted, and hold blanks."""

    before = "A='x y' "


class EmptyAssignment(Frame):
    """It may be empty, where the next word looks like its value."""

    before = "A= "


class AppendedAssignment(Frame):
    """+= appends to the value."""

    before = "A+=1 "


class ManyAssignments(Frame):
    """There may be many, mixed with redirections."""

    before = "A=1 B=2 >/dev/null C=3 "


class GroupRedirection(Frame):
    """A redirection behind a group holds for all that is in it."""

    before = "{ "
    after = "; } >/dev/null"


class LoopRedirection(Frame):
    """Behind a loop likewise."""

    before = "for i in 1; do "
    after = "; done </dev/null"
