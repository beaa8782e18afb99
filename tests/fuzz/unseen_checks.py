"""Checks of the reader that no search for holes convicts: why, and what shows that they work all the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tree_sitter import Node

REJECTED: dict[str, str] = {
    "compounds.read_case: kid.type != 'esac'": "case x in ; esac; id",
    "compounds.read_case: open_end is not None and (not (kid.type == 'esac' and newline_between(state, open_end,"
    " kid.start_byte)))": "case x in x) ls esac",
    "compounds.read_for: not NAME.fullmatch(name)": "for 2i in a; do ls; done",
    "compounds.read_for: state.source[header_end] not in ' \\t\\n;'": "for i in.; do ls; done",
    "compounds.read_function: '\\n' in state.source[node.start_byte:previous]": "function\nf { ls; }; f",
    "expansions.read_expression: clauses != 1": "for (( & 1;2)); do ls; done",
    "expansions.read_parameter: operator != '}'": "echo ${#x:-y}",
    "flat.read: line.empty and (not ends_line or (line.position == end and statement.is_open))": "| ls",
    "pipelines._flatten: kind != '!' and newline_between(state, position, start)": "ls\nEOF\n\\\n| id",
    "sequences.read_program: root.has_error": "ls|  #x",
    "sequences.read_sequence: _check_terminator(state, node, open_end)": "ls;&>> id",
    "sequences._check_terminator: state.source.startswith(TERMINATORS[node.type], node.end_byte)": "ls;&>> id",
    "simple.read_redirects: line.argv": "(ls) >f id",
    "simple.read_redirects: line.assignments": "(ls) >f a=1",
}
"""Check -> a text that bash refuses too, all of it or the command in question: nothing starts that could be missing."""

ALIKE: dict[str, str] = {
    "builtins.CHECKED: alias": "alias ls='id x'; ls $(id)",
    "builtins.CHECKED: bind": "bind -x '\"a\":id'",
    "builtins.CHECKED: complete": "complete -C id x",
    "builtins.CHECKED: compopt": "compopt -o default x",
    "builtins.CHECKED: enable": "enable -n printf; printf x",
    "builtins.CHECKED: fc": "fc -e id",
    "builtins.CHECKED: getopts": "getopts a 'b[$(id)]'",
    "builtins.CHECKED: shopt": "shopt -s expand_aliases",
    "compounds._read_patterns: pattern.text in RESERVED_WORDS": "case x in (esac) ls;; esac; id",
    "compounds._read_patterns: 'continuation' in pattern.features": "case x in e\\\nslsac$x) ls;; esac",
    "compounds.read_arithmetic_for: body.type != 'do_group'": "for ((;;)) { ls; break; }",
    "compounds.read_arithmetic_for: state.source[position:body.start_byte].strip(' \\t\\n') not in ('', ';')": (
        "for ((;;)) # x\n do ls; break; done"
    ),
    "compounds.read_case: state.source[subject.span[1]] not in ' \\t\\n'": "case x\\\n in x) ls;; esac",
    "compounds.read_case: state.source[kids[2].end_byte] not in ' \\t\\n'": "case x in(x) ls;; esac",
    "compounds.read_case: check_gap(state, subject.span[1], kids[2].start_byte, newlines=True)": (
        "case x # c\nin x) ls;; esac"
    ),
    "compounds.read_for: '\\n' in state.source[node.start_byte:header_end]": "for \\\ni in a; do ls; done",
    "compounds.read_function: header[-1] == 'word' and previous == body.start_byte": "function f(ls); f",
    "compounds.read_function: name in RESERVED_WORDS": "function time { ls; }",
    "compounds.read_function: not FUNCTION_NAME.fullmatch(name)": "2if() { ls; }",
    "conditions.read_condition: word.text == ']]'": "[[ ]] ]]",
    "expansions.read_parameter: operator in ('@}', '*}') and prefix != '!'": "echo ${x@}",
    "expansions._read_operand: quoted": 'echo "${x:-"a"}"',
    "expansions.read_parameter: state.evaluates('sensitive-variable', 'expansion', span)": ": ${BASH_ENV:=x}; ls $(id)",
    "flat.read: opened": "cat <<E;",
    "simple.Line._after_reserved: any((redirect.span < self.argv[inner].span for redirect in self.redirects))": (
        ">f time ls"
    ),
    "simple.Line._after_reserved: self.assignments": "a=1 time ls",
    "words._visible: INVISIBLE.search(text)": "ls\u00a0a",
    "words.read_list: state.source[position] == '#'": "for i in a \\\n#b\ndo ls; done",
}
"""Check -> a text of which the list would be complete without it. It refuses what is odd, what would be listed with too
much or in another context, what nobody sees who reads the command, or the one half of what harms only by two (aliases
need `alias` and `shopt`) or in another shell than one that runs a command (`bind`, `fc`, `complete`)."""

HELD: dict[str, str] = {
    "compounds._read_patterns: source[position] != '|'": "case x in a|#b) ;;\nx) ls; esac",
    "compounds.read_case: [kid.type for kid in (*kids[2:3], *kids[-1:])] != ['in', 'esac']": "case x ; in x) ls & esac",
    "compounds.read_for: check_gap(state, position, separator.start_byte, newlines=True)": (
        "for i in \ndo\ndo ls\n ls;;  done"
    ),
    "conditions.read_condition: position >= end - 2": "[[ 'a[$(idid)]' -eqrm -rf / 1 --]]",
    "sequences.read_sequence: _check_separated(state, open_end, node)": "ls;;",
    "sequences._check_separated: not newline_between(state, open_end, node.start_byte)": "((1));;  ls",
    "substitutions._read_node: node.end_byte > end": "cat <<E\n$(s\nE\n)\nE",
}
"""Check -> a text that another check would refuse, with another reason: this one sees it first, and more closely."""

LIMITS: dict[str, tuple[str, str]] = {
    "assignments._read_array: match.end() >= end": ("a=(b", "parse-error"),
    "state.State.enter: self.depth > MAX_DEPTH": ("( " * 60 + "ls" + " )" * 60, "too-deep"),
    "substitutions.read_in_body: state.reparses > MAX_REPARSES": (
        "(cat <<E\n" + "  $(ls)\n" * 30 + "E\n)",
        "too-dense",
    ),
    "text.refuse: len(text) > MAX_BYTES": ("x" * 20_001, "too-long"),
    "text.refuse: not text.isascii() and len(text.encode()) > MAX_BYTES": ("é" * 10_001, "too-long"),
    "text.refuse: (found := CONTROL.search(text))": ("ls 'a\x01b'", "control-character"),
    "text.refuse: len(text) > MAX_OPERATORS and len(OPERATOR.findall(text)) > MAX_OPERATORS": (
        "a;" * 2_501,
        "too-dense",
    ),
    "words._read_parts: position == start": ("[[ a <b ]]", "word"),
}
"""Check -> a text and the reason for which it is refused: without these, time or memory would have no bound, the reader
would not come to an end, or a character that bash keeps for itself would come through."""


@dataclass(frozen=True)
class Shape:
    """What the nodes of one kind are made to say of themselves in the tree of a text."""

    text: str
    kind: str
    lies: Mapping[str, object | Callable[[Node], object]]


OTHER = {"type": "other", "is_named": True}

SHAPES: dict[str, Shape] = {
    "compounds.read_arithmetic_for: kids[0].type != 'for'": Shape("for ((;;)); do ls; done", "for", OTHER),
    "compounds.read_arithmetic_for: kids[1].type != '(('": Shape("for ((;;)); do ls; done", "((", OTHER),
    "compounds.read_for: kids[0].type not in ('for', 'select')": Shape("for i in a; do ls; done", "for", OTHER),
    "compounds.read_for: body.type != 'do_group'": Shape("for i in a; do ls; done", "do_group", {"type": "program"}),
    "compounds.read_function: header not in (['word', '(', ')'], ['function', 'word'],"
    " ['function', 'word', '(', ')'])": (Shape("f() { ls; }; f", "(", OTHER)),
    "sequences.read_program: root.type != 'program'": Shape("(ls)", "program", {"type": "other"}),
    "sequences.read_program: check_gap(state, root.end_byte, state.end, newlines=True)": Shape(
        "(ls); id", "program", {"children": lambda node: node.children[:1], "end_byte": lambda node: 4}
    ),
    "sequences.read_statements: [kid.type for kid in (*kids[:1], *kids[-1:])] != [opener, closer]": Shape(
        "(ls)", "(", OTHER
    ),
    "pipelines._redirected: inner[-1].type != 'heredoc_end'": Shape(
        "(cat <<E\nE\n)", "heredoc_end", {"type": "heredoc_body"}
    ),
    "tree.children: check_gap(state, position, node.end_byte, newlines=newlines)": Shape(
        "(ls)", "subshell", {"children": lambda node: node.children[:-1]}
    ),
    "tree.children: source[start:position] != child.type": Shape("(ls;id)", ";", {"type": "&"}),
    "tree.check_comment: source[start] != '#'": Shape("(ls)\n", "subshell", {"type": "comment"}),
    "tree.check_comment: '\\n' in source[start:end]": Shape("(ls) #a\n", "comment", {"end_byte": 8}),
    "tree.check_comment: end != state.end and source[end] != '\\n'": Shape("(ls) #a", "comment", {"end_byte": 6}),
}
"""Check -> a shape that the parser in use never gives, but another version of its grammar may."""

UNREACHED: dict[str, str] = {
    "compounds.read_for: lists and (not terminated)": "without a terminator the parser finds an error first",
    "compounds.read_for: values and (not lists)": "words without `in` are an error to the parser",
    "conditions.read_condition: source[end - 2:end] != ']]'": "the parser's test ends in its bracket",
    "conditions.read_condition: end - start < 5": "an empty test is an error to the parser",
    "expansions.read_expression: not state.source.startswith('))', position)": (
        "where the parentheses do not meet, the parser finds an error first"
    ),
    "pipelines._redirected: tail is not None": "the parser nests no here-document in a redirection",
    "pipelines._redirected: line_end < 0": "without a line behind it a here-document is an error to the parser",
    "simple._read_whole: len(line.openings) != (body is not None)": (
        "two here-documents in one command are an error to the parser, and without a tree they have their bodies"
    ),
}
"""Check -> why no text gets there today. They stay: what they rule out would be misread."""
