"""bashlex reads simple commands well: where both read a text, the words are the same."""

from __future__ import annotations

import shell_texts
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from toolaudit.shell import Shape, read

bashlex = __import__("pytest").importorskip("bashlex")

STATIC_WORDS = st.sampled_from(
    [
        "ls",
        "git",
        "-rf",
        "a.b/c",
        "--x=y",
        "'a b'",
        '"a b"',
        "a\\ b",
        "a\"b\"'c'",
        '"a\\"b"',
        "HEAD~1",
        "x#y",
        "2",
        "''",
    ]
)
SIMPLE = st.tuples(
    st.sampled_from(["ls", "git", "cat", "./x"]), st.lists(st.one_of(STATIC_WORDS, shell_texts.redirects), max_size=5)
).map(lambda parts: " ".join([parts[0], *parts[1]]))
TEXTS = st.lists(st.tuples(SIMPLE, st.sampled_from([" && ", " | ", "; ", "\n"])).map("".join), max_size=2).flatmap(
    lambda heads: SIMPLE.map(lambda last: "".join(heads) + last)
)


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_same_words(text: str) -> None:
    reading = read(text)
    assume(reading.complexity is None)
    ours = [[word.value for word in command.argv] for command in reading.commands]
    assert all(word.shape is Shape.STATIC for command in reading.commands for word in command.argv)
    assert ours == _bashlex_commands(text)


def _bashlex_commands(text: str) -> list[list[str]]:
    found: list[list[str]] = []

    class Commands(bashlex.ast.nodevisitor):
        def visitcommand(self, node: object, parts: list) -> None:
            found.append([part.word for part in parts if part.kind == "word"])

    for tree in bashlex.parse(text):
        Commands().visit(tree)
    return found
