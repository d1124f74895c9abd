"""The machine, and the figures as a table or as JSON."""

from __future__ import annotations

import dataclasses
import os
import platform
import re
import subprocess
from typing import Any

from tests.gdb.harness import environment
from tests.interpreters import first_gdb, newest_python

from .measure import Figure, Spread


def machine() -> dict[str, Any]:
    """Return the machine and the versions with which this was measured."""
    model = re.search(r"^model name\s*: (.*)$", _text("/proc/cpuinfo"), re.MULTILINE)
    memory = re.search(r"^MemTotal:\s*(\d+)", _text("/proc/meminfo"), re.MULTILINE)
    ask = (
        "import json, platform, numba, numpy, llvmlite\n"
        "print(json.dumps({'python': platform.python_version(), 'numba': numba.__version__,"
        " 'numpy': numpy.__version__, 'llvmlite': llvmlite.__version__}))"
    )
    versions = subprocess.run([newest_python(), "-c", ask], capture_output=True, text=True, env=environment())
    gdb = subprocess.run([first_gdb(), "--version"], capture_output=True, text=True).stdout.splitlines()
    found: dict[str, Any] = {
        "processor": model[1] if model else platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": round(int(memory[1]) / 1024**2) if memory else None,
        "kernel": platform.release(),
        "load_before": round(os.getloadavg()[0], 1),
        "gdb": gdb[0] if gdb else "unknown",
    }
    if versions.returncode == 0:
        import json

        found.update(json.loads(versions.stdout))
    return found


def _text(path: str) -> str:
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""


def as_json(about: dict[str, Any], figures: list[Figure], missing: dict[str, str]) -> dict[str, Any]:
    return {
        "machine": about,
        "figures": [dataclasses.asdict(figure) for figure in figures],
        "not_measured": [{"name": name, "reason": reason} for name, reason in missing.items()],
    }


def number(value: float) -> str:
    """Return the number with three digits."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def spread(values: Spread | None, unit: str = "") -> str:
    """Return a text such as "1.2 (1.1–1.4) ms"."""
    if values is None:
        return ""
    text = f"{number(values.median)} ({number(values.min)}–{number(values.max)})"
    return f"{text} {unit}".strip()


def row(figure: Figure) -> list[str]:
    ratio = ""
    if figure.ratio is not None:
        ratio = f"{spread(figure.ratio)}"
        if figure.ratio_is == "ours / theirs":
            ratio += " of it"
    verdict = {None: "", True: "met", False: "MISSED"}[figure.met]
    against = f"{figure.against}: {spread(figure.theirs, figure.unit)}" if figure.theirs else ""
    return [figure.title, spread(figure.ours, figure.unit), against, ratio, f"{figure.goal} {verdict}".strip()]


HEADINGS = ["figure", "jitscope", "against", "ratio", "goal"]


def print_report(about: dict[str, Any], figures: list[Figure], missing: dict[str, str]) -> None:
    """Print everything: medians, with the least and the greatest in parentheses."""
    print(
        f"{about['processor']}, {about['cores']} cores, {about['memory_gib']} GiB, Linux {about['kernel']},"
        f" load {about['load_before']} at the start"
    )
    versions = (f"{name} {about[key]}" for name, key in _VERSIONS.items() if key in about)
    print(", ".join([about["gdb"], *versions]))
    print(
        "Medians (least–greatest) of alternating rounds; ratio: how many times faster, or `of it`: the share of time.\n"
    )
    print_table([row(figure) for figure in figures])
    print()
    for figure in figures:
        for note in figure.notes:
            print(f"{figure.name}: {note}")
    for name, reason in missing.items():
        print(f"not measured: {name}: {reason}")


_VERSIONS = {"CPython": "python", "Numba": "numba", "NumPy": "numpy", "llvmlite": "llvmlite"}


def print_table(rows: list[list[str]]) -> None:
    try:
        from rich.console import Console
        from rich.table import Table
    except ImportError:
        lines = [HEADINGS, *rows]
        widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
        for line in lines:
            print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
        return
    table = Table(*HEADINGS, header_style="bold")
    for cells in rows:
        missed = cells[-1].endswith("MISSED")
        table.add_row(*cells, style="red" if missed else None)
    console = Console()
    if not console.is_terminal:
        console = Console(width=180)
    console.print(table)
