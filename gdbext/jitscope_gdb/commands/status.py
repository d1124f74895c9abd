"""`jit status`: what is attached, what works, what is missing."""

from __future__ import annotations

import re
from typing import Any

import gdb

from .. import __version__, native, sources, target
from .base import Arguments, JitCommand, write, write_json


class Status(JitCommand):
    """Show what is attached, what works, and what is missing with the command that fixes it.
    Usage: jit status [-json]

      -json   as docs/schema/status.json says"""

    name = "status"
    options = ("-json",)
    category = gdb.COMMAND_STATUS

    def run(self, of: target.Target, arguments: Arguments) -> None:
        found = collect(of)
        if "-json" in arguments:
            write_json(found)
        else:
            write("\n".join(_lines(found)))


def collect(of: target.Target) -> dict[str, Any]:
    inferior = of.inferior
    python, problem = None, None
    functions: list[dict[str, Any]] = []
    if of.has_process:
        functions = native.json_of("js_program_functions", of.program, None, 0, 0)
        try:
            handle = of.python()
            problem = of.python_problem
            if handle is not None:
                python = native.json_of("js_python_threads_json", handle)["version"]
        except native.NativeError as error:
            problem = f"the Python interpreter cannot be read ({error})"
    found: dict[str, Any] = {
        "jitscope": __version__,
        "gdb": gdb.VERSION,
        "enabled": bool(gdb.parameter("jitscope enabled")),
        "process": _process(inferior),
        "python": python,
        "numba": _has_library("numba"),
        "jit": bool(of.feed.descriptors()) if of.has_process else False,
        "objects": len(of.feed.objects),
        "untouched": of.feed.untouched,
        "functions": len(functions),
        "with_debug_info": sum(1 for f in functions if f["debug_info"]),
        "missing": [],
    }
    found["missing"] = _missing(of, found, problem)
    return found


def _process(inferior: Any) -> str | None:
    if inferior.pid == 0:
        return None
    kind = getattr(getattr(inferior, "connection", None), "type", None)
    return f"core of process {inferior.pid}" if kind == "core" else f"process {inferior.pid}"


def _has_library(name: str) -> bool:
    return any(re.search(rf"/{name}/", objfile.filename or "") for objfile in gdb.current_progspace().objfiles())


def _missing(of: target.Target, found: dict[str, Any], problem: str | None) -> list[dict[str, str]]:
    missing = []

    def add(what: str, cure: str) -> None:
        missing.append({"what": what, "cure": cure})

    if not found["enabled"]:
        add("corrected debug information is off", "set jitscope enabled on")
    if found["process"] is None:
        add("no process", "run, attach PID, or core-file FILE")
        return missing
    if of.progspace.filename is None:
        add("the executable is not known, so libraries and the interpreter are not found", _file_command(of))
        return missing
    if not found["jit"]:
        add("no JIT is loaded in this process yet", "continue until the program has imported it")
    elif found["objects"] and not found["with_debug_info"]:
        add(
            "no compiled function has debug information: names only, no variables or lines",
            "compile with @njit(debug=True) or NUMBA_DEBUGINFO=1 in the program's environment",
        )
    if problem:
        add(problem, "`jit bt` shows compiled and native frames only; add the interpreter's symbols")
    return missing


def _file_command(of: target.Target) -> str:
    """`file …` with the name that the process itself was started by (AT_EXECFN), and the core once more."""
    try:
        match = re.search(r'AT_EXECFN.*"(.*)"', gdb.execute("info auxv", False, True))
    except gdb.error:
        match = None
    command = f"file {match[1] if match else 'PYTHON'}"
    core = sources.core_file()
    return f"{command}, then core-file {core}" if core else command


def _lines(found: dict[str, Any]) -> list[str]:
    lines = [f"jitscope {found['jitscope']}, GDB {found['gdb']}"]
    if found["process"]:
        seen = f", CPython {found['python']}" if found["python"] else ""
        numba = ", Numba is loaded" if found["numba"] else ", a JIT is loaded" if found["jit"] else ""
        lines.append(f"{found['process']}{seen}{numba}")
        lines.append(
            f"{found['objects']} compiled objects with {found['functions']} functions, "
            f"{found['with_debug_info']} of them with debug information"
        )
        if found["untouched"]:
            lines.append(f"{found['untouched']} more objects hold no code that is known here; GDB reads them itself")
    lines += [f"missing: {entry['what']}: {entry['cure']}" for entry in found["missing"]]
    return lines


def create() -> None:
    Status()
