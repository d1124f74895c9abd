"""Writes a report as text, as JSON and as a page."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

from jitscope.report import arrays, versions
from jitscope.report.snapshot import Mapping, Snapshot
from jitscope.stacks import text
from jitscope.stacks.taking import Stacks

VERSION = 1
_NEAR = 2  # mappings on each side of the address
_SI_KERNEL = 0x80  # Linux include/uapi/asm-generic/siginfo.h
# struct user_regs_struct of Linux for x86-64 (arch/x86/include/asm/user_64.h).
REGISTERS = ("r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss fs_base gs_base "
             "ds es fs gs").split()  # fmt: skip
_SHOWN = ("rip", "rsp", "rbp", "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
          "r15")  # fmt: skip


def report_of(stacks: Stacks, taken: dict[str, Any], when: float) -> dict[str, Any]:
    """Return a report with what take() has given, of a process that nothing has happened to
    (docs/schema/report.json)."""
    return _report(taken, when, versions.of(stacks, taken), versions.threading_of(stacks, taken))


def _report(
    taken: dict[str, Any], when: float, loaded: dict[str, str | None], pool: dict[str, Any] | None
) -> dict[str, Any]:
    return {
        "version": VERSION,
        "time": when,
        "signal": {"number": 0, "code": 0, "address": 0},
        "cause": None,
        "stacks": taken,
        "versions": loaded,
        "threading": pool,
        "arrays": [],
        "redacted": [],
        "silent": [],
        "left_out": 0,
        "registers": [],
        "memory": [],
    }


def report_without_stacks(pid: int, command: str, when: float) -> dict[str, Any]:
    """Return a report of a process without any stack."""
    taken = {"pid": pid, "command": command, "rank": None, "python": None, "python_problem": None, "pause_ms": 0.0,
             "missing": [], "lacking": 0, "deadlock": {"circles": []}, "threads": [], "tasks": [], "greenlets": [],
             "task_notes": []}  # fmt: skip
    return _report(
        taken, when, {"python": None, **dict.fromkeys(versions.PACKAGES.values()), **versions.of_kernel()}, None
    )


def write_page(path: str, report: dict[str, Any]) -> None:
    """Write a report as a page of HTML. Raise OSError, also where jinja2 is not installed."""
    try:
        page = import_module("jitscope.report.page")
    except ImportError:
        raise OSError("a page needs the package jinja2: pip install jinja2") from None
    _write_private(path, page.of(report, lines(report)), os.O_TRUNC)


def around(snapshot: Snapshot) -> list[Mapping]:
    """Return the mappings around the address of the fault."""
    if not _has_address(snapshot.signal, snapshot.code, snapshot.address):
        return []
    after = next((i for i, each in enumerate(snapshot.mappings) if each.end > snapshot.address), len(snapshot.mappings))
    return snapshot.mappings[max(0, after - _NEAR) : after + _NEAR + 1]


def _has_address(number: int, code: int, address: int) -> bool:
    """True if the signal came with the address of a fault. It is 0 for a null pointer, and also where the processor
    does not know it (SI_KERNEL, such as for an address that is not canonical)."""
    return bool(address) or (number in (signal.SIGSEGV, signal.SIGBUS) and 0 < code < _SI_KERNEL)


def lines(report: dict[str, Any]) -> list[str]:
    """Return the text of a report."""
    found = [*head(report), "", *text.lines(report["stacks"], folds=True, left_out=report["left_out"])]
    found += (text.plain(line) for line in arrays.lines(report))
    for thread in report["silent"]:
        found += ["", f"thread {thread['native_id']} {text.plain(thread['name'])}: it did not answer"]
    if report["left_out"]:
        are = "s are" if report["left_out"] > 1 else " is"
        found += ["", f"({report['left_out']} more thread{are} not shown)"]
    found += ["", "versions:", *(f"  {text.plain(line)}" for line in versions.lines(report))]
    if report["signal"]["number"]:
        values = dict(zip(REGISTERS, report["registers"]))
        found += ["", "registers:"]
        shown = [f"{name:>4} {values[name]:#018x}" for name in _SHOWN if name in values]
        found += ["  " + "  ".join(shown[at : at + 4]) for at in range(0, len(shown), 4)]
    if report["memory"]:
        found += ["", f"memory around {report['signal']['address']:#x}:"]
        found += [f"  {each['start']:#x}-{each['end']:#x} {each['access']} {text.plain(each['path'])}".rstrip()
                  for each in report["memory"]]  # fmt: skip
    return found


def head(report: dict[str, Any]) -> list[str]:
    """Return the lines that say what has happened."""
    number = report["signal"]["number"]
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(report["time"]))
    what = text.signal_name(number) if number else f"process {report['stacks']['pid']}"
    place = f" at the address {report['signal']['address']:#x}" if _has_address(**report["signal"]) else ""
    cause = [text.plain(report["cause"])] if report["cause"] else []
    return [f"jitscope: report of {when}: {what}{place}", *cause]


def write(report: dict[str, Any], settings: dict[str, Any]) -> None:
    """Write the report where the settings say; what cannot be written goes to standard error."""
    shown = lines(report)
    whole = "\n".join(shown) + "\n"
    folder = settings["path"]
    if folder is None:
        _say(whole)
        return
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(report["time"]))
    name = _free_name(os.path.join(folder, f"report-{stamp}-{report['stacks']['pid']}"))
    ways: dict[str, Callable[[], str]] = {
        ".txt": lambda: whole,
        ".json": lambda: text.json_of(report) + "\n",
    }
    if settings["html"]:
        ways[".html"] = lambda: import_module("jitscope.report.page").of(report, shown)
    written = []
    try:
        os.makedirs(folder, exist_ok=True)
        for ending, content in ways.items():
            _write_private(name + ending, content())
            written.append(name + ending)
    except (OSError, ImportError) as error:
        for path in written:
            with contextlib.suppress(OSError):
                os.unlink(path)
        why = getattr(error, "strerror", None) or str(error)
        _say(f"{whole}jitscope: {name}.* cannot be written: {why}\n")
        return
    _say("\n".join([*head(report), f"jitscope: the report is in {', '.join(written)}"]) + "\n")


def _free_name(name: str) -> str:
    """Return the name, with a number if there is a report of the same second."""
    names = [name, *(f"{name}-{number}" for number in range(2, 1000))]
    return next((each for each in names if not os.path.lexists(f"{each}.txt")), name)


def _write_private(path: str, content: str, existing: int = os.O_EXCL | os.O_NOFOLLOW) -> None:
    """Write a file that only its owner may read. `existing`: what open(2) does with one that is there."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | existing
    descriptor = os.open(path, flags, 0o600)
    try:
        with open(descriptor, "w", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(content)
    except OSError:  # such as a full disk
        with contextlib.suppress(OSError):
            os.unlink(path)
        raise


def _say(whole: str) -> None:
    sys.stderr.write(whole)
    sys.stderr.flush()
