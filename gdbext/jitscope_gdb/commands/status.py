"""`jit status`: the attached process, the parts that work, and the parts that are missing."""

from __future__ import annotations

import collections
import re
from typing import Any

import gdb
from jitscope_shared import __version__
from jitscope_shared.base import native, process_family

from ..base import console, report
from ..frames import levels
from ..stops import skips
from ..target import failed_attaches, sources, target
from .base import Arguments, JitCommand, write, write_json

SHOWN = 16  # relatives of a process that are shown
_NAMED = 3  # patterns of skipped files that the text names


class Status(JitCommand):
    """Use this first when names, values or breakpoints do not work.
    Usage: jit status [-json] [PID]

    It shows what is attached, what works, and what is missing with the command that
    fixes it. Without a process it says why the last `attach` was refused. With a PID it
    says whether that process can be debugged, and why not.
      -json   write JSON, as docs/schema/status.json says

    Example, where everything works:
      (gdb) jit status
      jitscope 0.1.0, GDB 13.1
      process 2679, CPython 3.11.2, Numba is loaded
      3 compiled objects with 1 function, 1 of them with debug information
      1 function at steps (debugger)
      step skips the files *.c, *.h, *.cc and 10 more
      1 more object holds no code that is known here; GDB reads it itself"""

    name = "status"
    options = ("-json",)
    takes_argument = True
    category = gdb.COMMAND_STATUS

    def run(self, debuggee: target.Target, arguments: Arguments) -> None:
        if arguments.rest and not (arguments.rest.isascii() and arguments.rest.isdigit()):
            raise report.Problem(f"{arguments.rest!r} is no process number. {self.usage()}")
        found = collect(debuggee, int(arguments.rest) if arguments.rest else None)
        if "-json" in arguments:
            write_json(found)
        else:
            write("\n".join(_lines(found)))


def collect(debuggee: target.Target, pid: int | None = None) -> dict[str, Any]:
    """Return the status; with `pid`, also whether that process may be debugged."""
    inferior = debuggee.inferior
    python, problem = None, None
    functions: list[dict[str, Any]] = []
    if debuggee.has_process:
        functions = native.json_of("js_program_functions", debuggee.program, None, 0, 0)
        try:
            handle = debuggee.python()
            problem = debuggee.python_problem
            if handle is not None:
                python = native.json_of("js_python_threads_json", handle)["version"]
        except native.NativeError as error:
            problem = f"the Python interpreter cannot be read ({error})"
    found: dict[str, Any] = {
        "jitscope": __version__,
        "gdb": gdb.VERSION,
        "enabled": bool(gdb.parameter("jitscope enabled")),
        "process": _process(inferior),
        "inferior": inferior.num,
        "inferiors": sum(1 for other in gdb.inferiors() if other.pid),
        "family": process_family.of(inferior.pid) if _is_local(inferior) else None,
        "access": _access(debuggee, pid),
        "python": python,
        "numba": _has_library("numba"),
        "jit": bool(debuggee.feed.descriptors()) if debuggee.has_process else False,
        "objects": len(debuggee.feed.objects),
        "untouched": debuggee.feed.untouched,
        "functions": len(functions),
        "with_debug_info": sum(1 for f in functions if f["debug_info"]),
        "levels": _levels(functions),
        "regions": debuggee.regions() if debuggee.has_process else [],
        "skips": list(skips.PATTERNS),
        "missing": [],
    }
    found["missing"] = _missing(debuggee, found, problem)
    return found


