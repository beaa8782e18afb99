"""Builtins of bash that start a program or evaluate text."""

from __future__ import annotations

from toolaudit.fuzz.chance import Chance
from toolaudit.fuzz.rewrites.command import Command, Frame, Rewrite, quote


class CommandBuiltin(Frame):
    """command starts a program past functions of its name."""

    before = "command "


class CommandDashes(Frame):
    """-- ends its options."""

    before = "command -- "


class BuiltinCommand(Frame):
    """builtin runs a builtin, and command is one."""

    before = "builtin command "


class Exec(Frame):
    """exec starts a program in the place of the shell."""

    before = "exec "


class ExecNamed(Frame):
    """exec -a tells the program another name; the program is the same."""

    before = "exec -a other "


class ExecClean(Frame):
    """exec -c empties its environment."""

    before = "exec -c "


class Evaluator(Rewrite, base=True):
    """Gives the command's text, as one quoted word, to what evaluates it."""

    form = "{}"

    def apply(self, command: Command, chance: Chance) -> Command | None:
        return command.replaced(self.form.replace("{}", quote(command.text))).unframed()


class Eval(Evaluator):
    """eval reads its arguments as a command."""

    form = "eval {}"


class EvalWords(Frame):
    """It joins them with blanks first, so unquoted words will do where none needs quotes twice."""

    before = "eval "

    def apply(self, command: Command, chance: Chance) -> Command | None:
        if any(quote(word) != word for word in command.argv) or command.before or command.after:
            return None
        return super().apply(command, chance)


class SourceProcess(Evaluator):
    """. runs the commands in a file, and <(…) is one."""

    form = ". <(echo {})"


class SourceInput(Evaluator):
    """So is /dev/stdin."""

    form = "source /dev/stdin <<<{}"


class TrapExit(Evaluator):
    """trap keeps text to evaluate when the shell ends."""

    form = "trap {} EXIT"


class TrapDebug(Evaluator):
    """DEBUG stands for before each command."""

    form = "trap {} DEBUG; :"


class TrapError(Evaluator):
    """ERR stands for after each failure."""

    form = "trap {} ERR; false"


class TrapSignal(Evaluator):
    """And a signal's name for the signal."""

    form = "trap {} USR1; kill -USR1 $$"


class MapfileCallback(Evaluator):
    """mapfile -C evaluates text with two words appended, which a comment swallows."""

    form = "mapfile -c 1 -C {}' #' <<<x"


class Alias(Rewrite):
    """Where aliases are on, a name defined on one line is replaced on the next."""

    def apply(self, command: Command, chance: Chance) -> Command | None:
        return command.replaced(f"shopt -s expand_aliases; alias q={quote(command.text)}\nq").unframed()


class PromptTrace(Rewrite):
    """set -x expands PS4, substitutions included, in front of each command it shows."""

    def apply(self, command: Command, chance: Chance) -> Command | None:
        if "\\" in command.text:
            return None  # a prompt has escapes of its own
        return command.replaced(f"PS4={quote('$(' + command.text + chr(10) + ')')}; set -x; :").unframed()


class Evaluated(Rewrite, base=True):
    """Puts the command as a substitution into text that is evaluated only later."""

    form = "{}"
    text = "v[$({}\n)]"

    def apply(self, command: Command, chance: Chance) -> Command | None:
        return command.replaced(self.form.replace("{}", quote(self.text.replace("{}", command.text)))).unframed()


class ArithmeticVariable(Evaluated):
    """Arithmetic evaluates a variable's value as arithmetic, and a subscript in it is expanded."""

    form = "x={}; : $((x))"


class LetSubscript(Evaluated):
    """let evaluates its arguments so."""

    form = "let {}"


class TestVariable(Evaluated):
    """test -v looks up a subscript."""

    form = "test -v {}"


class BracketVariable(Evaluated):
    """[ is the same builtin."""

    form = "[ -v {} ]"


class IntegerComparison(Evaluated):
    """[[ x -eq y ]] evaluates both sides as arithmetic."""

    form = "[[ {} -eq 1 ]]"


class IntegerVariable(Evaluated):
    """An assignment to a variable declared -i evaluates its value."""

    form = "declare -i x; x={}"


class PrintfSubscript(Evaluated):
    """printf -v may name an array's element."""

    form = "printf -v {} x"


class ReadSubscript(Evaluated):
    """So may read."""

    form = "read {} <<<x"


class UnsetSubscript(Evaluated):
    """So may unset."""

    form = "v=(1); unset {}"


class IndirectSubscript(Evaluated):
    """So may the variable of an indirect expansion."""

    form = "x={}; : ${!x}"


class PromptTransformation(Evaluated):
    """${x@P} expands the value as a prompt, substitutions included."""

    form = 'x={}; : "${x@P}"'
    text = "$({}\n)"

    def apply(self, command: Command, chance: Chance) -> Command | None:
        return None if "\\" in command.text else super().apply(command, chance)


class CompletionWords(Evaluated):
    """compgen -W expands its word list."""

    form = "compgen -W {}"
    text = "$({}\n)"


class HashedPath(Rewrite):
    """hash -p tells bash that a name is a program elsewhere."""

    def apply(self, command: Command, chance: Chance) -> Command | None:
        name = command.argv[0]
        if "/" in name or len(command.pieces) != len(command.argv):
            return None
        return command.respelled(0, "q").framed(f"hash -p /bin/{name} q; ", "")
