"""JUnit's XML as CI systems read it: a suite a group, a case a result."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TextIO
from xml.etree import ElementTree

from toolaudit.reporting.results.model import Result, Results, Status
from toolaudit.reporting.text import plain


def write(results: Results, stream: TextIO) -> None:
    root = ElementTree.Element("testsuites", {"name": f"toolaudit {results.verb}", **_numbers(results.results)})
    ordered = sorted(results.results, key=lambda result: result.group)
    for group, members in itertools.groupby(ordered, key=lambda result: result.group):
        cases = list(members)
        suite = ElementTree.SubElement(root, "testsuite", {"name": plain(group or results.verb), **_numbers(cases)})
        for result in cases:
            _case(suite, result)
    ElementTree.indent(root)
    stream.write('<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n")


def _numbers(found: Sequence[Result]) -> dict[str, str]:
    count = {status: sum(one.status is status for one in found) for status in Status}
    return {
        "tests": str(len(found)),
        "failures": str(count[Status.FAILED]),
        "errors": str(count[Status.ERROR]),
        "skipped": str(count[Status.SKIPPED]),
        "time": f"{sum(one.seconds for one in found):.3f}",
    }


def _case(suite: ElementTree.Element, result: Result) -> None:
    place = {"file": plain(result.place.file), "line": str(result.place.line or 1)} if result.place else {}
    case = ElementTree.SubElement(
        suite,
        "testcase",
        {
            "classname": plain(result.stage or result.check),
            "name": plain(result.name),
            "time": f"{result.seconds:.3f}",
            **place,
        },
    )
    properties = {"check": result.check, "rule": result.rule, "subject": result.subject}
    holder = ElementTree.SubElement(case, "properties")
    for name, value in properties.items():
        if value:
            ElementTree.SubElement(holder, "property", name=name, value=plain(value))
    kind = {Status.FAILED: "failure", Status.ERROR: "error", Status.SKIPPED: "skipped"}.get(result.status)
    if kind is not None:
        told = ElementTree.SubElement(case, kind, message=plain(result.message), type=result.check)
        told.text = "\n".join(map(plain, result.details)) or None
