"""Path rules against paths, as measured: anchors, gitignore patterns, and what re-admits a path."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolaudit.model import Behavior, Rule, Scope, Source
from toolaudit.rules.paths import PathRules

CWD, HOME, ROOT = "/srv/app", "/home/dana", "/etc/team"

DENY, ALLOW, ASK = Behavior.DENY, Behavior.ALLOW, Behavior.ASK


def rule(pattern: str, behavior: Behavior = DENY, scope: Scope = Scope.USER) -> Rule:
    return Rule(behavior, f"Read({pattern})", "Read", pattern, Source(scope), ROOT)


def matches(path: str, *patterns: str, behavior: Behavior = DENY) -> bool:
    rules = PathRules((rule(pattern, behavior) for pattern in patterns), cwd=CWD, home=HOME)
    return rules.find(path if path.startswith("/") else f"{CWD}/{path}") is not None


ANCHORS = [
    ("relative, at the root", "d/x.txt", "d/x.txt", True),
    ("relative with a slash is anchored", "d/x.txt", "sub/d/x.txt", False),
    ("leading ./", "./d/x.txt", "d/x.txt", True),
    ("one leading ./ only", "././d/x", "d/x", False),
    ("a name floats", "d", "sub/d", True),
    ("a name covers what is below", "d", "sub/d/y", True),
    ("./name floats too", "./d", "sub/d/x", True),
    ("one slash is the rule's root", "/d/x", f"{ROOT}/d/x", True),
    ("one slash is not the working directory", "/d/x", "d/x", False),
    ("one slash is not the file system", "/srv/app/d", "d", False),
    ("two slashes are the file system", "//srv/app/d", "d/x", True),
    ("three slashes too", "///srv/app/d", "d", True),
    ("two slashes are anchored", "//d/x", "/a/d/x", False),
    ("two slashes and **", "//**/d", "/a/b/d/x", True),
    ("everything", "//**", "/any/where", True),
    ("everything below /", "//*", "/any/where", True),
    ("home", "~/d", f"{HOME}/d/x", True),
    ("home is anchored", "~/d", f"{HOME}/sub/d", False),
    ("home of another is a name", "~dana/x", f"{HOME}/x", False),
    ("the variable is a name", "$HOME/x", f"{HOME}/x", False),
    ("nothing above the anchor", "../x", "/srv/x", False),
    ("** stays below the working directory", "**", "/srv/x", False),
    ("** is not the directory itself", "**", CWD, False),
    ("a whole directory by its path", f"/{CWD}", CWD, True),
]

PATTERNS = [
    ("letters match in either case", "SECRET.txt", "secret.txt", True),
    ("letters of classes too", "d/[a-c].txt", "d/B.txt", True),
    ("letters beyond ASCII too", "dσ", "dΣ", True),
    ("but one stays one", "dß", "dSS", False),
    ("star within a segment", "*.pem", "sub/a.pem", True),
    ("star may be empty", "d/*.txt", "d/.txt", True),
    ("star alone is not", "d/*", "d", False),
    ("star stops at a slash", "d/*.txt", "d/a/b.txt", False),
    ("a matched directory covers what is below", "d/*", "d/y/z.txt", True),
    ("star as a segment", "d/*/z", "d/a/b/z", False),
    ("two stars in a name are one", "a**b", "axb", True),
    ("two stars in a name stop at a slash", "d/a**b", "d/a/b", False),
    ("any depth in the middle", "d/**/x", "d/a/b/x", True),
    ("any depth may be none", "d/**/x", "d/x", True),
    ("question mark is one character", "d/?.txt", "d/ab.txt", False),
    ("class", "d/[a-c]x", "d/bx", True),
    ("a class can't be negated by !", "d/[!a].x", "d/b.x", False),
    ("! in a class is itself", "d/[!a].x", "d/!.x", True),
    ("^ in a class is itself", "d/[^a].x", "d/a.x", True),
    ("a reversed range matches nothing", "d/[c-a]x", "d/bx", False),
    ("an empty class matches nothing", "d/[]x]", "d/x", False),
    ("a star in a class matches nothing", "d/[*]", "d/*", False),
    ("an open class matches nothing", "d/[a", "d/[a", False),
    ("a class may hold a slash", "d/[a/b]", "d/b", True),
    ("digits", r"d/[\d]", "d/7", True),
    ("escaped star", r"d/a\*b", "d/a*b", True),
    ("escaped star is no star", r"d/a\*b", "d/axb", False),
    ("escaped letter is itself", r"d/a\x", "d/ax", True),
    ("braces are text", "d/{a,b}", "d/{a,b}", True),
    ("braces expand to nothing", "d/{a,b}", "d/a", False),
    ("metacharacters are text", "d/a+b.c", "d/a+bxc", False),
    ("double slash collapses", "d//x", "d/x", True),
    ("a dot segment matches nothing", "d/./x", "d/x", False),
    ("trailing slash is for what is below", "d/", "d", False),
    ("trailing slash floats", "d/", "sub/d/x", True),
    ("trailing blanks mean nothing", "d/x  ", "d/x", True),
    ("leading blanks count", " d", "d", False),
    ("a hash is text in a deny list", "#d", "#d", True),
    ("** and a slash", "d/**/", "d/x", True),
    ("an emoji is two characters", "d/a??", "d/a😀", True),
    ("an emoji is not one character", "d/a?", "d/a😀", False),
    ("an emoji is not one of a class", "d/[😀]", "d/😀", False),
    ("an emoji is two of a class", "d/[😀][😀]", "d/😀", True),
    ("an emoji is itself", "d/😀", "d/😀", True),
    ("letters beyond U+FFFF have one case", "d/𐐀", "d/𐐨", False),
    ("behind an emoji", "😀/x", "😀/x", True),
]

FINAL_STARS = [
    ("deny: the directory itself", DENY, "d/**", "d", True),
    ("deny: at any depth", DENY, "d/**", "sub/d/x", True),
    ("ask: at any depth", ASK, "./d/**", "sub/d/x", True),
    ("allow: at the root only", ALLOW, "d/**", "sub/d/x", False),
    ("allow: below the root's", ALLOW, "d/**", "d/a/x", True),
    ("allow: a bare name floats", ALLOW, "d", "sub/d/x", True),
    ("deny: two segments do not float", DENY, "d/e/**", "sub/d/e/x", False),
    ("deny: the rule's root", DENY, "/d/**", f"{ROOT}/sub/d/x", False),
    ("twice leaves one", DENY, "d/x/**/**", "d/x", False),
    ("allow: a hash is a comment", ALLOW, "#d", "#d", False),
]

LISTS = [
    ("carved out", DENY, ["*.env", "!ok.env"], "ok.env", False),
    ("not carved out", DENY, ["*.env", "!ok.env"], "no.env", True),
    ("order matters", DENY, ["!ok.env", "*.env"], "ok.env", True),
    ("not below a matched directory", DENY, ["d/**", "!d/ok"], "d/ok", True),
    ("below a matched pattern of children", DENY, ["d/*", "!d/ok"], "d/ok", False),
    ("the directory itself", DENY, ["d/**", "!d"], "d/x", False),
    ("the last one counts", DENY, ["x", "!x", "x"], "x", True),
    ("in an allow list the first place counts", ALLOW, ["x", "!x", "x"], "x", False),
    ("only relative rules are carved", DENY, [f"/{CWD}/x", "!x"], "x", True),
    ("a ! before an anchor is none", DENY, [f"/{CWD}/x", f"!/{CWD}/x"], "x", True),
    ("!/x is below the working directory", DENY, ["d/x", "!/d/x"], "d/x", False),
    ("!./x matches nothing", DENY, ["d/x", "!./d/x"], "d/x", True),
    ("escaped", DENY, [r"\!x"], "!x", True),
    ("alone", DENY, ["!x"], "x", False),
]


def ids(rows: list[tuple]) -> list[str]:  # type: ignore[type-arg]
    return [row[0] for row in rows]


@pytest.mark.parametrize(("pattern", "path", "expected"), [row[1:] for row in ANCHORS], ids=ids(ANCHORS))
def test_anchor(pattern: str, path: str, expected: bool) -> None:
    assert matches(path, pattern) is expected


@pytest.mark.parametrize(("pattern", "path", "expected"), [row[1:] for row in PATTERNS], ids=ids(PATTERNS))
def test_pattern(pattern: str, path: str, expected: bool) -> None:
    assert matches(path, pattern) is expected


@pytest.mark.parametrize(
    ("behavior", "pattern", "path", "expected"), [row[1:] for row in FINAL_STARS], ids=ids(FINAL_STARS)
)
def test_final_stars(behavior: Behavior, pattern: str, path: str, expected: bool) -> None:
    assert matches(path, pattern, behavior=behavior) is expected


@pytest.mark.parametrize(("behavior", "patterns", "path", "expected"), [row[1:] for row in LISTS], ids=ids(LISTS))
def test_list(behavior: Behavior, patterns: list[str], path: str, expected: bool) -> None:
    assert matches(path, *patterns, behavior=behavior) is expected


def test_a_carve_out_stays_in_its_file() -> None:
    both = [rule("x", scope=Scope.USER), rule("!x", scope=Scope.PROJECT)]
    assert PathRules(both, cwd=CWD, home=HOME).find(f"{CWD}/x") is both[0]


def test_a_root_may_hold_an_emoji() -> None:
    for pattern in "?.txt", "!y", "x*":
        rules = [rule(pattern) for pattern in ("a.txt", pattern)]
        assert PathRules(rules, cwd="/work/😀/p", home=HOME).find("/work/😀/p/a.txt") is rules[0]


def test_the_rule_that_matches_is_named() -> None:
    rules = [rule(pattern) for pattern in ("a", "b/**", "/c", "//d", "*.e")]
    compiled = PathRules(rules, cwd=CWD, home=HOME)
    paths = [f"{CWD}/q/a", f"{CWD}/b/x", f"{ROOT}/c", "/d/y", f"{CWD}/x.e"]
    assert [compiled.find(path) for path in paths] == rules
    assert compiled.find(f"{CWD}/z") is None


def test_relative_rules_in_further_directories() -> None:
    def find(behavior: Behavior, pattern: str, path: str) -> bool:
        rules = PathRules([rule(pattern, behavior)], cwd=CWD, home=HOME, further=["/data/more"])
        return rules.find(path) is not None

    assert find(DENY, "d/**", "/data/more/sub/d/x")
    assert find(ASK, "*.pem", "/data/more/a.pem")
    assert not find(DENY, "more/a", "/data/more/a")
    assert not find(DENY, "/a", "/data/more/a")
    assert not find(ALLOW, "*.pem", "/data/more/a.pem")


def test_bare_rules_are_left_out() -> None:
    assert not PathRules([Rule(DENY, "Read", "Read", None, Source(Scope.USER), ROOT)], cwd=CWD, home=HOME)


HOSTILE = ["*a" * 200 + "b", "**/a/" * 60 + "b", "?*" * 100 + "z", "[a-z]*" * 60 + "1", "[" * 500, "\\" * 501, "(" * 99]


@pytest.mark.parametrize("pattern", HOSTILE, ids=[pattern[:8] for pattern in HOSTILE])
def test_no_pattern_makes_matching_explode(pattern: str) -> None:
    for path in ("a" * 2000, "a/" * 1000 + "a"):
        matches(path, pattern)


segments = st.text(st.sampled_from("ab*?[]-!^/.#\\ ~$"), max_size=12)


@given(segments, st.text(st.sampled_from("ab*?[]-!^/.#\\ ~$"), min_size=1, max_size=12))
def test_any_pattern_can_be_asked(pattern: str, path: str) -> None:
    for behavior in Behavior.ALLOW, Behavior.DENY:
        matches(f"{CWD}/{path}", pattern, "x", "!y", behavior=behavior)


@given(st.lists(st.text(st.sampled_from("abAB.*"), min_size=1, max_size=4), min_size=1, max_size=8))
def test_rules_together_match_what_one_of_them_matches(patterns: list[str]) -> None:
    for path in ("a", "sub/ab", "B.a/x", "b/b/b"):
        assert matches(path, *patterns) == any(matches(path, pattern) for pattern in patterns)
