"""python -m tests.oracle.truth [--plain] [--opt 0,1,3] [--function NAME] [--program truth_x.py] [--json]"""

from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import json
import pathlib
import sys

from tests.interpreters import first_gdb, newest_python

from .run import JITSCOPE, PHASES, Options, Result, examine, programs


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "-"


HEAD = [
    "function",
    "opt",
    "stops",
    "stray",
    "shown",
    "wrong",
    "content",
    "labels",
    "misl",
    "avail%",
    "lines",
]


def row(name: str, opt: str, results: list[Result]) -> tuple[str, ...]:
    wrong = [entry for r in results for entry in r.wrong]
    mislabelled = sum(r.mislabelled for r in results)
    return (
        name,
        opt,
        str(sum(r.stops for r in results)),
        str(sum(r.stray for r in results)),
        str(sum(r.shown for r in results)),
        str(len(wrong) - mislabelled),
        str(sum(len(r.content) for r in results)),
        str(sum(r.labelled for r in results)),
        str(mislabelled),
        percent(sum(r.available for r in results), sum(r.assigned for r in results)),
        f"{sum(len(r.lines & r.executed) for r in results)}/{sum(len(r.executed) for r in results)}",
    )


def table(results: list[Result]) -> str:
    rows: list[tuple[str, ...]] = [tuple(HEAD)]
    for opt in sorted({r.opt for r in results}):
        chosen = [r for r in results if r.opt == opt]
        rows += [row(r.function, opt, [r]) for r in chosen]
        rows.append(row("TOTAL", opt, chosen))
    widths = [max(len(line[column]) for line in rows) for column in range(len(HEAD))]
    return "\n".join(
        "  ".join(cell.ljust(w) if n < 1 else cell.rjust(w) for n, (cell, w) in enumerate(zip(line, widths)))
        for line in rows
    )


def listing(results: list[Result], limit: int) -> str:
    """Return each wrong value once, with its number."""
    seen: dict[tuple[str, ...], int] = {}
    for result in results:
        for entry in result.wrong + result.content:
            stray = " (stray stop)" if entry["stray"] else ""
            key = (
                f"opt {entry['opt']} {entry['function']} {entry['at']}{stray} [{entry['surface']}] "
                f"{entry['name']}: shown {entry['shown']}, true {entry['true']} — {entry['how']}",
            )
            seen[key] = seen.get(key, 0) + 1
    lines = [f"{key[0]}" + (f"  ×{count}" if count > 1 else "") for key, count in seen.items()]
    more = [f"… and {len(lines) - limit} more"] if len(lines) > limit else []
    return "\n".join(lines[:limit] + more)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--opt", default="0,1,3")
    parser.add_argument("--function", action="append", default=[], help="a case of a program (repeatable)")
    parser.add_argument("--program", action="append", default=[], help="part of a program's name")
    parser.add_argument("--numba", default=newest_python(), help="the interpreter that has Numba")
    parser.add_argument("--gdb", default=first_gdb())
    parser.add_argument("--plain", action="store_true", help="GDB alone")
    parser.add_argument("--jitscope", default=str(JITSCOPE), help="the file to source")
    parser.add_argument("--phase", choices=PHASES, action="append", default=[])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=int, default=60, help="wrong values to list")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    if not arguments.plain and not pathlib.Path(arguments.jitscope).exists():
        parser.error(f"{arguments.jitscope} does not exist (--plain shows GDB alone)")
    work = []
    for program in programs():
        if arguments.program and not any(part in program.name for part in arguments.program):
            continue
        names = [name for name in arguments.function if f'"{name}": lambda' in program.read_text()]
        if arguments.function and not names:
            continue
        for opt in arguments.opt.split(","):
            options = Options(
                python=arguments.numba,
                gdb=arguments.gdb,
                opt=opt,
                jitscope=None if arguments.plain else str(pathlib.Path(arguments.jitscope).resolve()),
                phases=tuple(arguments.phase) or PHASES,
            )
            work.append((program, names, options))
    if not work:
        parser.error("no such case")
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = [r for rs in pool.map(lambda job: examine(*job), work) for r in rs]
    wrong = sum(len(r.wrong) for r in results)
    if arguments.json:
        plain = [dataclasses.asdict(r) for r in results]
        print(json.dumps(plain, default=sorted, indent=1))
    else:
        print(table(results))
        print()
        print(listing(results, arguments.limit))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
