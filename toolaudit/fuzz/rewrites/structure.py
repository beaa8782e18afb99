"""The command inside another construct of the shell, which still starts it."""

from __future__ import annotations

from toolaudit.fuzz.chance import Chance
from toolaudit.fuzz.rewrites.command import Command, Frame, Rewrite


class LeadingBlank(Frame):
    """Blanks in front of a command are skipped."""

    before = "  "


class LeadingLine(Frame):
    """So are empty lines."""

    before = "\n"


class LeadingComment(Frame):
    """So are comments, up to the end of their line."""

    before = "# a comment\n"


class TrailingBlank(Frame):
    """Blanks behind a command are skipped."""

    after = " "


class TrailingComment(Frame):
    """A # at the start of a word begins a comment."""

    after = " # a comment"


class TrailingSemicolon(Frame):
    """A semicolon may end the last command."""

    after = ";"


class Sequence(Frame):
    """Behind a semicolon the next command follows, whatever became of the one before."""

    before = "false; "


class NextLine(Frame):
    """Behind a line end likewise."""

    before = "true\n"


class BackslashLine(Rewrite):
    """A word may start with a backslash in a new line too; parsers are known to glue the lines together."""

    def apply(self, command: Command, chance: Chance) -> Command | None:
        if command.before or not command.pieces[0][:1].isalpha():
            return None
        return command.respelled(0, "\\" + command.pieces[0]).framed("true\n", "")


class AndList(Frame):
    """Behind && a command follows when the one before succeeds."""

    before = "true && "


class OrList(Frame):
    """Behind || one follows when the one before fails."""

    before = "false || "


class Background(Frame):
    """& starts a command without waiting for it."""

    after = " &"


class BehindBackground(Frame):
    """Behind & the next command follows at once."""

    before = "true & "


class PipelineStart(Frame):
    """Each part of a pipeline is started."""

    after = " | read x"


class PipelineEnd(Frame):
    """Each part of a pipeline is started, the last one too."""

    before = "echo x | "


class PipelineOfBoth(Frame):
    """|& is a pipe for the standard error too."""

    before = "echo x |& "


class Negation(Frame):
    """! turns the exit status around."""

    before = "! "


class Time(Frame):
    """time is a reserved word in front of a pipeline."""

    before = "time "


class TimePosix(Frame):
    """It has one option."""

    before = "time -p "


class Coprocess(Frame):
    """coproc starts a command with pipes to both of its ends."""

    before = "coproc "


class Subshell(Frame):
    """Parentheses run commands in a shell of their own."""

    before = "("
    after = ";)"


class NestedSubshell(Frame):
    """They nest, with a blank between them lest they mean arithmetic."""

    before = "( ( "
    after = "; ) )"


class Group(Frame):
    """Braces group commands in the same shell; } is a word, so a semicolon stands before it."""

    before = "{ "
    after = "; }"


class If(Frame):
    """The body of if is run when the condition succeeds."""

    before = "if true; then "
    after = "; fi"


class IfCondition(Frame):
    """The condition itself is a command."""

    before = "if "
    after = "; then :; fi"


class Else(Frame):
    """The body of else is run when the condition fails."""

    before = "if false; then :; else "
    after = "; fi"


class ElseIf(Frame):
    """So is the condition of elif."""

    before = "if false; then :; elif "
    after = "; then :; fi"


class WhileCondition(Frame):
    """The condition of while is run at least once."""

    before = "while "
    after = "; do break; done"


class UntilCondition(Frame):
    """That of until too."""

    before = "until "
    after = "; do break; done"


class WhileBody(Frame):
    """The body of a loop is run while its condition succeeds."""

    before = "while true; do "
    after = "; break; done"


class ForBody(Frame):
    """The body of for is run for each of its words."""

    before = "for i in 1; do "
    after = "; done"


class ForBraces(Frame):
    """It may stand in braces, which no manual page mentions."""

    before = "for i in 1; { "
    after = "; }"


class CountingFor(Frame):
    """for has an arithmetic form."""

    before = "for ((i=0; i<1; i++)); do "
    after = "; done"


class Select(Frame):
    """select reads a choice and runs its body with it."""

    before = "select i in a; do "
    after = "; break; done <<<1"


class CaseBody(Frame):
    """The body of the first pattern that matches is run."""

    before = "case x in x) "
    after = ";; esac"


class CaseFallThrough(Frame):
    """;& goes on into the next body without a test."""

    before = "case x in x) ;& y) "
    after = ";; esac"


class Function(Frame):
    """A function's body is run when its name is called."""

    before = "f() { "
    after = "; }; f"


class FunctionKeyword(Frame):
    """The word function may introduce one."""

    before = "function f { "
    after = "; }; f"


class FunctionSubshell(Frame):
    """Any compound command may be the body."""

    before = "f() ( "
    after = "; ); f"


class QuotedEcho(Frame):
    """A quoted quote does not end a string, an unquoted one does: what follows is a command."""

    before = 'echo "\\""; '
    after = '; echo "\\""'
