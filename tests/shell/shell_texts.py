"""Texts for the properties: pieces of shell put together with and without sense."""

from __future__ import annotations

from hypothesis import strategies as st

PIECES = """
ls git id rm cat echo [ test printf export local declare set time command exec for if while case do done then fi esac
in else elif function a b -x --a=b x=1 y= z+=2 a[0]=1 $x "$x" ${x} ${x:-y} "${x[@]}" $(ls) `id` "$(id)" $((1+2)) $1 $@
'a' "a" "a\\"b" \\' $'a' $"a" a\\ b *.py ? [a] ~ {a,b} {} { } ( ) (( )) [[ ]] && || | |& & ; ;; > >> < >& 2>&1 &>f <<<
<<EOF <<'EOF' EOF <(ls) >(ls) # ! = == =~ \\ ' " ` $ $( ${ é \u200b
""".split()

BLANKS = [" ", " ", " ", "  ", "\t", "\n", "\\\n", "", ""]

pieces = st.sampled_from(PIECES)
texts = st.lists(st.tuples(pieces, st.sampled_from(BLANKS)).map("".join), max_size=14).map("".join)
anything = st.text(st.characters(codec=None), max_size=40)

WORDS = (
    """ls git rm -rf a a.b/c --x=y 'a_b' "a_b" a\\_b \\$ "$x" $x ${x} *.py a"b"'c' "a\\"b" $(id) `id` 2 HEAD~1 é x#y"""
)

words = st.sampled_from([word.replace("_", " ") for word in WORDS.split()])
redirects = st.sampled_from([">f", "2>&1", "<f", ">>f", "2> f", "&>f", "<<<x"])
operators = st.sampled_from([" && ", " || ", " | ", "; ", " & ", "\n", "|", "&&"])
simple = st.lists(st.one_of(words, words, words, redirects), min_size=1, max_size=5).map(" ".join)
flat = st.lists(st.tuples(simple, operators).map("".join), max_size=3).flatmap(
    lambda heads: simple.map(lambda last: "".join(heads) + last)
)
