"""Which arguments of which cmdlets are paths, and which cmdlets need no permission.

PowerShell's documentation of each cmdlet gives parameters and positions. A parameter that is not listed here is not
known to be harmless: with it, the cmdlet asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from toolaudit.structs import Struct


class Role(StrEnum):
    """What an argument is."""

    READ = "read"
    """A path that is read."""
    WRITE = "write"
    """A path that is written to or removed."""
    VALUE = "value"
    SWITCH = "switch"
    """The parameter takes no value."""


class Kind(StrEnum):
    """What a cmdlet does as far as permission goes."""

    READ_ONLY = "read-only"
    MOVE = "directory change"
    EDIT = "edit"
    """acceptEdits and auto approve it in the working directories (documents, 3.3)."""
    OTHER = "other"
    """Only rules allow it; its paths are known, so that rules for paths reach it (documents, 4.2)."""


class Cmdlet(Struct):
    kind: Kind
    parameters: Mapping[str, Role]
    """Name in lower case -> what its value is."""
    positions: tuple[str, ...] = ()
    """The parameters that take arguments without a name, in order."""
    rest: Role | None = None
    """What further arguments without a name are; None: there may be none."""
    takes_paths: bool = False
    """It takes paths from a pipeline if none is given."""


_COMMON: Final = {
    "erroraction": Role.VALUE,
    "ea": Role.VALUE,
    "warningaction": Role.VALUE,
    "wa": Role.VALUE,
    "verbose": Role.SWITCH,
    "debug": Role.SWITCH,
}
_CONFIRMING: Final = {"confirm": Role.SWITCH, "whatif": Role.SWITCH, "force": Role.SWITCH}
_PATHS: Final = ("path", "literalpath", "pspath", "lp")
_FILTERS: Final = "filter include exclude"


def _cmdlet(
    kind: Kind,
    *,
    reads: str = "",
    writes: str = "",
    values: str = "",
    switches: str = "",
    positions: str = "",
    rest: Role | None = None,
) -> Cmdlet:
    parameters = dict(_COMMON) if kind in (Kind.READ_ONLY, Kind.MOVE) else _COMMON | _CONFIRMING
    for names, role in ((reads, Role.READ), (writes, Role.WRITE), (values, Role.VALUE), (switches, Role.SWITCH)):
        parameters |= dict.fromkeys(names.split(), role)
    takes_paths = any(parameters.get(name) in (Role.READ, Role.WRITE) for name in _PATHS)
    return Cmdlet(kind, parameters, tuple(positions.split()), rest, takes_paths)


def _reader(positions: str = "path", values: str = "", switches: str = "") -> Cmdlet:
    return _cmdlet(
        Kind.READ_ONLY,
        reads=" ".join(_PATHS),
        values=f"{_FILTERS} {values}",
        switches=f"{switches} force",
        positions=positions,
    )


def _plain(values: str = "", switches: str = "", positions: str = "", rest: Role | None = None) -> Cmdlet:
    return _cmdlet(Kind.READ_ONLY, values=values, switches=switches, positions=positions, rest=rest)


def _writer(
    kind: Kind, *, reads: str = "", writes: str = " ".join(_PATHS), values: str = "", switches: str = "", positions: str
) -> Cmdlet:
    return _cmdlet(
        kind, reads=reads, writes=writes, values=f"{_FILTERS} {values}", switches=switches, positions=positions
    )


_CONTENT: Final = "value encoding"
_COMPARISONS: Final = (
    "eq ne gt ge lt le like notlike match notmatch contains notcontains in notin ceq cne clike cmatch is isnot"
)

CMDLETS: Final[Mapping[str, Cmdlet]] = {
    # Read files and directories.
    "get-childitem": _reader(
        "path filter", "depth attributes", "recurse s name directory ad file af hidden ah readonly ar system as"
    ),
    "get-content": _reader("path", "totalcount head first tail last encoding delimiter readcount", "raw asbytestream"),
    "get-item": _reader(),
    "get-itemproperty": _reader("path name", "name"),
    "get-filehash": _reader("path", "algorithm"),
    "format-hex": _reader("path", "encoding count offset"),
    "import-csv": _reader("path delimiter", "delimiter encoding header", "useculture"),
    "resolve-path": _reader("path", "", "relative"),
    "convert-path": _reader(),
    "select-string": _reader(
        "pattern path",
        "pattern context encoding culture",
        "simplematch casesensitive quiet list notmatch allmatches raw noemphasis",
    ),
    "test-path": _reader("path", "pathtype olderthan newerthan", "isvalid"),
    # Change the directory.
    "set-location": _cmdlet(Kind.MOVE, reads=" ".join(_PATHS), positions="path"),
    "push-location": _cmdlet(Kind.MOVE, reads=" ".join(_PATHS), positions="path"),
    "pop-location": _cmdlet(Kind.MOVE),
    # Look at the system, or only at text and objects.
    "get-date": _plain("format uformat date year month day hour minute second", "asutc", "date"),
    "get-location": _plain(),
    "get-process": _plain("name id", "", "name"),
    "get-service": _plain("name", "", "name"),
    "get-uptime": _plain("", "since"),
    "join-path": _plain("path childpath", "", "path childpath"),
    "split-path": _plain("path", "parent leaf leafbase extension qualifier noqualifier isabsolute", "path"),
    "write-output": _plain("inputobject", "noenumerate", "inputobject", Role.VALUE),
    "write-host": _plain("object separator foregroundcolor backgroundcolor", "nonewline", "object", Role.VALUE),
    "convertfrom-csv": _plain("delimiter header", "", "inputobject delimiter"),
    "convertfrom-json": _plain("depth inputobject", "ashashtable noenumerate", "inputobject"),
    "convertto-csv": _plain("delimiter", "notypeinformation useculture"),
    "convertto-json": _plain("depth", "compress enumsasstrings asarray"),
    "format-list": _plain("property", "force", "property"),
    "format-table": _plain("property", "autosize wrap hidetableheaders force", "property"),
    "format-wide": _plain("property column", "autosize force", "property"),
    "get-member": _plain("name membertype", "force static", "name"),
    "get-unique": _plain("", "asstring ontype"),
    "group-object": _plain("property", "noelement casesensitive ashashtable asstring", "property"),
    "measure-object": _plain(
        "property", "line word character sum average maximum minimum allstats ignorewhitespace", "property"
    ),
    "out-host": _plain("", "paging"),
    "out-null": _plain(),
    "out-string": _plain("width", "stream nonewline"),
    "select-object": _plain(
        "first last skip skiplast index property expandproperty excludeproperty", "unique wait", "property"
    ),
    "sort-object": _plain("property culture top bottom", "descending unique casesensitive stable", "property"),
    "where-object": _plain("property value", _COMPARISONS, "property value"),
    # Edits that acceptEdits approves.
    "set-content": _writer(
        Kind.EDIT, values=_CONTENT, switches="nonewline asbytestream passthru", positions="path value"
    ),
    "add-content": _writer(
        Kind.EDIT, values=_CONTENT, switches="nonewline asbytestream passthru", positions="path value"
    ),
    "clear-content": _writer(Kind.EDIT, positions="path"),
    "remove-item": _writer(Kind.EDIT, switches="recurse", positions="path"),
    # Further writers.
    "copy-item": _writer(
        Kind.OTHER,
        reads=" ".join(_PATHS),
        writes="destination",
        switches="recurse container passthru",
        positions="path destination",
    ),
    "move-item": _writer(
        Kind.OTHER, writes=f"{' '.join(_PATHS)} destination", switches="passthru", positions="path destination"
    ),
    "rename-item": _writer(Kind.OTHER, values="newname", switches="passthru", positions="path newname"),
    "new-item": _writer(Kind.OTHER, values="name itemtype type value target", positions="path"),
    "clear-item": _writer(Kind.OTHER, positions="path"),
    "set-item": _writer(Kind.OTHER, values="value", switches="passthru", positions="path value"),
    "out-file": _writer(
        Kind.OTHER,
        writes=f"filepath {' '.join(_PATHS)}",
        values="encoding width inputobject",
        switches="append noclobber nonewline",
        positions="filepath encoding",
    ),
    "tee-object": _writer(
        Kind.OTHER,
        writes=f"filepath {' '.join(_PATHS)}",
        values="variable encoding inputobject",
        switches="append",
        positions="filepath",
    ),
    "export-csv": _writer(
        Kind.OTHER,
        values="delimiter encoding inputobject",
        switches="append noclobber notypeinformation useculture",
        positions="path delimiter",
    ),
    "invoke-webrequest": _writer(
        Kind.OTHER,
        writes="outfile",
        values="uri method headers body useragent",
        switches="usebasicparsing",
        positions="uri",
    ),
    "invoke-restmethod": _writer(
        Kind.OTHER,
        writes="outfile",
        values="uri method headers body useragent",
        switches="usebasicparsing",
        positions="uri",
    ),
    "expand-archive": _writer(
        Kind.OTHER, reads="path literalpath", writes="destinationpath", positions="path destinationpath"
    ),
    "compress-archive": _writer(
        Kind.OTHER,
        reads="path literalpath",
        writes="destinationpath",
        values="compressionlevel",
        switches="update",
        positions="path destinationpath",
    ),
}
"""Full name in lower case -> its parameters. Left out on purpose, though they only read: ForEach-Object, which may call
a method by its name; Get-Command and Get-Help, which load modules; Get-DnsClientCache (documents, 2.5.2)."""
