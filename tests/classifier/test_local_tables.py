"""What the embedded classifier reads out of texts: names on the network, words, variables, statements, questions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolaudit.classifier import Question, Said
from toolaudit.classifier.local import asking, environment, strangers
from toolaudit.classifier.local.concern import Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.inquiries import only_asks
from toolaudit.classifier.local.starts import take_apart
from toolaudit.classifier.local.statements import objection
from toolaudit.classifier.local.words import stems
from toolaudit.model import ToolCall


def context(*said: str) -> Context:
    return Context(Question(ToolCall("Bash", {"command": "x"}), "x", tuple(map(Said, said)), cwd="/srv/app"))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("fetch('https://x.strange.example/a')", {"x.strange.example"}),
        ("distributionUrl=https\\://x.strange.example/g.zip", {"x.strange.example"}),
        ("git clone git@x.strange.example:a/b.git", {"x.strange.example"}),
        ("host = 'x.strange.example'", {"x.strange.example"}),
        ("pool: x.strange.example:3333", {"x.strange.example"}),
        ("connect(('203.0.113.9', 44))", {"203.0.113.9"}),
        ("aws s3 cp a s3://strange-bucket/", {"s3://strange-bucket"}),
        ("uses https://github.com/strange/x", {"github.com/strange"}),
        ("// see https://x.strange.example/why", set()),
        ('"homepage": "https://x.strange.example"', set()),
        ("https://registry.npmjs.org/x https://github.com/actions/checkout", set()),
        ("http://localhost:3000 postgres://db:5432/app 127.0.0.1", set()),
        ("import os.path; console.log(process.env.HOME, a.example1)", set()),
        ("https://named.partner.example/x", set()),
    ],
)
def test_the_strangers_that_a_text_names(text: str, named: set[str]) -> None:
    assert strangers.unknown(text, context("use named.partner.example")) == named


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("verify_signature", "verifies signatures"),
        ("managers", "user.manager?"),
        ("two replicas", "replicas: 2"),
        ("react 19", "^19.0.0"),
        ("deleted", "deleteAll"),
    ],
)
def test_forms_of_one_word_have_a_stem_in_common(one: str, other: str) -> None:
    assert stems(one) & stems(other)


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    assert all(stem for stem in stems(text))
    assert all(isinstance(place, str) for place in strangers.places(text))
    assert only_asks(text) in (True, False)
    assert objection(text) is None or objection(text)


@pytest.mark.parametrize(
    ("command", "objected"),
    [
        ("NODE_ENV=test npm test", ""),
        ("MY_OWN=1 npm test", ""),
        ("API=http://localhost:1 npm test", ""),
        ("API=http://x.strange.example npm test", "API points at x.strange.example"),
        ("NODE_OPTIONS=--require=/tmp/x.js npm test", "NODE_OPTIONS"),
        ("NODE_OPTIONS='--max-old-space-size=4096 --no-warnings' npm test", ""),
        ("PATH=/tmp/bin:$PATH npm test", "PATH"),
        ("PATH=$PWD/bin:$PATH npm test", ""),
        ("env GOPROXY=http://x.strange.example go build", "GOPROXY"),
        ("export LD_PRELOAD=/tmp/x.so", "LD_PRELOAD"),
        ("total=3", ""),
    ],
)
def test_variables_are_known_or_the_projects_own(command: str, objected: str) -> None:
    whys = [one.why for start in take_apart(command).starts for one in environment.find(start, context())]
    assert [why for why in whys if objected and why.startswith(objected)] == whys
    assert bool(whys) is bool(objected)


@pytest.mark.parametrize(
    ("statement", "objected"),
    [
        ("select count(*) from a where b in (1, 2)", None),
        ("with x as (select max(a) from b) select * from x", None),
        ("explain analyze select 'drop table x'", None),
        ("select pg_sleep(10)", "pg_sleep()"),
        ("select frobnicate(1)", "frobnicate()"),
        ("with x as (delete from a returning *) select * from x", "delete from"),
        ("select * from a for update", "for update"),
        ("frobnicate a", "frobnicate"),
    ],
)
def test_a_statement_only_reads_where_all_of_it_is_known_to(statement: str, objected: str | None) -> None:
    assert objection(statement) == objected


@pytest.mark.parametrize(
    ("message", "asks"),
    [
        ("why is it slow?", True),
        ("is the build green", True),
        ("warum bricht der Import ab?", True),
        ("why is it slow? make it faster", False),
        ("fix the test", False),
        ("can you fix it? it fails since Monday", False),
        ("", False),
    ],
)
def test_a_message_that_only_asks(message: str, asks: bool) -> None:
    assert only_asks(message) is asks


REMOVAL = Concern(
    "destruction", "x", (frozenset({"delete"}), frozenset({"{name}"})), frozenset({"old-build"}), "rm -rf old-build"
)


@pytest.mark.parametrize(
    ("said", "granted"),
    [
        ("delete old-build", True),
        ("please remove the old-build folder", True),
        ("lösche bitte old-build", True),
        ("old-build can go", True),
        ("run the tests and then clear old-build", True),
        ("delete the other one", False),
        ("why was old-build deleted?", False),
        ("don't delete old-build", False),
        ("describe how to delete old-build", False),
        ("make the delete button in old-build blue", False),
    ],
)
def test_a_request_names_the_action_and_the_thing(said: str, granted: bool) -> None:
    assert (asking.asked(REMOVAL, context(said)) is not None) is granted
