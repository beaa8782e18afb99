"""The agreement report, and the number that the README quotes from it."""

from __future__ import annotations

import re
from pathlib import Path

from toolaudit.conformance import compare
from toolaudit.reporting import fidelity

ROOT = Path(__file__).parents[2]
HEADLINE = re.compile(r"\*\*([\d.]+ %|[\d.]+%)\*\* of ([\d,]+) decisions agree")


def record(decision: str, reason_type: str | None = None) -> dict[str, object]:
    return {
        "id": "a",
        "tool": "Bash",
        "mode": "plan",
        "decision": decision,
        "reason_type": reason_type,
        "why": "",
        "reason": "",
    }


def test_a_section_is_written_anew_and_the_others_stay(tmp_path: Path) -> None:
    report = tmp_path / "fidelity.md"
    good = compare([(record("ask", "rule"), record("ask", "rule"))])
    bad = compare([(record("allow"), record("ask", "rule"))])
    for title, agreement in (("b", good), ("a", good), ("b", bad)):
        fidelity.update(report, title, f"toolaudit conform {title}", agreement)
    text = report.read_text()
    assert [line for line in text.splitlines() if line.startswith("## ")] == ["## a", "## b"]
    assert HEADLINE.findall(text) == [("100.00%", "1"), ("0.00%", "1")]
    assert "- 1 decided allow here, ask by the client" in text
    assert text.index("1 decided allow") > text.index("## b")


def test_versions_stand_side_by_side(tmp_path: Path) -> None:
    report = tmp_path / "fidelity.md"
    good = compare([(record("ask", "rule"), record("ask", "rule"))])
    for version in ("2.1.332", "2.1.240"):
        fidelity.update(report, f"cases.jsonl, client {version}", "toolaudit conform", good)
    rows = [line for line in report.read_text().splitlines() if line.startswith("| cases.jsonl")]
    assert rows == [
        f"| cases.jsonl | {version} | 1 | 100.00% | 0 | 0 | 100.00% |" for version in ("2.1.240", "2.1.332")
    ]


def test_the_readme_quotes_the_report() -> None:
    quoted = HEADLINE.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    reported = HEADLINE.findall((ROOT / "reports" / "fidelity.md").read_text(encoding="utf-8"))
    assert quoted
    assert set(quoted) <= set(reported)
