"""One stack: Python, compiled and native frames in order."""

from __future__ import annotations

import linecache
import re
from typing import Any, Iterator

import gdb

from ..base import native
from ..frames import c_library, fault, folding, frames, levels
from ..frames.frame_variables import ARGUMENTS, OTHERS, mark_passed, read
from ..target import sources, target
from . import nested_calls, workers

_POOL_CALLS = ("gufunc-wrapper", "ufunc-wrapper")
REGION_DEPTH = 200  # frames of another thread that are searched for a region's start


class Stack:
    """The frames of the selected thread, as the dictionaries of docs/schema/bt.json, innermost first."""

    def __init__(self, debuggee: target.Target, show_all: bool = False, full: bool = False, folds: bool = True):
        """`folds`: leave out all but the first and the last frames of a function that calls itself very often."""
        self.debuggee = debuggee
        self.show_all = show_all
        self.full = full
        self.folds = folds
        self.fold: nested_calls.Fold | None = None  # with an entry of this kind: what it leaves out
        self._folded = 0  # frames that are left out so far
        self.notes: list[str] = []
        self._is_asking = (
            False  # True while each compiled or Python frame so far belongs to the request to stop, and is left out
        )
        self.is_worker = False  # known once frames() has ended: True if the thread runs iterations of a parallel loop

    def numbered(self) -> Iterator[dict[str, Any]]:
        """Like frames(), with "index", the number of each frame."""
        index = 0
        for entry in self.frames():
            if entry["kind"] == "folded":
                index += entry["count"]
            elif entry["kind"] != "region":
                entry["index"] = index
                index += 1
            yield entry

    def frames(self) -> Iterator[dict[str, Any]]:
        """Yield the selected thread's frames and, after a parallel kernel, those of the thread that started its
        region."""
        seen: list[dict[str, Any]] = []
        for entry in self.thread(gdb.newest_frame()):
            if entry["kind"] == "jit":
                seen.append(entry)
            yield entry
        kernel = next((e for e in reversed(seen) if e["parent"]), None)
        self.is_worker = kernel is not None
        if kernel and not any(e["name"] == kernel["parent"] for e in seen[seen.index(kernel) :]):
            yield from self._region(kernel["parent"])
        elif not kernel:
            yield from self._undescribed({entry["name"] for entry in seen})

    # -- one thread

    def thread(self, frame: Any) -> Iterator[dict[str, Any]]:
        """Yield the entries from `frame` of the selected thread to the end of its stack."""
        with nested_calls.Folding(self.debuggee, self.folds) as nested:
            self._folded = 0
            yield from self._thread(frame, nested)

    def _thread(self, frame: Any, nested: nested_calls.Folding) -> Iterator[dict[str, Any]]:
        python = self._python_frames(frame)
        self._is_asking = not self.show_all
        ran = False  # True after an interpreter frame that is not known to evaluate Python
        is_innermost = True  # False after a frame of the program's compiled or Python code
        evaluated = False  # True if a frame that evaluates Python is known by its name in this stack
        while frame is not None:
            name = frame.name()
            function = frames.compiled_at(self.debuggee, frame)
            if function is not None:
                if ran and not evaluated and python:
                    evaluated = self._evaluates(frame, python)
                    if not evaluated:
                        yield from self._take(python, everything=True)
                is_stopped_at = is_innermost and _has_body(frame, function)
                is_innermost = False
                self._is_asking = self._is_asking and function["name"].endswith(folding.ASKS_COMPILED)
                if not self._is_asking and (function["kind"] in frames.WRITTEN or self.show_all or is_stopped_at):
                    yield self._compiled(frame, function)
            else:
                kind = folding.classify(self.debuggee, frame, name)
                shows_all = self.show_all or frame.level() == 0 and fault.is_here()  # the frame that has crashed
                if kind == folding.INTERPRETER and name is None and _holds(frame, python):
                    kind = folding.EVALUATION
                if kind == folding.EVALUATION:
                    evaluated, is_innermost = True, False
                    if shows_all:
                        yield self._native(frame, name, kind)
                    yield from self._take(python, frame)
                elif shows_all or (kind == folding.USER and not c_library.is_inner(self.debuggee, frame)):
                    yield self._native(frame, name, kind)
                ran = ran or kind in (folding.EVALUATION, folding.INTERPRETER)
            level = frame.level()
            self.fold = nested.at(frame, function) if function is not None else None
            if self.fold is not None:
                yield _folded_entry(self.fold)
                frame = nested_calls.again(level)
                self._folded += self.fold.frames
            older = frame.older()
            if older is None:
                self._note_stop(frame)
            frame = older
        yield from self._take(python, everything=True)

    def _evaluates(self, frame: Any, python: list[dict[str, Any]]) -> bool:
        """True if a frame at or outside `frame` evaluates Python. Compiled code may call compiled code by the
        interpreter's API alone."""
        while frame is not None:
            if frames.compiled_at(self.debuggee, frame) is None:
                if _holds(frame, python):
                    return True
                if folding.classify(self.debuggee, frame, frame.name()) == folding.EVALUATION:
                    return True
            frame = frame.older()
        return False

    def _level(self, frame: Any) -> int:
        """Return GDB's number of the frame, which counts the frames that are left out."""
        return int(frame.level()) + self._folded

    def _note_stop(self, frame: Any) -> None:
        reason = frame.unwind_stop_reason()
        if reason not in (gdb.FRAME_UNWIND_NO_REASON, gdb.FRAME_UNWIND_OUTERMOST):
            self.notes.append(f"native frames end early: {gdb.frame_stop_reason_string(reason)}")

    def _take(
        self, python: list[dict[str, Any]], evaluation: Any = None, everything: bool = False
    ) -> Iterator[dict[str, Any]]:
        """Yield the Python frames of one evaluation, and remove them from `python`, whose order is reversed so that
        this is cheap."""
        while python:
            entry = python.pop()
            self._is_asking = self._is_asking and folding.ASKS.search(entry["file"] or "") is not None
            if self._is_asking:
                if entry["entry"] and not everything:
                    return
                continue
            yield {
                "kind": "python",
                "name": entry.get("qualname") or entry["function"] or "?",
                "file": entry["file"],
                "line": entry["line"],
                "frame": None,
                "evaluation": self._level(evaluation) if evaluation is not None else None,
                "address": entry["address"],
                "arguments": [],  # python_frames.fill() completes it
            }
            if entry["entry"] and not everything:
                return

    def _compiled(self, frame: Any, function: dict[str, Any]) -> dict[str, Any]:
        sal = frame.find_sal()
        line = sal.line if sal is not None and sal.symtab is not None else 0
        if not line and function["debug_info"]:
            pc = frames.lookup_pc(frame)
            line = native.json_of("js_program_at", self.debuggee.program, pc)["at_line"]
        inline = frame.type() == gdb.INLINE_FRAME
        written = function["kind"] in frames.WRITTEN
        name = frame.name() if inline and frame.name() else function["name"]
        if written and not inline and function["overloads"]:
            name = f"{function['overloads']} (Numba)"
        entry: dict[str, Any] = {
            "kind": "jit" if written else "wrapper",
            "name": name if written else f"{name}[{function['kind']}]",
            "file": (sal.symtab.filename if sal is not None and sal.symtab is not None else function["file"]) or None,
            "line": line or None,
            "frame": self._level(frame),
            "parent": function["parent"],
            "arguments": [],
        }
        # The hook describes inlined functions' variables; in stock code the frame would have its caller's.
        if function["debug_info"] and (not inline or function["level"] in levels.WITH_INLINED):
            is_brief = gdb.parameter("print frame-arguments") != "all"
            entry["arguments"] = read(self.debuggee, frame, ARGUMENTS, summary=is_brief)
            if self.full:
                entry["locals"] = read(self.debuggee, frame, OTHERS)
                mark_passed(self.debuggee, frame, entry["arguments"])
            if function["parent"] and not inline:
                entry["loop"] = self._loop_variables(frame, function)
        return entry

    def _loop_variables(self, frame: Any, function: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the index of the parallel loop's header, if the kernel has it."""
        path = sources.find(self.debuggee, function["file"])
        header = linecache.getline(path, function["line"]) if path else ""
        match = re.match(r"\s*for\s+(\w+)\s+in\b", header)
        if match is None:
            return []
        found = [v for v in read(self.debuggee, frame, OTHERS, summary=True) if v["name"] == match[1]]
        return [self._only_iteration(frame, variable) for variable in found]

    def _only_iteration(self, frame: Any, variable: dict[str, Any]) -> dict[str, Any]:
        """Return the variable with the call's only iteration as its value, if the compiler keeps no index."""
        if variable["state"] == "exact":
            return variable
        index = workers.region_of(self.debuggee, frame)["index"]
        if index is None or index["state"] != "exact":
            return variable
        return {**variable, "state": "exact", "value": index["value"], "text": index["text"]}

    def _native(self, frame: Any, name: str | None, kind: str) -> dict[str, Any]:
        sal = frame.find_sal()
        known = sal is not None and sal.symtab is not None
        name = c_library.name_of(frame, name) if name else f"{int(frame.pc()):#x}"
        arguments = _native_arguments(frame)
        if all(argument["state"] != "exact" for argument in arguments):
            arguments = c_library.arguments(self.debuggee, frame, name) or arguments
        return {
            "kind": kind,
            "name": name,
            "file": sal.symtab.filename if known else None,
            "line": sal.line or None if known else None,
            "frame": self._level(frame),
            "library": None if known else gdb.solib_name(int(frame.pc())),
            "arguments": arguments,
        }

    # -- Python

    def _python_frames(self, frame: Any) -> list[dict[str, Any]]:
        """Return the thread's Python frames, outermost first (so that pop() gives the next one); [] if it has none."""
        python = self.debuggee.python()
        if python is None:
            if self.debuggee.python_problem:
                self._note(f"no Python frames: {self.debuggee.python_problem}")
            return []
        thread = gdb.selected_thread()
        pthread = frames.register_bytes(frame, "fs_base", 8)
        poll = native.PollFn(_poll)
        try:
            found = native.json_of(
                "js_python_frames_json",
                python,
                thread.ptid[1] or thread.ptid[0],
                int.from_bytes(pthread or b"", "little"),
                0,
                poll,
                None,
            )
        except native.NativeError as error:
            if error.status != native.ENOTFOUND:  # a thread that Python does not know has no frames
                self._note(f"no Python frames: {error}")
            return []
        if found["truncated"]:
            self._note(f"Python frames end early: {found.get('why', 'they cannot be read')}")
        return list(reversed(found["frames"]))

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    # -- parallel regions

    def _region(self, parent: str) -> Iterator[dict[str, Any]]:
        """Yield the stack of the thread that waits in `parent` for its parallel region."""
        thread, selected = gdb.selected_thread(), gdb.selected_frame()
        callers = [other for other in self._callers(thread, parent) if other.num != thread.num]
        if len(callers) > 1:
            numbers = " or ".join(str(other.num) for other in callers)
            self._note(f"thread {numbers} has started the region, but it is not known which")
            return
        try:
            for other in callers:
                other.switch()
                start = self._find(parent)
                if start is not None:
                    yield {"kind": "region", "thread": other.num}
                    for entry in list(self.thread(start)):
                        yield entry
                    return
        finally:
            thread.switch()
            selected.select()
        self._note(f"the thread that started the region of {parent} is not found")

    def _undescribed(self, seen: set[str]) -> Iterator[dict[str, Any]]:
        """Yield the frames of the thread that started the work of a worker without a described kernel: a ufunc, or a
        loop without debug information. `seen`: the compiled functions of the worker's stack."""
        entry = workers.of_thread(self.debuggee, gdb.selected_thread().num)
        if entry is None or entry["role"] != workers.WORKER or not entry["layer"]:
            return
        self.is_worker = True
        if not entry["regions"]:
            yield from self._ufunc(entry)
        elif entry["regions"][-1]["function"] and entry["regions"][-1]["function"] not in seen:
            yield from self._region(entry["regions"][-1]["function"])

    def _ufunc(self, entry: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the stack of the thread that has called the parallel ufunc which a worker runs, if that is recorded."""
        thread, selected = gdb.selected_thread(), gdb.selected_frame()
        others = [other for other in thread.inferior.threads() if [other.num] == entry["callers"]]
        if not others or others[0].num == thread.num:
            self._note("the thread that has called the ufunc is not known")
            return
        try:
            others[0].switch()
            found = list(self.thread(gdb.newest_frame()))
        finally:
            thread.switch()
            selected.select()
        yield {"kind": "region", "thread": others[0].num}
        yield from found

    def _callers(self, thread: Any, parent: str) -> list[Any]:
        """Return the threads that have started a region of this function, and wait for it."""
        entries = workers.all_threads(self.debuggee)
        own = next((entry["callers"] for entry in entries if entry["thread"] == thread.num), [])
        numbers = own or [e["thread"] for e in entries if any(s["function"] == parent for s in e["starts"])]
        others = sorted(thread.inferior.threads(), key=lambda t: t.num)
        if numbers:
            return [other for other in others if other.num in numbers]
        stopped = [other for other in others if other.is_valid() and other.is_stopped() and other.num != thread.num]
        return [other for other in stopped if self._is_in(other, parent)]

    def _is_in(self, other: Any, parent: str) -> bool:
        selected = gdb.selected_thread()
        other.switch()
        try:
            return self._find(parent) is not None
        finally:
            selected.switch()

    def _find(self, parent: str) -> Any:
        frame = gdb.newest_frame()
        for _ in range(REGION_DEPTH):
            if frame is None:
                return None
            function = frames.compiled_at(self.debuggee, frame)
            if function is not None and function["name"] == parent and not function["parent"]:
                if function["kind"] in frames.WRITTEN:
                    return frame
            frame = frame.older()
        return None


def _has_body(frame: Any, function: dict[str, Any]) -> bool:
    """True if the thread has stopped in a wrapper that LLVM has inlined the function's body into. One for CPython may
    only have been returned to, but does not crash itself."""
    kind = function["kind"]
    if kind in _POOL_CALLS and frame.level() == 0:
        return True
    return kind in (*_POOL_CALLS, "cpython-wrapper") and fault.is_crash()


def _folded_entry(fold: nested_calls.Fold) -> dict[str, Any]:
    functions = [{"name": name, "count": count} for name, count in fold.functions.most_common()]
    return {"kind": "folded", "count": sum(fold.functions.values()), "functions": functions}


def _holds(frame: Any, python: list[dict[str, Any]]) -> bool:
    """True if the native frame evaluates the next Python frames. Since 3.11 CPython keeps a shim in such a frame, so
    the frame's name is not needed. `python`: the Python frames in reverse."""
    shim = next((entry.get("shim") for entry in reversed(python) if entry["entry"]), None)
    older = frame.older() if shim is not None else None
    return older is not None and _stack_of(frame) <= shim < _stack_of(older)


def _stack_of(frame: Any) -> int:
    return int(frame.read_register("sp")) & (1 << 64) - 1


def _native_arguments(frame: Any) -> list[dict[str, Any]]:
    """Return a native function's arguments as GDB shows them: scalars, and ... for the others."""
    found: list[dict[str, Any]] = []
    try:
        block = frame.block()
        while block is not None and block.function is None:
            block = block.superblock
        for symbol in block if block is not None else ():
            if symbol.is_argument:
                found.append(_native_argument(frame, symbol))
    except (gdb.error, gdb.MemoryError, RuntimeError):
        pass  # there is no block: the function has no debug information
    return found


def _native_argument(frame: Any, symbol: Any) -> dict[str, Any]:
    text, state = "...", "unknown"
    try:
        value = symbol.value(frame)
        if value.is_optimized_out:
            text, state = "<optimized out>", "optimized-out"
        elif value.type.strip_typedefs().code not in _AGGREGATES:
            text, state = value.format_string(max_elements=40), "exact"
    except (gdb.error, gdb.MemoryError) as error:
        text = f"<unknown: {error}>"
    return {
        "name": symbol.print_name,
        "type": str(symbol.type),
        "state": state,
        "value": text if state == "exact" else None,
        "text": text,
        "assigned_line": None,
    }


_AGGREGATES = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION, gdb.TYPE_CODE_ARRAY)


def _poll(_context: Any) -> int:
    """Let Ctrl-C end a long walk: GDB checks for it when memory is read."""
    try:
        inferior = gdb.selected_inferior()
        inferior.read_memory(int(gdb.newest_frame().read_register("sp")), 1)
        return 0
    except gdb.error:
        return 0
    except BaseException as error:
        return 1 if native.note(error) == native.ECANCEL else 0
