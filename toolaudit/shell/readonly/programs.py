"""The programs that the client takes for read-only, and what it lets them be given.

One row a program or subcommand; every row measured. A program without a row is not read-only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from toolaudit.patterns import late
from toolaudit.shell.readonly import conditions, docker, git, refusals
from toolaudit.shell.readonly.grammar import Anything, Exactly, Flags

Entry = Anything | Exactly | Flags

_ANY = Anything()
_NO_GLOBS = Anything(globs=False)

_ANY_ARGUMENTS = """
    basename cat cmp column cut df diff dirname du echo head hexdump ls nl od readlink realpath rev strings tac tail tr
    wc
"""
_NO_UNQUOTED_GLOBS = """
    cal comm expand expr false fmt fold free groups id locale nproc numfmt paste pr seq sleep true tsort type uname
    unexpand uptime
"""
"""Any arguments but unquoted glob patterns."""

_EXACT = {
    "arch": r"arch(?: (?:-h|--help))?",
    "claude": r"claude (?:-h|--help)",
    "history": r"history(?: [0-9]+)?",
    "hostname": (
        r"hostname(?: (?:-[adfhisvAIV]|--(?:alias|all-fqdns|all-ip-addresses|domain|fqdn|help|ip-address|long|short"
        r"|verbose|version)))*"
    ),
    "ifconfig": r"ifconfig(?: ['\"]?[a-zA-Z]\S*)?",
    "ip": r"ip addr",
    "node": r"node (?:-v|--version)",
    "pwd": r"pwd",
    "python": r"python --version",
    "python3": r"python3 --version",
    "uniq": r"uniq(?: (?:-[a-zA-Z]+|--[a-zA-Z-]+(?:=\S+)?|-[fsw] [0-9]+))*",
    "whoami": r"whoami",
}
"""The whole command, words separated by one blank."""

_FLAGS: dict[str, Flags] = {
    "base64": Flags(
        switches="-d -h -D --decode --help --ignore-garbage --version",
        texts="-i --input",
        numbers="-b -w --break --wrap",
        terminator=False,
    ),
    "date": Flags(
        switches="-u -I -R --debug --help --rfc-email --universal --utc --version",
        texts="-d -r --date --iso-8601 --reference --rfc-3339",
        refusal=refusals.sets_clock,
    ),
    "fd": Flags(
        switches="""
            -a -g -h -i -p -q -s -F -H -I -L -V -0 -1 --absolute-path --case-sensitive --fixed-strings --follow
            --full-path --glob --help --hidden --ignore-case --no-ignore --no-ignore-parent --no-ignore-vcs
            --no-require-git --one-file-system --print0 --prune --quiet --regex --show-errors --strip-cwd-prefix
            --version
        """,
        texts="""
            -c -e -o -t -E -S --and --base-directory --changed-before --changed-within --color --exclude --extension
            --format --hyperlink --ignore-file --max-buffer-time --owner --path-separator --search-path --size --type
        """,
        numbers="-d -j --batch-size --exact-depth --max-depth --max-results --min-depth --threads",
    ),
    "file": Flags(
        switches="""
            -b -c -h -i -k -l -n -p -r -s -v -L -0 --apple --brief --dereference --help --keep-going --list --mime
            --mime-encoding --mime-type --no-buffer --no-dereference --preserve-date --print0 --raw --special-files
            --version
        """,
        texts="-F --exclude --exclude-quiet --separator",
    ),
    "grep": Flags(
        switches="""
            -a -b -c -h -i -l -n -o -q -r -s -u -v -w -x -z -E -F -G -H -I -L -P -R -T -U -V -Z --basic-regexp --binary
            --byte-offset --count --dereference-recursive --extended-regexp --files-with-matches --files-without-match
            --fixed-strings --help --ignore-case --initial-tab --invert-match --line-buffered --line-number
            --line-regexp --no-filename --no-group-separator --no-ignore-case --no-messages --null --null-data
            --only-matching --perl-regexp --quiet --recursive --silent --text --unix-byte-offsets --version
            --with-filename --word-regexp
        """,
        texts="""
            -d -e -f -D --binary-files --color --colour --devices --directories --exclude --exclude-dir --exclude-from
            --file --group-separator --include --label --regexp
        """,
        numbers="-m -A -B -C --after-context --before-context --context --max-count",
        globs=True,
        newlines=False,
        attached=True,
    ),
    "help": Flags(
        switches="-d",
        refusal=refusals.names_file,
    ),
    "lsof": Flags(
        switches="-a -b -g -h -i -l -n -o -r -s -t -v -x -C -E -F -H -K -L -N -O -P -Q -R -S -T -U -V -X",
        texts="-c -d -e -k -p -u -A",
        refusal=refusals.writes_mounts,
    ),
    "man": Flags(
        switches="-a -d -f -h -k -w --all --apropos --whatis",
        texts="-s -S",
        refusal=refusals.names_page_file,
    ),
    "md5sum": Flags(
        switches="""
            -b -c -t -w -z --binary --check --help --ignore-missing --quiet --status --strict --tag --text --version
            --warn --zero
        """,
        globs=True,
    ),
    "netstat": Flags(
        switches="-a -g -i -l -m -n -r -s -v -L",
        texts="-f -I",
    ),
    "pgrep": Flags(
        switches="""
            -a -c -f -i -l -n -o -v -w -x -L -V --count --exact --full --help --ignore-case --inverse --lightweight
            --list-full --list-name --logpidfile --newest --oldest --version
        """,
        texts="""
            -d -g -r -s -t -u -F -G -O -P -U --delimiter --euid --group --ns --nslist --older --parent --pgroup
            --pidfile --runstates --session --terminal --uid
        """,
    ),
    "ps": Flags(
        switches="""
            -a -c -d -e -f -j -l -m -w -y -A -F -H -L -N -T -V --deselect --forest --headers --help --info --no-headers
            --version
        """,
        texts="-g -n -p -q -s -t -u -C -G -U --pid --quick-pid --sid --sort --tty --user",
        numbers="--width",
        terminator=False,
        refusal=refusals.shows_environment,
    ),
    "rg": Flags(
        switches="""
            -a -c -h -i -l -n -o -q -u -v -w -F -H -L -S --column --count --debug --files-with-matches
            --files-without-match --fixed-strings --follow --heading --help --hidden --ignore-case --invert-match --json
            --line-number --no-heading --no-ignore --only-matching --quiet --smart-case --stats --text --type-list
            --version --word-regexp
        """,
        texts="-e -f -g -t -T --color --glob --regexp --type --type-not",
        numbers="-d -m -A -B -C --after-context --before-context --context --max-count --max-depth",
        newlines=False,
        attached=True,
    ),
    "sort": Flags(
        switches="""
            -b -c -d -f -g -h -i -m -n -r -s -u -z -C -M -R -V --check --dictionary-order --general-numeric-sort --help
            --human-numeric-sort --ignore-case --ignore-leading-blanks --ignore-nonprinting --merge --month-sort
            --numeric-sort --random-sort --reverse --stable --unique --version --version-sort --zero-terminated
        """,
        texts="-k -t -S --buffer-size --field-separator --key --sort",
        numbers="--batch-size --parallel",
    ),
    "ss": Flags(
        switches="""
            -a -b -d -e -h -i -l -m -n -o -p -s -t -u -w -x -z -E -H -M -O -S -V -Z -0 -4 -6 --all --bpf --cgroup
            --context --contexts --dccp --events --extended --help --inet-sockopt --info --ipv4 --ipv6 --listening
            --memory --mptcp --no-header --numeric --oneline --options --packet --processes --raw --sctp --summary --tcp
            --tipc --tipcinfo --tos --udp --unix --version --vsock
        """,
        texts="-f -A --family --query --socket",
        refusal=refusals.looks_up_names,
    ),
    "test": Flags(
        texts="""
            -b -c -d -e -f -g -h -k -n -p -r -s -t -u -w -x -z -G -L -N -O -S -ef -nt -ot -eq -ge -gt -le -lt -ne
        """,
        terminator=False,
        refusal=conditions.subscripts,
    ),
    "tput": Flags(
        switches="-x -V",
        texts="-T",
        refusal=refusals.changes_screen,
    ),
    "tree": Flags(
        switches="""
            -a -c -d -f -g -h -i -l -n -p -q -r -s -t -u -v -x -A -C -D -F -J -N -Q -S -U -X --device --dirsfirst --du
            --fflinks --filesfirst --fromfile --fromtabfile --gitignore --help --hyperlink --ignore-case --info --inodes
            --matchdirs --metafirst --nolinks --noreport --prune --si --version
        """,
        texts="-H -I -P -T --authority --charset --gitfile --hintro --houtro --infofile --scheme --sort --timefmt",
        numbers="-L --filelimit",
    ),
    "which": Flags(
        switches="""
            -a -p -s -v -w -V --all --help --show-dot --show-tilde --skip-alias --skip-dot --skip-functions --skip-tilde
            --version
        """,
        refusal=refusals.lone_dash,
    ),
    "xargs": Flags(
        switches="-r -t -x -0",
        numbers="-n -s -L -P",
        characters="-d",
        braces="-I",
        end_marks="-E",
        first_operand_ends=True,
        refusal=refusals.starts_program,
    ),
}

PROGRAMS: Mapping[str, Entry] = MappingProxyType(
    dict.fromkeys(_ANY_ARGUMENTS.split(), _ANY)
    | dict.fromkeys(_NO_UNQUOTED_GLOBS.split(), _NO_GLOBS)
    | {name: Exactly(late(pattern, re.DOTALL)) for name, pattern in _EXACT.items()}
    | _FLAGS
    | {"egrep": _FLAGS["grep"], "fgrep": _FLAGS["grep"], "fdfind": _FLAGS["fd"]}
    | {"sha1sum": _FLAGS["md5sum"], "sha256sum": _FLAGS["md5sum"]}
    | {
        "[": Anything(globs=False, refusal=conditions.conditions),
        "[[": Anything(refusal=conditions.conditions),
        "cd": Anything(refusal=refusals.several_directories),
        "find": Anything(refusal=refusals.acts_on_found),
        "jq": Anything(globs=False, refusal=refusals.reads_more),
        "printf": Anything(globs=False, refusal=refusals.evaluates),
        "sed": Anything(refusal=refusals.edits),
        "stat": Anything(refusal=refusals.zsh_stat),
    }
)

SUBCOMMANDS: Mapping[str, Mapping[str, Entry]] = MappingProxyType(
    {"git": git.SUBCOMMANDS, "docker": docker.SUBCOMMANDS}
)
"""Programs whose first words decide; no option may stand before them."""
