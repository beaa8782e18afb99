"""What kind of file a path names: a program, a test, an example."""

from __future__ import annotations

import posixpath

from toolaudit.patterns import late

_PROGRAM = late(
    r".*\.(?:py|pyw|ipynb|rb|php|phtml|pl|pm|lua|js|jsx|ts|tsx|mjs|cjs|mts|cts|vue|svelte|astro|html?|java|kt|"
    r"kts|scala|groovy|clj|go|rs|"
    r"c|cc|cpp|cxx|h|hpp|cs|fs|vb|swift|m|mm|dart|ex|exs|erl|hs|ml|r|jl|nim|zig|cr|ps1|bat|cmd|sql|gradle|sh|"
    r"bash|zsh|erb|ejs|hbs|jinja2?|"
    r"twig|xml|sol|awk|tcl|el|vim|coffee)|Rakefile|Gemfile|Podfile|Fastfile|Vagrantfile|SConstruct|Snakefile|"
    r"Jenkinsfile.*|[^.]+",
    2,
)
_EXAMPLE = late(
    r"(?:.*/)?(?:tests?|specs?|__tests__|__mocks__|e2e|cypress|fixtures?|mocks?|testdata|examples?|samples?|"
    r"docs?|stories|locales?|"
    r"i18n|translations)/.*|.*(?:[._-](?:test|spec|stories|example|sample|template|dist)|_test|Test|"
    r"Spec)(?:\.\w+)?|.*/(?:test_|conftest)[^/]*",
    2,
)
_TEST = late(
    r"(?:.*/)?(?:tests?|specs?|__tests__|e2e|cypress|fixtures?|mocks?|testdata|testing|stories)/.*|"
    r".*(?:[._-](?:test|spec|stories|mock)|_test|Test|Spec)\.\w+|.*/(?:test_|conftest)[^/]*",
    2,
)


def is_program(path: str) -> bool:
    """Whether a file holds program text, by its name."""
    return _PROGRAM.fullmatch(posixpath.basename(path)) is not None


def is_example(path: str) -> bool:
    """Whether a file is for tests or examples, where invented names stand."""
    return _EXAMPLE.fullmatch(path) is not None


def is_test(path: str) -> bool:
    """Whether a file is only run by tests."""
    return _TEST.fullmatch(path) is not None