def _levels(functions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return, for each level and what chose it, the number of functions."""
    found = collections.Counter((each["level"], each["chosen_by"]) for each in functions if levels.text(each))
    return [{"level": level, "chosen_by": by, "functions": count} for (level, by), count in found.items()]


def _process(inferior: Any) -> str | None:
    if inferior.pid == 0:
        return None
    kind = getattr(getattr(inferior, "connection", None), "type", None)
    return f"core of process {inferior.pid}" if kind == "core" else f"process {inferior.pid}"


def _is_local(inferior: Any) -> bool:
    """True for a live process of this machine."""
    if inferior.pid == 0:
        return False
    kind = getattr(getattr(inferior, "connection", None), "type", None)
    return kind == "native" or (kind is None and sources.core_file() is None)


def _access(debuggee: target.Target, pid: int | None) -> dict[str, Any] | None:
    if pid is None and not debuggee.has_process:
        attempt = failed_attaches.last()
        pid = attempt[1] if attempt else None
    if pid is None:
        return None
    if pid >= 1 << 31 or pid == 0:
        raise report.Problem(f"{pid} is no process number")
    return {"pid": pid, **failed_attaches.explain(pid)}


def _has_library(name: str) -> bool:
    return any(re.search(rf"/{name}/", objfile.filename or "") for objfile in gdb.current_progspace().objfiles())


def _missing(debuggee: target.Target, found: dict[str, Any], problem: str | None) -> list[dict[str, str]]:
    missing = []

    def add(what: str, cure: str) -> None:
        missing.append({"what": what, "cure": cure})

    if not found["enabled"]:
        add("corrected debug information is off", "set jitscope enabled on")
    access = found["access"]
    if access and not access["allowed"]:
        add(access["text"], access["fix"])
    if found["process"] is None:
        add("no process", "run, attach PID, or core-file FILE")
        return missing
    if debuggee.progspace.filename is None:
        add("the executable is not known, so libraries and the interpreter are not found", _file_command(debuggee))
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


def _file_command(debuggee: target.Target) -> str:
    """Return the command `file …` with the name that the process itself was started by (AT_EXECFN), followed by
    `core-file` for a core."""
    try:
        match = re.search(r'AT_EXECFN.*"(.*)"', console.text_of("info auxv"))
    except gdb.error:
        match = None
    command = f"file {match[1] if match else 'PYTHON'}"
    core = sources.core_file()
    return f"{command}, then core-file {core}" if core else command


def _lines(found: dict[str, Any]) -> list[str]:
    lines = [f"jitscope {found['jitscope']}, GDB {found['gdb']}"]
    if found["access"] and found["access"]["allowed"]:
        lines.append(found["access"]["text"])
    if found["process"]:
        seen = f", CPython {found['python']}" if found["python"] else ""
        numba = ", Numba is loaded" if found["numba"] else ", a JIT is loaded" if found["jit"] else ""
        which = f" (inferior {found['inferior']} of {found['inferiors']})" if found["inferiors"] > 1 else ""
        lines.append(f"{found['process']}{which}{seen}{numba}")
        if found["family"]:
            lines += _family_lines(found["family"])
        lines.append(
            f"{console.counted(found['objects'], 'compiled object')} with "
            f"{console.counted(found['functions'], 'function')}, "
            f"{found['with_debug_info']} of them with debug information"
        )
        if found["levels"]:
            each = (f"{console.counted(one['functions'], 'function')} at {levels.text(one)}" for one in found["levels"])
            lines.append(", ".join(each))
            lines.append(
                f"step skips the files {', '.join(found['skips'][:_NAMED])} and {len(found['skips']) - _NAMED} more"
            )
        if found["untouched"]:
            verb, them = ("holds", "it") if found["untouched"] == 1 else ("hold", "them")
            more = console.counted(found["untouched"], "more object")
            lines.append(f"{more} {verb} no code that is known here; GDB reads {them} itself")
    lines += [f"missing: {entry['what']}: {entry['cure']}" for entry in found["missing"]]
    return lines


def _family_lines(found: dict[str, Any]) -> list[str]:
    lines = []
    parent = found["parent"]
    if parent:
        verb = "forked from" if found["forked"] else "started by"
        lines.append(f"{verb} process {parent['pid']}: {parent['command'] or 'command line unknown'}")
    elif found["forked"]:
        lines.append("forked from a process that has ended or runs another program now")
    lines += [f"{name}: {_listed(found[name])}" for name in ("siblings", "children") if found[name]]
    return lines


def _listed(pids: list[int]) -> str:
    shown = ", ".join(map(str, pids[:SHOWN]))
    return f"{shown} and {len(pids) - SHOWN} more" if len(pids) > SHOWN else shown


def create() -> None:
    Status()
