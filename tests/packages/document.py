"""docs/packages.md: a row for each package, from the figures that `scripts/packages --write-table` has measured."""

from __future__ import annotations

import datetime
import json
import platform
import re
from typing import Any

from tests.interpreters import ROOT
from tests.packages.runs import PACKAGES, distributions

MEASURED = ROOT / "build" / "packages"  # PACKAGE.json: the last run of the package with --write-table
DOCUMENT = ROOT / "docs" / "packages.md"
LEVELS = ("lines", "exact", "steps")

HEAD = """\
# Packages that use Numba

`scripts/packages --write-table` has written this page. Do not edit it by hand.

For each package the script runs calls of its functions in four processes: without the compiler hook (`JITSCOPE=0`),
and with it at `lines`, `exact` and `steps`, where `JITSCOPE_DEBUG=all` gives every function debug information and no
debugger is there. Each process has a cache of its own. Results are compared to the bit. A call that differs between
two runs without the hook is left out.

- **calls**: the calls that are compared, at most as many as `--most` allows, and in brackets the numbers that they
  return.
- **lines**, **exact**, **steps**: the calls with another result than without the hook. At `steps`, "by fastmath" counts
  the calls that agree once functions with fastmath flags are left alone.
- **exceptions**: the calls that raise, and those that raise otherwise with the hook.
- **warnings**: the calls that warn, and those whose warnings are others with the hook.
- **compile**, **run**, **size**: ratios to the run without the hook, at `lines` / `exact` / `steps`. Compile time is
  the CPU time in which Numba's compiler lock is held. Run time is the CPU time of repeated calls, so it has the time of
  the interpreter in it. Size is the size of all objects. The code at `lines` is the same as without the hook, so that
  its ratios show by how much a ratio of run times varies.
"""

# When, and with what, the rows of the page were measured.
_DATES = re.compile(r"(?<=Measured )[\d-]+|(?<= to )\d{4}-[\d-]+(?= with)")
_NUMBAS = re.compile(r"Numba [\d.]+(?=[,;])")

HOW = ("breakpoints", "attached", "core")
STOPS = """\

## Values at stops

`python -m tests.packages.stops` and `python -m tests.packages.stops.attached` have measured these, with the default
settings and no decorator of the program's own: at breakpoints on all lines of a file of the package that run, set once
its functions have been compiled; at interrupts after an attach; and in a core of the first interrupt. Each cell has
stops / values shown / values with a label in their place / false values, by GDB's own commands and jitscope's JSON
together.
"""


def keep(package: str, found: dict[str, Any] | str) -> None:
    """Keep the figures of a package, or why it cannot be imported."""
    MEASURED.mkdir(parents=True, exist_ok=True)
    entry = {"missing": found} if isinstance(found, str) else found
    entry["date"] = datetime.date.today().isoformat()
    (MEASURED / f"{package}.json").write_text(json.dumps(entry, indent=1), "utf-8")


def page_rows(page: str) -> dict[str, list[list[str]]]:
    """Return the cells of the page's rows, by the first word of each row."""
    found: dict[str, list[list[str]]] = {}
    for line in page.splitlines():
        if line.startswith("| "):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            found.setdefault(cells[0].split()[0], []).append(cells)
    return found


def keep_stops(package: str, how: str, figures: dict[str, int]) -> None:
    """Keep the figures of a package's stops. `how`: "breakpoints", "attached" or "core"."""
    MEASURED.mkdir(parents=True, exist_ok=True)
    file = MEASURED / f"{package}.stops.json"
    found = json.loads(file.read_text("utf-8")) if file.exists() else {}
    found[how] = figures
    file.write_text(json.dumps(found, indent=1), "utf-8")


def of_stops(earlier: dict[str, list[list[str]]]) -> list[str]:
    """Return the table of the values at stops. `earlier`: page_rows() of the page."""
    lines = []
    for package in PACKAGES:
        file = MEASURED / f"{package}.stops.json"
        if not file.exists():
            lines += ["| " + " | ".join(row) + " |" for row in earlier.get(package, ()) if len(row) == 1 + len(HOW)]
            continue
        found = json.loads(file.read_text("utf-8"))
        cells = [package]
        for how in HOW:
            if how in found:
                at = found[how]
                cells.append(f"{at['stops']} / {at['values']} / {at['labels']} / {at['false'] or 'none'}")
            else:
                cells.append("not measured")
        lines.append("| " + " | ".join(cells) + " |")
    return [STOPS, "| package | " + " | ".join(HOW) + " |", "|" + "---|" * (len(HOW) + 1), *lines] if lines else []


