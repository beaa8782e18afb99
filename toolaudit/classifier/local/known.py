"""Programs that are known to do nothing but what the tables say of them."""

from __future__ import annotations

from typing import Final

_NAMES = """
    : [ [[ alembic ansible-playbook apt apt-get awk aws az base64 basename bash bat bc black brew bun bundle
    bunx cargo cat cd chgrp chmod chown clang cmake cmp comm convert cp createdb crontab curl cut date df diff
    dig dirname docker dot du echo egrep env eslint exit export false fd fgrep file find flake8 fmt fold for gcc
    gem gh git go gofmt gradle gradlew grep gunzip gzip head helm host hostname id install isort java javac jest
    jq jupyter kill kubectl less let ln local ls lsof make mkdir mktemp mv mvn mvnw mypy nc next ninja nl node
    nohup npm npx nslookup openssl paste patch pg_isready pgrep ping pip pip3 pkill pnpm poetry prettier
    printenv printf prisma ps psql pwd pyenv pylint pytest python python3 rails rake read readlink realpath
    redis-cli rev rg rm rmdir rsync ruby ruff rustc rustfmt scp sed seq set sh sha256sum shasum shellcheck sleep
    sort source sqlite3 ss ssh-keygen stat strings sudo swift systemctl tail tar tee terraform test time timeout
    touch tox tput tr tree true tsc tsx tty type uname uniq unset unzip uv uvicorn vim vite vitest wait wc
    webpack wget which while who whoami xargs xxd yarn yes yq zip zsh
"""

KNOWN: Final = frozenset(_NAMES.split()) | {""}
"""By base name; a program that is not here is looked at by stage 2."""
