"""PowerShell text into statements, by a whitelist: what is not plainly a command with constant arguments is refused.

    understood      words, '…', "…" and here-strings without expansion, $true $false $null, a,b
    separators      ;  |  &&  ||  and line ends (documents, 3.1)
    dropped         # comments, 2>&1 and the like, > $null
    not understood  everything else; the reading says what, and goes on, so that deny rules see every statement

Brackets, script blocks and substitutions are entered for that purpose, also inside strings. PowerShell's own grammar
decides the details: a typographic quote is a quote, a word that starts with a quote ends with it. Time and memory are
linear in the text: nesting is kept on a stack.
"""

from __future__ import annotations

from typing import Final

from toolaudit.permissions.powershell import tokens
from toolaudit.permissions.powershell.statement import Reading, Statement, Word
from toolaudit.structs import Struct, field

MAX_LENGTH: Final = 10_000
"""A longer text is not understood, as in Bash (documents, 2.5.3)."""

MAX_DEPTH: Final = 20
MAX_DEEP_TEXT: Final = 1_000
"""Statements in more than MAX_DEPTH brackets keep only this many characters of their text: texts there overlap."""

_NESTED: Final = "$(\u2026)"
"""Stands in a word for a bracket or substitution."""

_NOTHING: Final = frozenset({"$null", "/dev/null"})
"""Targets of redirections that are no file (documents, 2.4.1)."""


def read(text: str) -> Reading:
    """Take `text` apart."""
    seen = tokens.INVISIBLE.sub("", text)
    plain = seen.translate(tokens.ALIKE)
    reader = _Reader(plain)
    if seen != text:
        reader.refuse("an invisible character hides what the text says")
    if plain != seen:
        reader.refuse("PowerShell reads typographic quotes, dashes and blanks as plain ones")
    if len(text) > MAX_LENGTH:
        reader.refuse(f"the text is longer than {MAX_LENGTH} characters")
    reader.read()
    return Reading(tuple(reader.statements), reader.reason, reader.deferred)


class _Word(Struct, frozen=False):
    """A word being read."""

    start: int
    pieces: list[list[str]] = field(default_factory=lambda: [[]])
    """Of each element of a list."""
    quoted: bool = False
    literal: bool = True
    closed: bool = False
    """Its last element is a string in quotes, and complete."""