def machine() -> str:
    """Return the kind of the machine."""
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return f"{platform.system()} on {platform.machine()}{model and f' ({model})'}"


def of_levels(found: dict[str, Any], name: str) -> str:
    """Return the ratios of the levels."""
    shown = [found["levels"].get(level, {}).get(name) for level in LEVELS]
    return " / ".join("-" if ratio is None else f"{ratio:.2f}" for ratio in shown)


def same(found: dict[str, Any], level: str) -> str:
    if level not in found["levels"]:
        return "-"
    at = found["levels"][level]
    fast = len(at["differ by fastmath"])
    parts = [f"**{len(at['differ'])} differ**"] if at["differ"] else ["same"]
    return ", ".join(parts + ([f"{fast} by fastmath"] if fast else []))


def total(found: dict[str, Any], count: str, differ: str) -> str:
    others = {name for at in found["levels"].values() for name in at[differ]}
    return (
        f"{found[count]}, " + (f"**{len(others)} differ**" if others else "the same") if found[count] or others else "0"
    )


def row(package: str, found: dict[str, Any]) -> list[str]:
    versions = ", ".join(f"{name} {version}" for name, version in found["versions"].items())
    fast = f" ({found['fastmath']} fastmath)" if found["fastmath"] else ""
    return [
        versions,
        f"{found['functions']}{fast}",
        f"{found['calls']} ({found['numbers']})",
        *(same(found, level) for level in LEVELS),
        total(found, "raise", "exceptions differ"),
        total(found, "warn", "warnings differ"),
        *(of_levels(found, name) for name in ("compile", "run", "size")),
    ]


def notes(package: str, found: dict[str, Any]) -> list[str]:
    """Return a line for each thing that is not the same, and for the calls that are left out."""
    result = []
    kinds = (("differ", "another result"), ("warnings differ", "other warnings"))
    for kind, said in kinds:
        by_call: dict[str, list[str]] = {}
        for level, at in found["levels"].items():
            for name in at[kind]:
                by_call.setdefault(name, []).append(level)
        result += [f"- {package}: {said} of `{name}` at {', '.join(levels)}" for name, levels in by_call.items()]
    if found["other code"]:
        result.append(f"- {package}: {len(found['other code'])} parts of the code differ at `lines` or `exact`")
    if found["unstable"]:
        names = ", ".join(f"`{name}`" for name in found["unstable"])
        result.append(f"- {package}: left out, since two runs without the hook differ: {names}")
    return result


def write() -> None:
    """Write the page from the packages that were measured. Rows of others stay as the page has them."""
    page = DOCUMENT.read_text("utf-8")
    earlier = page_rows(page)
    files = {name: MEASURED / f"{name}.json" for name in PACKAGES}
    found = {name: json.loads(file.read_text("utf-8")) for name, file in files.items() if file.exists()}
    there = {name: each for name, each in found.items() if "missing" not in each}
    header = ["package", "functions", "calls", *LEVELS, "exceptions", "warnings", "compile", "run", "size"]
    rows = [header, ["---"] * len(header)]
    kept = set()
    for name in PACKAGES:
        if name in there:
            rows.append(row(name, there[name]))
        elif name not in found:
            standing = [cells for cells in earlier.get(distributions(name)[0], ()) if len(cells) == len(header)]
            rows += standing
            kept.update(name for _ in standing)
    dates = sorted({each["date"] for each in found.values()} | set(_DATES.findall(page) if kept else ()))
    numbas = sorted({each["numba"] for each in there.values()} | set(_NUMBAS.findall(page) if kept else ()))
    lines = [
        HEAD,
        f"Measured {' to '.join(dict.fromkeys((dates[0], dates[-1])))} with {', '.join(numbas)}; {machine()}.",
        "",
    ]
    lines += ["| " + " | ".join(cells) + " |" for cells in rows]
    if unlike := [line for name, each in there.items() for line in notes(name, each)]:
        lines += ["", "## What differs, or is left out", "", *unlike]
    lines += of_stops(earlier)
    missing = [f"- {name}: {each['missing']}" for name, each in found.items() if "missing" in each]
    missing += [f"- {name}: it was not run" for name in PACKAGES if name not in found and name not in kept]
    if missing:
        lines += ["", "## Packages that are not measured", "", *missing]
    DOCUMENT.write_text("\n".join([*lines, ""]), "utf-8")
