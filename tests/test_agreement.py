"""How far the resolver agrees with recordings of the real client, held to thresholds.

The recordings in `corpora/conformance` are the project's own; the others lie beside the checkout and are skipped where
they are missing. A threshold may be raised when the resolver gets better; lowering one needs a reason in the commit.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolaudit.cli.decide import decided
from toolaudit.conformance import Agreement, compare
from toolaudit.model.versions import NEWEST, Version

OWN = Path(__file__).parents[1] / "corpora" / "conformance"


def agreement(folder: Path, prefix: str = "", version: Version = NEWEST) -> Agreement:
    name = f"{prefix}decisions.jsonl" if version == NEWEST else f"{prefix}decisions.{version}.jsonl"
    lines_of_records = (folder / name).read_text(encoding="utf-8").splitlines()
    recorded = {record["id"]: record for record in map(json.loads, lines_of_records)}
    with (folder / f"{prefix}cases.jsonl").open(encoding="utf-8") as lines:
        entries = list(decided(lines, version))
    assert not [entry for entry in entries if "error" in entry]
    return compare((entry, recorded.get(str(entry["id"]))) for entry in entries)


@pytest.mark.parametrize(
    ("name", "least", "least_reason", "most_unsafe"),
    [
        ("dev", 0.999, 0.98, 0),
        ("special", 0.999, 0.98, 0),
        ("programs", 0.999, 0.99, 0),
        ("sandbox", 0.998, 0.98, 0),
        ("documents", 0.993, 0.97, 0),
    ],
)
def test_recordings_beside_the_checkout(
    shared: Path, name: str, least: float, least_reason: float, most_unsafe: int
) -> None:
    total = agreement(shared / "conformance", f"{name}.").total
    assert total.agreement >= least
    assert total.reason_agreement >= least_reason
    assert total.unsafe <= most_unsafe


def test_own_recordings() -> None:
    found = agreement(OWN)
    assert found.total.cases >= 8_000
    assert found.total.agreement >= 0.995
    assert found.total.reason_agreement >= 0.975
    assert found.total.unsafe == 0


@pytest.mark.parametrize(
    ("name", "cases", "least", "least_reason", "most_unsafe"),
    [
        ("random", 3_900, 0.999, 0.98, 0),
        ("constructs", 8_400, 0.995, 0.96, 6),
        ("boundary", 4_100, 0.98, 0.96, 22),
    ],
)
def test_own_recordings_by_kind(name: str, cases: int, least: float, least_reason: float, most_unsafe: int) -> None:
    total = agreement(OWN, f"{name}.").total
    assert total.cases >= cases
    assert total.agreement >= least
    assert total.reason_agreement >= least_reason
    assert total.unsafe <= most_unsafe


@pytest.mark.parametrize("name", ["dev", "special", "documents"])
def test_tools_other_than_bash_beside_the_checkout(shared: Path, name: str) -> None:
    found = agreement(shared / "conformance", f"{name}.")
    others = [tally for tool, tally in found.by_tool.items() if tool != "Bash"]
    assert sum(tally.cases for tally in others) >= 70
    assert all(tally.agreement >= 0.98 and tally.reason_agreement >= 0.98 for tally in others)


def test_own_recordings_of_tools_other_than_bash() -> None:
    found = agreement(OWN, "tools.")
    assert found.total.cases >= 8_000
    assert found.total.agreement >= 0.999
    assert found.total.reason_agreement >= 0.999
    assert found.total.unsafe <= 4


@pytest.mark.parametrize(("prefix", "least"), [("", 0.97), ("tools.", 0.98)])
def test_own_recordings_of_an_older_client(prefix: str, least: float) -> None:
    found = agreement(OWN, prefix, Version(2, 1, 240))
    assert found.total.cases >= 8_000
    assert found.total.agreement >= least
    assert found.total.reason_agreement >= 0.97