class _Open(Struct, frozen=False):
    """What was being read when a bracket opened."""

    closing: str
    """What ends the string that the bracket stands in; empty in code."""
    words: list[Word]
    starts: list[int]
    redirects: list[Word]
    piped: bool
    redirecting: bool
    word: _Word


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.reason: str | None = None
        self.deferred = False
        self.statements: list[Statement] = []
        self.open: list[_Open] = []
        self.word: _Word | None = None
        self.redirecting = False
        self.piped = False
        self.words: list[Word] = []
        self.starts: list[int] = []
        self.redirects: list[Word] = []

    def read(self) -> None:
        text, end = self.text, len(self.text)
        while self.at < end:
            match = (tokens.START.match(text, self.at) if self.word is None else None) or tokens.TOKEN.match(
                text, self.at
            )
            assert match is not None, "every character starts a token"
            at, self.at = self.at, match.end()
            self.take(match.lastgroup or "", match[0], at)
        if self.open:
            self.refuse("a bracket is never closed")
        while self.open:
            self.leave(end)
        self.end_statement(end)

    def take(self, kind: str, token: str, at: int) -> None:
        """Act on the token of one kind that starts at `at`; `self.at` is its end."""
        match kind:
            case "plain":
                self.add(token, at)
            case "blank" | "merge" | "comment":
                self.end_word(at)
            case "end" | "pipe":
                continued = kind == "end" and token.isspace() and self.piped and not self.words and self.word is None
                self.end_statement(at)
                self.piped = kind == "pipe" or continued
            case "redirect":
                self.end_word(at)
                self.redirecting = True
            case "single":
                if token.count("'") % 2:
                    self.refuse("a quote is never closed")
                    token += "'"
                self.add(token[1:-1].replace("''", "'"), at, quoted=True)
            case "double":
                self.add("", at, quoted=True)
                self.string('"')
            case "here":
                self.here(token, at)
            case "constant" if self.word is None or self.after_colon(self.word):
                self.add(token, at)
            case "variable" | "constant":
                self.variable(token, at)
            case "group":
                self.refuse("a bracket, a script block or a subexpression holds code of its own")
                self.enter("", at)
            case "close":
                self.leave(at)
            case "comma":
                self.comma(at)
            case "escape":
                self.escape(token, at)
            case "background":
                self.background(at)
            case "splat":
                self.refuse("`@` splats a variable into arguments")
                self.add(token, at, literal=False)
            case "block":
                self.refuse("a block comment")
                closing = self.text.find("#>", self.at)
                self.at = len(self.text) if closing < 0 else closing + 2
            case _:
                self.refuse("`<` is not an operator of PowerShell")
                self.end_word(at)

    def refuse(self, why: str) -> None:
        """Note the first reason why the text is not understood."""
        self.reason = self.reason or why

    def add(self, value: str, at: int, *, quoted: bool = False, literal: bool = True) -> None:
        """A piece of the word being read, or the start of one."""
        word = self.word
        if word is None:
            word = self.word = _Word(at)
        if word.closed:
            self.refuse("what follows a closing quote at once is an argument of its own")
        word.closed = word.closed or (quoted and not word.pieces[-1])
        word.pieces[-1].append(value)
        word.quoted = word.quoted or quoted
        word.literal = word.literal and literal

    def after_colon(self, word: _Word) -> bool:
        """Whether the word so far is the name of a parameter and a colon, as in `-Confirm:$false`."""
        return self.text[word.start] == "-" and len(word.pieces) == 1 and word.pieces[0][-1].endswith(":")

    def string(self, closing: str) -> None:
        """Read on in an expandable string, to its end or to a substitution in it."""
        word = self.word
        assert word is not None, "a string is part of a word"
        pieces, pattern = word.pieces[-1], tokens.STRINGS[closing]
        while (match := pattern.search(self.text, self.at)) is not None:
            pieces.append(self.text[self.at : match.start()])
            self.at = match.end()
            token = match[0]
            if token == closing:
                return
            if token == '""':
                pieces.append('"')
            elif token == "$(":
                self.refuse("a subexpression in a string holds code of its own")
                self.enter(closing, match.start())
                return
            else:
                self.refuse("a string holds a variable or an escaped character")
                word.literal = False
                pieces.append(token[1:] if token[0] == "`" else token)
        self.refuse("a quote is never closed")
        pieces.append(self.text[self.at :])
        self.at = len(self.text)

    def here(self, token: str, at: int) -> None:
        """A here-string: its text starts on the next line and ends before a line that starts with the closing quote."""
        self.add("", at, quoted=True)
        self.at -= 1
        if token[1] == '"':
            self.string('\n"@')
            return
        closing = self.text.find("\n'@", self.at)
        if closing < 0:
            self.refuse("a here-string is never closed")
        end = closing if closing >= 0 else len(self.text)
        self.add_to_string(self.text[self.at + 1 : end])
        self.at = min(end + 3, len(self.text))

    def add_to_string(self, value: str) -> None:
        assert self.word is not None, "a string is part of a word"
        self.word.pieces[-1].append(value)

    def variable(self, token: str, at: int) -> None:
        if self.word is None and not self.words and not self.redirecting:
            assignment = tokens.ASSIGNMENT.match(self.text, self.at)
            if assignment is not None:
                self.refuse("an assignment sets what later statements see")
                self.at = assignment.end()
                return
        self.refuse("a variable is only known at run time")
        self.add(token, at, literal=False)

    def escape(self, token: str, at: int) -> None:
        self.refuse("a backtick escapes a character")
        if token[1:].isspace():
            self.end_word(at)
        else:
            self.add(token[1:], at, literal=False)

    def background(self, at: int) -> None:
        self.end_word(at)
        if self.words:
            self.deferred = True
            self.end_statement(at)
        else:
            self.refuse("the call operator `&` runs what a value names")

    def comma(self, at: int) -> None:
        """The end of one element of a list; blanks and line ends may follow."""
        if self.word is None:
            self.refuse("a list is spread over blanks")
            self.word = _Word(at)
        self.word.pieces.append([])
        self.word.closed = False
        blanks = tokens.BLANKS.match(self.text, self.at)
        assert blanks is not None, "the pattern matches nothing at all, too"
        self.at = blanks.end()
        if self.at == len(self.text):
            self.refuse("a list has no last element")

    def enter(self, closing: str, at: int) -> None:
        """Read what a bracket holds as statements; what stood before it is taken up again when it closes."""
        word = self.word or _Word(at)
        word.pieces[-1].append(_NESTED)
        word.literal = False
        self.open.append(_Open(closing, self.words, self.starts, self.redirects, self.piped, self.redirecting, word))
        self.words, self.starts, self.redirects = [], [], []
        self.word, self.piped, self.redirecting = None, False, False

    def leave(self, at: int) -> None:
        self.end_statement(at)
        if not self.open:
            self.refuse("a bracket is closed that was never opened")
            return
        outer = self.open.pop()
        self.words, self.starts, self.redirects = outer.words, outer.starts, outer.redirects
        self.word, self.piped, self.redirecting = outer.word, outer.piped, outer.redirecting
        if outer.closing:
            self.string(outer.closing)

    def end_word(self, at: int) -> None:
        if self.word is None:
            return
        unfinished, self.word = self.word, None
        items = tuple("".join(pieces) for pieces in unfinished.pieces)
        word = Word(self.slice(unfinished.start, at), items, unfinished.quoted, unfinished.literal)
        if any(_holds_quote_and_blank(item) for item in items):
            self.refuse("an argument holds a quote and a blank, at which a program may take it apart")
        if not self.redirecting:
            self.words.append(word)
            self.starts.append(unfinished.start)
            return
        self.redirecting = False
        if word.quoted or word.value.lower() not in _NOTHING:
            self.refuse("a redirection writes to a file")
            self.redirects.append(word)

    def end_statement(self, at: int) -> None:
        self.end_word(at)
        if self.redirecting:
            self.refuse("a redirection names no file")
        words = self.words[self.skipped() :]
        if words:
            start = self.starts[len(self.words) - len(words)]
            statement = Statement(self.slice(start, at).strip(), tuple(words), tuple(self.redirects), self.piped)
            self.statements.append(statement)
        elif self.redirects:
            self.statements.append(Statement("", (), tuple(self.redirects)))
        self.words, self.starts, self.redirects = [], [], []
        self.piped = self.redirecting = False

    def skipped(self) -> int:
        """How many words stand before the command's name, if the text is not understood; notes why it is not."""
        words = self.words
        if any(word.text == "--%" for word in words):
            self.refuse("`--%` passes on the rest of the line as it is")
        for at, word in enumerate(words):
            name = word.value.lower()
            if name in tokens.KEYWORDS and not word.quoted and not (self.piped and at == 0):
                self.refuse("control flow or a declaration")
            elif word.text == ".":
                self.refuse("a script is run in the same session by a dot before it")
            elif name != _NESTED:
                if word.quoted or not tokens.NAME.fullmatch(word.value):
                    self.refuse("a statement is an expression, or a command's name is not written plainly")
                return self.assigned() or at
        return len(words)

    def assigned(self) -> int:
        """How many words an assignment takes, as in `[int]$n = …`, or the entry of a table in `@{ n = … }`."""
        entry = bool(self.open) and len(self.words) > 1 and self.words[1].text in tokens.OPERATORS
        if not entry and self.words[0].text[:1] not in ("$", "["):
            return 0
        return next((at + 1 for at, word in enumerate(self.words) if word.text in tokens.OPERATORS), 0)

    def slice(self, start: int, end: int) -> str:
        if len(self.open) > MAX_DEPTH:
            end = min(end, start + MAX_DEEP_TEXT)
        return self.text[start:end]


def _holds_quote_and_blank(value: str) -> bool:
    return ("'" in value or '"' in value) and any(map(str.isspace, value))
