"""Short names of cmdlets. Rules and commands are compared under full names, in any case (documents, 3.1)."""

from __future__ import annotations

import re
from typing import Final

from toolaudit.patterns import late

_TABLE: Final = """
Add-Content ac
Clear-Content clc
Clear-Host clear cls
Clear-Item cli
Clear-ItemProperty clp
Clear-Variable clv
Compare-Object compare diff
Connect-PSSession cnsn
Convert-Path cvpa
Copy-Item cp copy cpi ci
Copy-ItemProperty cpp
Enter-PSSession etsn
Exit-PSSession exsn
Export-Alias epal
Export-Csv epcsv
Export-PSSession epsn
ForEach-Object foreach %
Format-Custom fc
Format-Hex fhx
Format-List fl
Format-Table ft
Format-Wide fw
Get-Alias gal
Get-ChildItem dir gci ls
Get-Clipboard gcb
Get-Command gcm
Get-ComputerInfo gin
Get-Content cat gc type
Get-History ghy h history
Get-Item gi
Get-ItemProperty gp
Get-ItemPropertyValue gpv
Get-Job gjb
Get-Location gl pwd
Get-Member gm
Get-Module gmo
Get-Process gps ps
Get-PSDrive gdr
Get-Service gsv
Get-TimeZone gtz
Get-Unique gu
Get-Variable gv
Get-WmiObject gwmi
Group-Object group
Import-Alias ipal
Import-Csv ipcsv
Import-Module ipmo
Invoke-Command icm
Invoke-Expression iex
Invoke-History ihy r
Invoke-Item ii
Invoke-RestMethod irm
Invoke-WebRequest curl iwr wget
Invoke-WmiMethod iwmi
Measure-Object measure
Move-Item mi move mv
Move-ItemProperty mp
New-Alias nal
New-Item ni
New-Module nmo
New-PSDrive mount ndr
New-PSSession nsn
New-Variable nv
Out-Host oh
Out-Printer lp
Pop-Location popd
Push-Location pushd
Receive-Job rcjb
Remove-Item del erase rd ri rm rmdir
Remove-ItemProperty rp
Remove-Job rjb
Remove-Module rmo
Remove-PSDrive rdr
Remove-PSSession rsn
Remove-Variable rv
Rename-Item ren rni
Rename-ItemProperty rnp
Resolve-Path rvpa
Select-Object select
Select-String sls
Set-Alias sal
Set-Clipboard scb
Set-Content sc
Set-Item si
Set-ItemProperty sp
Set-Location cd chdir sl
Set-Service spsv
Set-TimeZone stz
Set-Variable set sv
Show-Command shcm
Sort-Object sort
Start-Job sajb
Start-Process saps start
Start-Service sasv
Start-Sleep sleep
Stop-Job spjb
Stop-Process kill spps
Tee-Object tee
Wait-Job wjb
Where-Object ? where
Write-Output echo write
""".strip()
"""One cmdlet a line, and the names for it on any system."""

_CMDLETS: Final = {alias: line.split()[0].lower() for line in _TABLE.splitlines() for alias in line.split()[1:]}

NATIVE_ELSEWHERE: Final = frozenset({"cat", "cp", "ls", "mv", "ps", "rm", "rmdir", "sort"})
"""Aliases that are none on Linux or macOS, where they start a program that takes more of its arguments for paths."""

_QUALIFIED: Final = late(r"Microsoft\.PowerShell\.(?:Core|Management|Utility)\\(\w+-\w+)", re.IGNORECASE)
_EXTENSION: Final = late(r"\.(?:exe|com|cmd|bat|ps1)\Z")


def canonical(name: str) -> str:
    """The command's full name in lower case; a name that is no alias is its own."""
    lowered = name.lower()
    return _CMDLETS.get(lowered, lowered)


def suspected(name: str) -> str:
    """What the command may be in the worst case: the name's last segment, its extension taken off, as `canonical`.

    For refusing only: `.\\rm.ps1` is suspected of being Remove-Item.
    """
    base = name.replace("/", "\\").rpartition("\\")[2].lower()
    return canonical(_EXTENSION.sub("", base))


def cmdlet(name: str) -> str:
    """As `canonical`, where the name may be written with one of PowerShell's own modules before it."""
    qualified = _QUALIFIED.fullmatch(name)
    return canonical(qualified[1] if qualified else name)


_FIRST_WORD: Final = late(r"[^\s*:]+(?=\s|:\*\Z|\Z)")


def canonical_text(text: str) -> str:
    """A command or a rule's specifier in lower case, its first word a full name where that word has no star."""
    first = _FIRST_WORD.match(text)
    return text.lower() if first is None else canonical(first[0]) + text[first.end() :].lower()
