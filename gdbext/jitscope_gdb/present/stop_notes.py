"""The note at a fault in compiled code, which names the access in one line after GDB's own message."""

from __future__ import annotations

import ast
import builtins
import json
import signal
from typing import Any

import gdb
from jitscope_shared.base import native
from jitscope_source import files
from jitscope_source.statements import row_views

from ..base import events, report
from ..frames import frames, levels, undescribed
from ..target import cells, sources, target
from . import crash_causes, full_stack, guard_notes, jitclass_notes, subscript_values

SIGNALS = ("SIGSEGV", "SIGBUS")
# Signals by which the C library and threading layers end the program.
ENDED = ("SIGABRT", "SIGTERM")
NUMBERS = (signal.SIGSEGV, signal.SIGBUS)
SI_KERNEL = 0x80  # from <asm-generic/siginfo.h>: the kernel does not know the address, as it is not canonical
NO_ADDRESS = (1 << 64) - 1  # JS_FAULT_NO_ADDRESS of program/queries/queries.h
# Frames between memcpy or a like function, where the fault is, and the compiled function, at most.
DEPTH = 4

# The explanation that was asked for last at this stop, with the thread's number and the signal.
_cause: tuple[tuple[int, str], str | None] | None = None


@events.on("stop", order=60)
def explain(event: Any) -> None:
    """Report a fault in compiled code after a stop."""
    if not isinstance(event, gdb.SignalEvent) or event.stop_signal not in (*SIGNALS, *ENDED):
        return
    debuggee = target.current()
    if gdb.parameter("jitscope notes") and debuggee.has_process and debuggee.feed.objects:
        text = cause(debuggee, event.stop_signal)
        if not text and event.stop_signal in SIGNALS:
            text = _unexplained(debuggee)
        if text:
            report.say(text, is_important=True)


def cause(debuggee: target.Target, name: str) -> str | None:
    """Return the explanation of the signal that the selected thread has stopped at, computed once for a stop: a DAP
    client gets the reason of the stop before the other handlers of the stop run."""
    global _cause
    key = gdb.selected_thread().global_num, name
    if _cause is None or _cause[0] != key:
        text = fault(debuggee) if name in SIGNALS else None
        _cause = key, text or crash_causes.explain(debuggee, name)
    return _cause[1]


@events.on("cont", order=7)
@events.on("process_ended", order=15)
def forget(*_: Any) -> None:
    global _cause
    _cause = None


@events.on("walk_ended", order=10)
def explain_core(debuggee: target.Target) -> None:
    """Report the fault of a core. GDB sends no event when a core is opened, so this is called when the core's objects
    have been read."""
    if sources.core_file() is None or not gdb.parameter("jitscope notes"):
        return
    try:
        number = int(gdb.parse_and_eval("$_siginfo.si_signo"))
        text = fault(debuggee) or _unexplained(debuggee) if number in NUMBERS else None
    except (gdb.error, gdb.MemoryError):
        return
    if text:
        report.say(text, is_important=True)


def fault(debuggee: target.Target) -> str | None:
    """Return the one line for the fault of the selected thread, or None."""
    address = _address()
    if address not in (None, NO_ADDRESS) and (text := full_stack.explain(debuggee, address)):
        return text
    found = fault_entry(debuggee)
    if address is not None and (text := guard_notes.explain(debuggee, address, found)):
        return text
    if address is not None and found is None and (text := jitclass_notes.explain(debuggee, address)):
        return text
    return found["text"] if found else None


def _address() -> int | None:
    """Return the address of the fault; NO_ADDRESS: the kernel does not know it; None: there is none."""
    try:
        code = int(gdb.parse_and_eval("$_siginfo.si_code"))
        address = int(gdb.parse_and_eval("(unsigned long)$_siginfo._sifields._sigfault.si_addr"))
    except (gdb.error, gdb.MemoryError):
        return None
    if code <= 0:
        return None  # a process has sent the signal
    return NO_ADDRESS if code == SI_KERNEL else address


def fault_entry(debuggee: target.Target) -> dict[str, Any] | None:
    """Return js_program_explain_fault()'s explanation of the fault."""
    frame = gdb.newest_frame()
    for _ in range(DEPTH):
        if frame is None:
            return None
        if frames.compiled_at(debuggee, frame) is not None:
            break
        frame = frame.older()
    else:
        return None
    address = _address()
    if address is None:
        return None
    place = frame.find_sal()
    path = place.symtab.fullname() if place.symtab else None
    found = _explained(debuggee, frame, address, path, place.line)
    found = _named_in_body(debuggee, frame, address, path, place.line, found) if path else found
    return _on_another_line(debuggee, frame, address, path, place.line) if path and found is None else found


def _explained(
    debuggee: target.Target, frame: gdb.Frame, address: int, path: str | None, line: int
) -> dict[str, Any] | None:
    """Return the explanation of the fault by the subscripts of the line or, if it has none, by the frame's
    variables."""
    found = sources.subscripts(debuggee, path, line) if path else None
    at = frames.NativeFrame(frame, debuggee.memory)
    if found and path:
        found += _of_rows(debuggee, at, found, sources.rows(debuggee, path, line))
    for subscript in found or ():
        subscript["indices"] = [_valued(debuggee, at, index) for index in subscript["indices"]]
    if found and _may_be_inlined(debuggee, frame, path, line):
        found.append({"array": None, "indices": []})  # an access of another function
    if found is not None and path:
        found += sources.whole(debuggee, path, line)
    text = None if found is None else json.dumps(found).encode()
    maps = debuggee.keep(target.STOP, "maps", lambda: _maps(debuggee))
    try:
        given = debuggee.program, at.pointer, address, text, maps
        return native.json_of("js_program_explain_fault", *given)  # type: ignore[no-any-return]
    except native.NativeError as error:
        if report.debugging():
            report.warn(f"the fault at {address:#x} is not explained: {error}")
        return None


