"""What may stand anywhere in a text without meaning much, put everywhere into texts that the checks are about."""

from __future__ import annotations

import pytest

from toolaudit.fuzz import vocabulary
from toolaudit.fuzz.holes import holes
from toolaudit.fuzz.oracle import Oracle
from toolaudit.shell import read

TEXTS = [text for texts in vocabulary.sections("constructs").values() for text in texts]
OTHERS = [
    *("ls a=~ b", "ls a=b:~ c", "ls {a..c} x", "ls a{b,c}d", "ls 2>f b", "ls <(id) b", "ls $((1+1)) b", "ls `id` b"),
    *("ls ${x:-$(id)} b", "cat <<E\n$(id)\nE\nls", "ls && id || ls; id & ls | id |& id", "ls >& f", "ls &> f"),
    *("if ls; then id; fi", "for i in {1..3}; do id $i; done", "case x in a) id;; *) ls;; esac", "f() { id; }; f"),
]


@pytest.mark.parametrize("piece", ["\\\n", "''", "~"], ids=["continued line", "empty quotes", "tilde"])
def test_wherever_it_stands_the_list_is_complete(oracle: Oracle, piece: str) -> None:
    texts = dict.fromkeys(
        text[:at] + piece + text[at:] for text in (*TEXTS, *OTHERS) for at in range(len(text) + 1) if "\0" not in text
    )
    readings = [reading for reading in map(read, texts) if reading.complexity is None]
    assert len(readings) > 1_000
    for reading in readings:
        for succeed in (True, False):
            assert not list(holes(reading, oracle.run(reading.text, succeed))), reading.text
