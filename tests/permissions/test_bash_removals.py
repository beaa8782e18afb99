"""Critical removals in the mode that allows all else, as measured."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from toolaudit.model import Decision

Ask = Callable[..., Decision]

CRITICAL = r"""
rm -rf /
rm -rf //
rm /etc
rm -rf /usr
rm -rf ~
rm -rf ~/*
rm -rf $HOME
rm -rf /*
rm -rf .
rm -rf ..
rm -rf *
rm -rf ./*
rm -rf **
rm -rf src/..
rm -rf ../*
rmdir /home
rm -rf src /
rm -rf -- /
\rm -rf /
/bin/rm -rf /
timeout 5 rm -rf /
env rm -rf /
bash -c "rm -rf /"
(rm -rf /)
echo $(rm -rf /)
{ rm -rf /; }
if true; then rm -rf /; fi
rm -rf / | cat
rm -rf $DIR/*
rm -rf "$DIR"/
rm -rf "${DIR}/usr"
rm -rf $1/*
rm -rf "$(pwd)"
rm -rf /tmp/$(x)
DIR=/; rm -rf $DIR
DIR=$(pwd); rm -rf $DIR
DIR=$(cd x; pwd); rm -rf $DIR
cd src && rm -rf *
cd src && rm -rf ..
rm -rf /etc/*
rm -rf /etc/*/*
rm -rf ~/*/*
rm -rf */*
rm -rf src/*/*
rm -rf ../x/*
rm -rf ~x/*
rm -rf $(pwd)/*
rm -rf "$(pwd)/*"
rm -rf $(pwd)/./
rm -rf $(pwd)/..
rm -rf $(pwd)*
rm -rf "$X/$Y"
rm -rf $X/$(pwd)
rm -rf $X/etc/*
A=/; B=$A; rm -rf $B
export A=/; rm -rf $A
A="$HOME/"; rm -rf $A
A=$PWD; rm -rf $A
A=$(git rev-parse --show-toplevel); rm -rf $A
X=rm; $X -rf /
~/bin/rm -rf /
$HOME/bin/rm -rf /
sudo -u x bash -c "rm -rf /"
flock f sh -c "rm -rf /"
busybox sh -c "rm -rf /"
exec sh -c "rm -rf /"
bash -eo pipefail -c "rm -rf /"
bash --rcfile x -c "rm -rf /"
bash -c -e "rm -rf /"
bash -c "rm -rf /$(x)"
""".strip().splitlines()

ORDINARY = r"""
rm -rf src
rm -rf /tmp/x
rm -rf /usr/lib
rm -rf ~/x
rm -rf .*
rm -rf *.txt
rm -rf ?
rm -rf "$DIR"
rm -rf $DIR/x
rm -rf "${DIR:?}"/*
rm -rf ${DIR:-/tmp}/*
rm -rf $(pwd)/x
rm $(ls)
DIR=/tmp/x; rm -rf $DIR/*
cd /tmp && rm -rf x
sudo rm -rf /
xargs rm -rf /
f() { rm -rf /; }; f
for i in /; do rm -rf $i; done
find / -delete
echo "rm -rf /"
rm -rf src/*
rm -rf /usr/lib/*
rm -rf */x
rm -rf ~root
rm $(pwd)/*
rm -rf $(pwd)/x/*
rm -rf "$X$(pwd)"
rm -rf $X/x/*
A=$(ls); rm -rf $A
A=$(cd x && pwd); rm -rf $A
A=a; A=/; rm -rf $A
A=/ B=a; rm -rf $A
A=/; rm -rf "${A}"
A=/; unset A; rm -rf $A
A=/; (rm -rf $A)
A=~; rm -rf $A
case x in x) rm -rf /;; esac
coproc rm -rf /
exec rm -rf /
time -p rm -rf /
rm -rf $'/'
rm -rf / {a,b}
bash -- -c "rm -rf /"
fish -c "rm -rf /"
echo "rm -rf /" | bash
sudo env rm -rf /
""".strip().splitlines()


MISREAD = r"""
ls $(
echo "$(ls"
echo "${X"
echo ${X:-'}
echo ${X:-`}
$[
x=$((1+1)
(( 1 + 1 )
((1);
((ls); ls)
((ls) | (cat))
echo ((b))
ls ((a
x;((
if $(ls; then
cat <(ls ${a
echo $( "
`$(`
${ ls; }
rm -rf x $(
""".strip().splitlines()

READ = r"""
echo $(ls) "
ls "
ls 'a
echo `ls
if true; then
ls )
echo ))
((1+1))
((ls))
[[ ((
a=((
echo "((
( (ls)
echo '$(
ls # $(
echo \$(ls
ls $'a$(
echo $( (ls) )
echo ${X:-(}
echo $(case a in a) ls;; esac)
echo "$(echo ")")"
${}
""".strip().splitlines()


@pytest.mark.parametrize("command", [*CRITICAL, *MISREAD])
def test_critical(ask: Ask, command: str) -> None:
    decision = ask(command, mode="bypassPermissions", allow=["Bash"])
    assert (decision.behavior, decision.stage) == ("ask", "removal")
    assert not decision.classifier_approvable


@pytest.mark.parametrize("command", [*ORDINARY, *READ])
def test_ordinary(ask: Ask, command: str) -> None:
    assert ask(command, mode="bypassPermissions").behavior == "allow"


@pytest.mark.parametrize("mode", ["auto", "plan", "dontAsk"])
def test_denied_where_no_person_is_asked(ask: Ask, mode: str) -> None:
    assert ask("rm -rf /", mode=mode, classifier="allow").behavior == "deny"
