"""The subcommands of git that only read. No option may stand before the subcommand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from toolaudit.patterns import late
from toolaudit.shell.readonly.grammar import Flags

BRANCH_VALUED = frozenset({"--contains", "--no-contains", "--points-at", "--sort"})
BRANCH_FILTERS = frozenset({"--merged", "--no-merged"})
TAG_VALUED = BRANCH_VALUED | BRANCH_FILTERS | {"--format", "-n"}
REFLOG_READS = frozenset({"show", "list"})
REFLOG_WRITES = frozenset({"expire", "delete", "exists"})

_LIST_LETTER = late(r"-[A-Za-z]*l[A-Za-z]*")


def connects(words: Sequence[str]) -> str | None:
    """`git ls-remote` contacts the repository it is given, or sorts by a value that stands alone."""
    at = 0
    while at < len(words) and (words[at] == "" or (words[at][0] == "-" and words[at] not in ("-", "--"))):
        at += 1
    return f"{words[at]} may name a repository" if words[at:] not in ([], ["--"]) else None


def changes_remotes(words: Sequence[str]) -> str | None:
    """`git remote` alone lists; every operand is another of its commands."""
    return next((f"{word!r} is not -v" for word in words if word not in ("-v", "--verbose")), None)


def makes_branch(words: Sequence[str]) -> str | None:
    """An operand of `git branch` makes one, unless a list was asked for."""
    return _makes(words, "branch", BRANCH_VALUED)


def makes_tag(words: Sequence[str]) -> str | None:
    """An operand of `git tag` makes one, unless a list was asked for."""
    return _makes(words, "tag", TAG_VALUED)


def _makes(words: Sequence[str], noun: str, valued: frozenset[str]) -> str | None:
    listing = filtering = ended = False
    at = 0
    while at < len(words):
        word = words[at]
        at += 2 if word in valued and not ended else 1
        if word.startswith("-") and not ended:
            ended = word == "--"
            listing = listing or word == "--list" or _LIST_LETTER.fullmatch(word) is not None
            filtering = word in BRANCH_FILTERS and word not in valued
        elif word and not (listing or filtering):
            return f"{word} would be a new {noun}"
    return None


def rewrites_reflog(words: Sequence[str]) -> str | None:
    """Only `git reflog show` and `git reflog list` take operands."""
    first = words[0] if words else ""
    if first and not first.startswith("-") and first not in REFLOG_READS:
        return f"git reflog {first} is not known to be read-only"
    return next((f"git reflog {word} changes the log" for word in words if word in REFLOG_WRITES), None)


_reading = partial(Flags, counts=True)
"""Each subcommand takes `-5`, whatever it makes of it."""

SUBCOMMANDS: Mapping[str, Flags] = {
    "blame": _reading(
        switches="""
            -e -f -l -n -p -s -t -w -C -M --color --incremental --line-porcelain --no-color --porcelain --root
            --score-debug --show-email --show-name --show-number --show-stats
        """,
        texts="-L --date --ignore-rev --ignore-revs-file",
        numbers="--abbrev",
        terminator=False,
    ),
    "branch": _reading(
        switches="""
            -a -i -l -r -v --all --color --column --ignore-case --list --merged --no-abbrev --no-color --no-column
            --no-merged --remotes --show-current --verbose -vv
        """,
        texts="--contains --no-contains --points-at",
        sort_keys="--sort",
        numbers="--abbrev",
        refusal=makes_branch,
    ),
    "cat-file": _reading(
        switches="-e -p -s -t --batch-check",
    ),
    "config --get": _reading(
        switches="""
            -z --bool --bool-or-int --expiry-date --global --int --local --name-only --null --path --show-origin
            --show-scope --system --worktree
        """,
        texts="--default --type",
    ),
    "describe": _reading(
        switches="--always --broken --contains --dirty --exact-match --long --tags",
        texts="--exclude --match",
        numbers="--abbrev --candidates",
    ),
    "diff": _reading(
        switches="""
            -l -p -s -u -B -C -D -M -R --binary --break-rewrites --cached --check --color --color-words --dirstat
            --exit-code --find-copies --find-copies-harder --find-renames --full-index --function-context --histogram
            --ignore-all-space --ignore-blank-lines --ignore-space-at-eol --ignore-space-change --irreversible-delete
            --minimal --name-only --name-status --no-color --no-ext-diff --no-index --no-renames --numstat
            --patch-with-stat --patience --pickaxe-all --pickaxe-regex --quiet --shortstat --staged --stat --summary
            --word-diff
        """,
        texts="-G -O -S --diff-algorithm --diff-filter --relative --word-diff-regex --ws-error-highlight",
        numbers="--abbrev --inter-hunk-context",
    ),
    "for-each-ref": _reading(
        texts="--contains --merged --no-contains --no-merged --points-at",
        sort_keys="--sort",
        numbers="--count",
        formats="--format",
    ),
    "grep": _reading(
        switches="""
            -c -h -i -l -n -o -q -v -w -E -F -G -H -L -P --and --basic-regexp --break --cached --color --count
            --extended-regexp --files-with-matches --files-without-match --fixed-strings --full-name --heading
            --ignore-case --invert-match --line-number --no-color --no-index --not --only-matching --or --perl-regexp
            --quiet --recurse-submodules --untracked --word-regexp
        """,
        texts="-e",
        numbers="-A -B -C --after-context --before-context --context --max-depth --threads",
    ),
    "log": _reading(
        switches="""
            -p -s --abbrev-commit --all --ancestry-path --author-date-order --boundary --branches --cherry-mark
            --cherry-pick --color --date-order --decorate --dense --first-parent --follow --full-history --graph
            --left-right --merges --name-only --name-status --no-color --no-decorate --no-ext-diff --no-max-parents
            --no-merges --no-min-parents --no-patch --no-walk --numstat --oneline --patch --pickaxe-all --pickaxe-regex
            --relative-date --remotes --reverse --shortstat --simplify-merges --source --sparse --stat --tags
            --topo-order --walk-reflogs
        """,
        texts="-G -S --after --author --before --committer --date --diff-filter --grep --since --until",
        numbers="-n --max-age --max-count --min-age --skip",
        formats="--format --pretty",
    ),
    "ls-files": _reading(
        switches="""
            -c -d -f -i -k -m -o -s -t -u -v -z --cached --debug --deleted --directory --eol --error-unmatch
            --exclude-standard --full-name --ignored --killed --modified --no-empty-directory --others
            --recurse-submodules --stage --unmerged
        """,
        texts="-x -X --exclude --exclude-from --exclude-per-directory",
        numbers="--abbrev",
    ),
    "ls-remote": _reading(
        switches="-b -h -q -t --branches --exit-code --get-url --heads --quiet --refs --symref --tags",
        sort_keys="--sort",
        refusal=connects,
    ),
    "merge-base": _reading(
        switches="--all --fork-point --independent --is-ancestor --octopus",
    ),
    "reflog": _reading(
        switches="--all --branches --decorate --graph --no-decorate --oneline --relative-date --remotes --tags",
        texts="--after --author --before --committer --date --grep --since --until",
        numbers="-n --max-count",
        refusal=rewrites_reflog,
    ),
    "remote": _reading(
        switches="-v --verbose",
        refusal=changes_remotes,
    ),
    "rev-list": _reading(
        switches="""
            --abbrev-commit --all --ancestry-path --branches --count --dense --first-parent --full-history --graph
            --merges --no-max-parents --no-merges --no-min-parents --oneline --remotes --reverse --source --sparse
            --tags --walk-reflogs
        """,
        texts="--after --author --before --committer --grep --since --until",
        numbers="-n --abbrev --max-age --max-count --max-parents --min-age --min-parents --skip",
        formats="--format --pretty",
    ),
    "rev-parse": _reading(
        switches="""
            --abbrev-ref --absolute-git-dir --git-common-dir --git-dir --is-bare-repository --is-inside-git-dir
            --is-inside-work-tree --is-shallow-repository --show-cdup --show-prefix --show-toplevel --symbolic
            --symbolic-full-name --verify
        """,
        texts="--short",
    ),
    "shortlog": _reading(
        switches="""
            -c -e -n -s --all --branches --committer --email --no-merges --numbered --remotes --summary --tags
        """,
        texts="--after --author --before --group --since --until",
        formats="--format",
    ),
    "show": _reading(
        switches="""
            -m -p -s --abbrev-commit --color --color-words --decorate --first-parent --graph --name-only --name-status
            --no-color --no-decorate --no-ext-diff --no-patch --numstat --oneline --patch --quiet --raw
            --relative-date --shortstat --stat --word-diff
        """,
        texts="--date --diff-filter --word-diff-regex",
        formats="--format --pretty",
    ),
    "stash list": _reading(
        switches="--all --branches --decorate --graph --no-decorate --oneline --relative-date --remotes --tags",
        texts="--date",
        numbers="-n --max-count",
        terminator=False,
    ),
    "stash show": _reading(
        switches="""
            -p -s --color --name-only --name-status --no-color --no-ext-diff --no-patch --numstat --patch --shortstat
            --stat --word-diff
        """,
        texts="--diff-filter --word-diff-regex",
        numbers="--abbrev",
    ),
    "status": _reading(
        switches="""
            -b -s -v --ahead-behind --branch --column --ignored --long --no-ahead-behind --no-column --no-renames
            --porcelain --renames --short --verbose
        """,
        texts="-u -M --find-renames --ignore-submodules --untracked-files",
    ),
    "tag": _reading(
        switches="-i -l --column --ignore-case --list --no-column",
        texts="--contains --merged --no-contains --no-merged --points-at",
        sort_keys="--sort",
        numbers="-n",
        formats="--format",
        refusal=makes_tag,
    ),
    "worktree list": _reading(
        switches="-v --porcelain --verbose",
        texts="--expire",
    ),
}