def _maps(debuggee: target.Target) -> bytes | None:
    """Return the list of the process's memory; None: it is not on this machine, or is a core's."""
    if getattr(getattr(debuggee.inferior, "connection", None), "type", None) != "native":
        return None
    try:
        with open(f"/proc/{debuggee.inferior.pid}/maps", "rb") as stream:
            return stream.read()
    except OSError:
        return None


def _of_rows(
    debuggee: target.Target, at: frames.NativeFrame, found: list[dict[str, Any]], rows: dict[str, dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return the subscripts of the arrays whose rows are subscripted and have no value."""
    named = [subscript for subscript in found if subscript["array"] in rows]
    return [
        row_views.within(rows[each["array"]], each["indices"])
        for each in named
        if subscript_values.integer(debuggee, at, f"{each['array']}.ndim") is None
    ]


def _may_be_inlined(debuggee: target.Target, frame: gdb.Frame, path: str | None, line: int) -> bool:
    """True if the line calls a function of the program, which stock code shows as a part of the line."""
    function = frames.compiled_at(debuggee, frame)
    if function is None or function["level"] in levels.WITH_INLINED:
        return False
    return any(not hasattr(builtins, name) for name in _called(debuggee, path, line))


def _valued(debuggee: target.Target, at: frames.NativeFrame, index: dict[str, str]) -> dict[str, str]:
    """Return the index, with its value if it is an expression that has one."""
    if index["kind"] != "expression":
        return index
    value = subscript_values.of_index(debuggee, at, index["text"])
    return index if value is None else {**index, "value": str(value)}


def _named_in_body(
    debuggee: target.Target, frame: gdb.Frame, address: int, path: str, line: int, found: dict[str, Any] | None
) -> dict[str, Any] | None:
    """Return the explanation with the lines of the loop's body that have the access, if the fault is at a loop's
    header: the compiler moves an access of each iteration before or after the loop, and gives it no line of its own."""
    loop = sources.loop_around(debuggee, path, line)
    if loop is None or loop.first != line or sources.subscripts(debuggee, path, line):
        return found
    lines, entry = [], found
    for inner in range(loop.first + 1, loop.last + 1):
        explained = (
            _explained(debuggee, frame, address, path, inner) if sources.subscripts(debuggee, path, inner) else None
        )
        if explained is None or found is not None and _access(explained) != _access(found):
            continue
        lines.append(inner)
        entry = explained
    if entry is None or not lines or len(lines) > 1 and found is None:
        return found
    named = " or ".join(map(str, lines))
    text = f"{entry['text']}; it is the access of line {named}, which the compiler has moved out of the loop"
    return {**entry, "line": line, "text": text}


def _on_another_line(
    debuggee: target.Target, frame: gdb.Frame, address: int, path: str, line: int
) -> dict[str, Any] | None:
    """Return the explanation by another line of the function, whose indices are known and lead to the address: the
    compiler has given the code of its access the line of the fault."""
    function = sources.function_around(debuggee, path, line)
    lines: dict[int, dict[str, Any]] = {}
    for other in range(function.begin, function.end + 1) if function else ():
        if other != line and sources.subscripts(debuggee, path, other):
            entry = _explained(debuggee, frame, address, path, other)
            if entry is not None and entry["matched"]:
                lines[other] = entry
    if len({_access(entry) for entry in lines.values()}) != 1:
        return None
    named, entry = " or ".join(map(str, lines)), next(iter(lines.values()))
    text = f"{entry['text']}; it is the access of line {named}, whose code the compiler has put on line {line}"
    return {**entry, "line": min(lines), "text": text}


def _access(entry: dict[str, Any]) -> tuple[Any, ...]:
    return entry["array"], entry["axis"], entry["index"]


def _called(debuggee: target.Target, path: str | None, line: int) -> list[str]:
    """Return the names of the functions that the line calls by their own names."""
    found = sources.find(debuggee, path) if path else None
    tree = files.tree_of(found, sources.born(debuggee)) if found else None
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call)) if tree else ()
    return [name.id for name in calls if isinstance(name, ast.Name) and name.lineno == line]


def _unexplained(debuggee: target.Target) -> str:
    """Return why a fault in compiled code is not explained, and what to do; "" where neither is known."""
    frame = gdb.newest_frame()
    function = frames.compiled_at(debuggee, frame)
    if function is None or int(gdb.parse_and_eval("$_siginfo.si_code")) <= 0:
        return ""  # a process may have sent the signal
    is_written = function["file"] or function["is_loop"] or (function["module"] or "").replace(".", "").isidentifier()
    if not is_written:
        return ""  # Numba has made the function, and the user cannot change it
    if text := undescribed.without_variables(debuggee, frame):
        return f"the fault is not explained: {text}"
    if function["level"] == "lines" and not function["fastmath"]:
        name = frames.name_of(frame, {**function, "name": function["parent"] or function["name"]})
        return (
            f"the fault is not explained: {name} has its lines, and not all of its variables; "
            "start the program under the debugger, or with NUMBA_BOUNDSCHECK=1 and `jit catch IndexError`"
        )
    place = frame.find_sal()
    path = place.symtab.fullname() if place.symtab else None
    names = _called(debuggee, path, place.line)
    bare = [name for name in dict.fromkeys(names) if undescribed.is_bare(debuggee, name)]
    if not bare:
        return ""
    return (
        f"the fault is not explained: {cells.base_name(path)}:{place.line} calls {bare[0]}, which is inlined here "
        f"and has no debug information: {undescribed.cure(debuggee, bare[0])}"
    )
