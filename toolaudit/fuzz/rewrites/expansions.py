"""Words that only come about when bash expands them."""

from __future__ import annotations

import re

from toolaudit.fuzz.chance import Chance
from toolaudit.fuzz.rewrites.command import Command, Rewrite, Spelling, quote
from toolaudit.fuzz.rewrites.quoting import double_quoted

_NAME = re.compile(r"[A-Za-z0-9_./:=@%+,-]+")


class UnsetVariable(Spelling):
    """A variable that is not set expands to nothing, and next to other text the word stays one word."""

    def spell(self, word: str, chance: Chance) -> str | None:
        if not _NAME.fullmatch(word):
            return None
        at = chance.position(len(word))
        return word[:at] + chance.choose(("${unset_x}", "${unset_x:-}", '"$unset_x"')) + word[at:]


class UnsetPositional(Spelling):
    """So do positional parameters where there are none, and $@ and $*."""

    def spell(self, word: str, chance: Chance) -> str | None:
        if not _NAME.fullmatch(word):
            return None
        at = chance.position(len(word))
        return word[:at] + chance.choose(("$1", "$@", "$*", "${9}")) + word[at:]


class DefaultValue(Spelling):
    """${x:-word} is the word where x is not set."""

    def spell(self, word: str, chance: Chance) -> str | None:
        return f"${{unset_x:-{word}}}" if _NAME.fullmatch(word) else None


class AssignedDefault(Spelling):
    """${x:=word} is the word, and sets x."""

    def spell(self, word: str, chance: Chance) -> str | None:
        return f"${{unset_y{chance.position(999)}:={word}}}" if _NAME.fullmatch(word) else None


class AlternateValue(Spelling):
    """${x:+word} is the word where x is set; HOME always is."""

    def spell(self, word: str, chance: Chance) -> str | None:
        return f"${{HOME:+{word}}}" if _NAME.fullmatch(word) else None


class SubstitutedWord(Spelling):
    """$(echo word) is what echo writes, without the line end."""

    def spell(self, word: str, chance: Chance) -> str | None:
        return f"$(echo {word})" if _NAME.fullmatch(word) and not word.startswith("-") else None


class BacktickWord(Spelling):
    """`…` is the older spelling of the same."""

    def spell(self, word: str, chance: Chance) -> str | None:
        return f"`echo {word}`" if _NAME.fullmatch(word) and not word.startswith("-") else None


class PrintfWord(Spelling):
    """printf reads octal escapes in its format."""

    def spell(self, word: str, chance: Chance) -> str | None:
        if not word or word.endswith("\n"):
            return None
        return "\"$(printf '" + "".join(f"\\{byte:03o}" for byte in word.encode()) + "')\""


class FieldSeparator(Rewrite):
    """$IFS expands to a blank, a tab and a line end, at which the result is split into words: no blank is written."""

    def apply(self, command: Command, chance: Chance) -> Command | None:
        if len(command.pieces) < 2 or command.gap != " ":
            return None
        return command.regapped("${IFS}")


class BracedWords(Rewrite):
    """{a,b,c} makes a word of each of its parts."""

    def apply(self, command: Command, chance: Chance) -> Command | None:
        if len(command.argv) < 2 or not all(re.fullmatch(r"[A-Za-z0-9_./:-]+", word) for word in command.argv):
            return None
        return command.replaced("{" + ",".join(command.argv) + "}")


class Variable(Rewrite):
    """A variable in the place of the command's name is expanded before the name is looked up."""

    before = "v={name}; "
    name_is = "$v"

    def apply(self, command: Command, chance: Chance) -> Command | None:
        name = command.argv[0]
        if not _NAME.fullmatch(name):
            return None
        changed = command.respelled(0, self.name_is)
        return changed.framed(self.before.format(name=name, upper=name.upper(), octal=_octal(name)), "")


class SingleBranchVariable(Variable):
    """A variable set in one statement is there in the next, behind && as behind a semicolon."""

    before = "v={name} && "


class IndirectVariable(Variable):
    """${!w} is the value of the variable that w names."""

    before = "v={name} w=v; "
    name_is = "${!w}"


class NamedReference(Variable):
    """declare -n makes a variable another name of a second one."""

    before = "v={name}; declare -n w=v; "
    name_is = "$w"


class CutPrefix(Variable):
    """${v#pattern} cuts a prefix off."""

    before = "v=xx{name}; "
    name_is = "${v#xx}"


class CutSuffix(Variable):
    """${v%pattern} cuts a suffix off."""

    before = "v={name}.x; "
    name_is = "${v%.x}"


class Substring(Variable):
    """${v:n} is what follows the first n characters."""

    before = "v=12{name}; "
    name_is = "${v:2}"


class Replacement(Variable):
    """${v/pattern/string} puts one in the place of the other."""

    before = "v=x{name}; "
    name_is = "${v/x/}"


class LowerCase(Variable):
    """${v,,} is the value in lower case."""

    before = "v={upper}; "
    name_is = "${v,,}"

    def apply(self, command: Command, chance: Chance) -> Command | None:
        return super().apply(command, chance) if command.argv[0].islower() else None


class EscapeTransformation(Variable):
    """${v@E} reads the escapes of $'…' in the value."""

    before = "v='{octal}'; "
    name_is = "${v@E}"


class ReadVariable(Variable):
    """read sets a variable to a line of its input."""

    before = "read v <<<{name}; "


class PrintfVariable(Variable):
    """printf -v sets a variable to what it would print."""

    before = "printf -v v '{octal}'; "


class LoopVariable(Variable):
    """for sets a variable to each of its words."""

    before = "for v in {name}; do "

    def apply(self, command: Command, chance: Chance) -> Command | None:
        changed = super().apply(command, chance)
        return changed and changed.framed("", "; done" if command.ends_plainly else "\ndone")


class Positionals(Rewrite):
    """set -- gives the positional parameters new values, and "$@" is each of them as a word."""

    def apply(self, command: Command, chance: Chance) -> Command | None:
        return command.replaced('"$@"').framed("set -- " + " ".join(quote(word) for word in command.argv) + "; ", "")


class ArrayElements(Rewrite):
    """ "${v[@]}" is each element of an array as a word."""

    def apply(self, command: Command, chance: Chance) -> Command | None:
        return command.replaced('"${v[@]}"').framed("v=(" + " ".join(quote(word) for word in command.argv) + "); ", "")


class SplitVariable(Rewrite):
    """An unquoted variable is split into words at blanks."""

    def apply(self, command: Command, chance: Chance) -> Command | None:
        if not all(_NAME.fullmatch(word) for word in command.argv):
            return None
        return command.replaced("$v").framed("v=" + double_quoted(" ".join(command.argv)) + "; ", "")


def _octal(word: str) -> str:
    return "".join(f"\\{byte:03o}" for byte in word.encode())
