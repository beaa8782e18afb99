"""The command inside an expansion, which bash runs on its way to the words of another."""

from __future__ import annotations

from toolaudit.fuzz.chance import Chance
from toolaudit.fuzz.rewrites.command import Command, Frame, Rewrite


class Substitution(Frame):
    """$(…) runs commands for their output."""

    before = ": $("
    after = ";)"


class BacktickSubstitution(Rewrite):
    r"""`…` does so too; inside, \ quotes `, $ and itself."""

    def apply(self, command: Command, chance: Chance) -> Command | None:
        if any(mark in command.text for mark in "`\\"):
            return None
        return command.framed(": `", "`")


class QuotedSubstitution(Frame):
    """Double quotes do not keep a substitution from running."""

    before = ': "$('
    after = ';)"'


class ProcessInput(Frame):
    """<(…) starts commands and stands for a file to read their output from."""

    before = ": <("
    after = ";)"


class ProcessOutput(Frame):
    """>(…) starts commands and stands for a file to write to."""

    before = ": >("
    after = ";); :"


class AssignedSubstitution(Frame):
    """The value of an assignment may be a substitution, without any command."""

    before = "v=$("
    after = ";)"


class ExportedSubstitution(Frame):
    """So may that of a declaration."""

    before = "export v=$("
    after = ";)"


class ArraySubstitution(Frame):
    """So may an array's elements."""

    before = "v=($("
    after = ";))"


class DefaultSubstitution(Frame):
    """The default of an expansion is expanded in turn."""

    before = ": ${unset_x:-$("
    after = ";)}"


class QuotedDefaultSubstitution(Frame):
    """Single quotes inside a double-quoted default quote nothing."""

    before = ": \"${unset_x:-'$("
    after = ";)'}\""

    def apply(self, command: Command, chance: Chance) -> Command | None:
        return None if "'" in command.text else super().apply(command, chance)


class PatternSubstitution(Frame):
    """So are the pattern and the string of a replacement."""

    before = ": ${HOME/x/$("
    after = ";)}"


class ArithmeticSubstitution(Frame):
    """Arithmetic expands its text first."""

    before = ": $(( 1 + $("
    after = ";) ))"


class SubscriptSubstitution(Frame):
    """An array's subscript is expanded before it is evaluated."""

    before = ": ${v[$("
    after = ";)]}"


class HeredocSubstitution(Frame):
    """The body of a here-document is expanded when its delimiter is not quoted."""

    before = ": <<EOF\n$("
    after = ";)\nEOF\n"


class HereStringSubstitution(Frame):
    """So is a here-string."""

    before = ': <<<"$('
    after = ';)"'


class TargetSubstitution(Frame):
    """So is the target of a redirection."""

    before = ": >$("
    after = ";)"


class LoopWordSubstitution(Frame):
    """So are the words of for."""

    before = "for i in $("
    after = ";); do :; done"


class CaseWordSubstitution(Frame):
    """So is the word of case."""

    before = "case $("
    after = ";) in x) ;; esac"


class PatternWordSubstitution(Frame):
    """So are its patterns."""

    before = "case x in $("
    after = ";)) ;; esac"


class ConditionSubstitution(Frame):
    """So are the words of a condition."""

    before = "[[ -n $("
    after = ";) ]]"


class RegexSubstitution(Frame):
    """So is the regular expression of =~."""

    before = "[[ x =~ $("
    after = ";) ]]"
