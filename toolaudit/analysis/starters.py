"""Programs that run what they are told, by kind, with commands that show it.

A newcomer adds a row: the kind, and commands in which `x` is the code, program, host or package of somebody's choice.
"""

from __future__ import annotations

from functools import cache
from typing import Final

TABLE: Final = {
    "shell": """
        bash -c x; bash x; sh -c x; sh x; zsh -c x; dash -c x; ksh -c x; fish -c x; csh -c x; eval x; source x; . x
        pwsh -c x; pwsh -Command x; powershell -Command x; powershell -c x; powershell.exe -Command x; cmd /c x
        cmd.exe /c x; busybox sh -c x; sudo x; doas x; su -c x; exec x; script -c x; nsenter x; chroot / x
    """,
    "interpreter": """
        python -c x; python x; python -m x; python3 -c x; python3 x; python3 -m x; python2 -c x; py -c x; node -e x
        node x; nodejs -e x; deno eval x; deno run x; bun -e x; bun x; bun run x; ruby -e x; ruby x; perl -e x
        perl x; php -r x; php x; lua -e x; lua x; Rscript -e x; tsx x; ts-node x; julia -e x; osascript -e x
        swift x; java x; groovy x; ghci -e x; elixir -e x; tclsh x; gdb -ex x; jshell x; ipython -c x
        nix-shell -p x; nix run x
    """,
    "wrapper": """
        env x; xargs x; nohup x; timeout 5 x; timeout 1 x; time x; nice x; nice -n 5 x; stdbuf -o0 x; command x
        builtin x; setsid x; ionice x; flock x x; strace x; ltrace x; taskset 1 x; unshare x; parallel x; exec x
        chrt 1 x; caffeinate x; dotenv x; direnv exec . x; rtk x; doppler run -- x; op run -- x
    """,
    "package runner": """
        npx x; npx -y x; pnpx x; bunx x; uvx x; pipx run x; npm exec x; mise exec x; mise x x; pnpm exec x
        pnpm dlx x; yarn dlx x; npm x x; uv tool run x; go run x; dotnet script x; cargo install x; npm install x
        npm i x; pip install x; pip3 install x; gem install x; go install x; cargo binstall x; brew install x
        apt install x; apt-get install x; uv run x; uv pip install x; poetry run x; pdm run x; pipenv run x
        hatch run x; conda run x; rye run x; bundle exec x; python -m pip install x; python3 -m pip install x
        yarn add x; pnpm add x; bun add x; bun install x; uv add x
    """,
    "project code": """
        npm run x; npm test x; npm start x; npm ci; yarn x; yarn run x; yarn test x; pnpm x; pnpm run x; pnpm test x
        make x; make -f x; just x; task x; rake x; cargo run x; cargo test x; cargo build x; cargo x; go test x
        go generate x; mvn x; gradle x; ./gradlew x; ./mvnw x; pytest x; tox -e x; nox -s x; ant x; cmake --build x
        cmake -P x; ninja x; bazel run x; bazel test x; turbo x; nx x; dotnet run x; dotnet test x; dotnet build x
        swift run x; mix x; sbt x; vitest x; jest x; mocha x; playwright test x; flutter x; dart run x
        composer run x; composer x; pre-commit run x; terraform apply x; ansible-playbook x; act x; invoke x
        bundle x; rails x; php artisan x; npm run build x; npm run test x; npm run dev x; pulumi up x; cdk deploy x
        serverless x; firebase x; vagrant up x
    """,
    "remote or container": """
        ssh x x; scp -S x x x; rsync -e x x x; docker run -v /:/x x; docker exec x x; docker compose run x
        docker compose exec x x; docker-compose exec x x; docker-compose run x; docker build x; docker x
        podman run x; podman exec x x; kubectl exec x -- x; kubectl run x; kubectl x; helm install x; helm x
        lxc exec x -- x; vagrant ssh -c x; wsl x; wsl.exe x; gcloud compute ssh x --command x; aws ssm x
        fly ssh console -C x; tmux new x; screen -dm x; systemd-run x; at x; crontab x; heroku run x; mosh x
        nerdctl run x
    """,
    "option": """
        awk 'BEGIN{system("x")}'; gawk 'BEGIN{system("x")}'; mawk 'BEGIN{system("x")}'; sed -n '1e x' x
        sed '1e x' x; tar cf x --checkpoint=1 --checkpoint-action=exec=x x; tar -xf x --to-command=x; tar -I x -xf x
        sort --compress-program=x x; git -c alias.x=!x x; git -c core.sshCommand=x fetch; git bisect run x
        git rebase -x x; git submodule foreach x; git config alias.x !x; git clone ext::x
        git fetch --upload-pack=x x; vim -c !x; vi -c !x; emacs --eval x; less x; man -P x x; sqlite3 x '.shell x'
        sqlite3 -cmd '.shell x' x; psql -c '\\! x'; mysql -e '\\! x'; zip -T -TT x x; rsync -e x x x; scp -S x x x
        wget --use-askpass=x x; openssl engine x; gcc -wrapper x x; ed x; nmap --script x; tcpdump -z x -G 1 -w x
        rpm --eval x; gh alias set x !x; gh extension install x; npm config set script-shell x; make --eval=x
        hg --config alias.x=!x x
    """,
    "searcher": """
        find . -exec x {} +; find . -delete; find . -fprintf x x; fd -x x; fd . -x x; fdfind -x x; watch x; entr x
        rg --pre x x
    """,
}
"""Kind -> commands."""


@cache
def by_word(kind: str) -> dict[str, list[str]]:
    """The commands of a kind, by their first word."""
    found: dict[str, list[str]] = {}
    for line in TABLE[kind].splitlines():
        for command in filter(None, map(str.strip, line.split(";"))):
            found.setdefault(command.partition(" ")[0], []).append(command)
    return found
