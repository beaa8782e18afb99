"""What `bench` measured: for a terminal, as JSON, and as the page `reports/performance.md`."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from toolaudit.bench.measure import Measure
from toolaudit.reporting.text import colour_wanted


def record(measure: Measure) -> dict[str, Any]:
    return {
        "measure": measure.name,
        "ratio": round(measure.ratio, 3),
        "target": measure.target,
        "at_least": measure.at_least,
        "met": measure.met,
        "value": measure.value,
        "floor": measure.floor,
    }


def write(measures: Sequence[Measure], stream: TextIO) -> None:
    colour = colour_wanted(stream)
    width = max(len(measure.name) for measure in measures)
    for measure in measures:
        mark = "met " if measure.met else "MISSED"
        if colour:
            mark = f"\x1b[{32 if measure.met else 31}m{mark}\x1b[0m"
        bound = "at least" if measure.at_least else "at most"
        stream.write(
            f"{measure.name:<{width}}  {measure.ratio:7.2f}  {bound} {measure.target:g}  {mark}  "
            f"{measure.value}; floor: {measure.floor}\n"
        )


def markdown(measures: Sequence[Measure], told: str, versions: Mapping[str, str]) -> str:
    rows = "\n".join(
        f"| {measure.name} | {measure.ratio:.2f} | {'≥' if measure.at_least else '≤'} {measure.target:g} "
        f"| {'yes' if measure.met else '**no**'} | {measure.value} | {measure.floor} |"
        for measure in measures
    )
    named = ", ".join(f"{name} {version}" for name, version in versions.items())
    return f"""# Performance

Made by `toolaudit bench --report reports/performance.md`; every ratio is to a floor measured in the same run, in
processor time, the least of several tries.

Machine: {platform.system()} {platform.machine()}, {_processor()}, {os.cpu_count()} cores. Versions: {named}.
Decisions were measured on {told}.

| measure | ratio | target | met | measured | floor |
|---|---:|---:|---|---|---|
{rows}
"""


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or "unknown processor"
