"""One stack: Python, compiled and native frames in order."""

from __future__ import annotations

import linecache
import re
from typing import Any, Iterator

import gdb
from jitscope_shared import python_frames

from ..base import native, stack_text
from ..frames import around_loop, c_library, fault, folding, frames, joined, levels
from ..frames.frame_variables import ARGUMENTS, OTHERS, mark_passed, read
from ..target import sources, target
from ..threads import workers
from . import nested_calls

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
        self.notes: list[str] = []
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
        kernel = next((e for e in reversed(seen) if "parent" in e), None)
        self.is_worker = kernel is not None
        if kernel and not any(e["name"] == kernel["parent"] for e in seen[seen.index(kernel) :]):
            yield from self._region(kernel["parent"])
        elif not kernel:
            yield from self._undescribed({entry["name"] for entry in seen})

    # -- one thread

    def thread(self, frame: Any) -> Iterator[dict[str, Any]]:
        """Yield the entries from `frame` of the selected thread to the end of its stack."""
        with nested_calls.Folding(self.debuggee, self.folds) as nested:
            yield from self._thread(frame, nested)

    def _thread(self, frame: Any, nested: nested_calls.Folding) -> Iterator[dict[str, Any]]:
        found = joined.Joined(self.debuggee, frame, nested, self._python_frames(frame))
        for item, is_shown in self._marked(found):
            if is_shown and item.python is not None:
                yield stack_text.python_entry(item.python, item.level)
            elif is_shown and item.function is not None:
                yield self._compiled(item.frame, item.function, item.level)
            elif is_shown:
                yield self._native(item.frame, item.kind, item.level)
            self.fold = found.fold(item.index) if item.python is None else None
            if self.fold is not None:
                yield stack_text.folded_entry(self.fold.functions)
        if found.last is not None:
            self._note_stop(found.last)

    def marked(self, frame: Any) -> Iterator[tuple[joined.Item, bool]]:
        """Yield all frames from `frame` of the selected thread on, each with True if it is one of those that frames()
        gives."""
        nested = nested_calls.Folding(self.debuggee, False)
        yield from self._marked(joined.Joined(self.debuggee, frame, nested, self._python_frames(frame)))

    def _marked(self, found: joined.Joined) -> Iterator[tuple[joined.Item, bool]]:
        is_innermost = True  # False after a frame of the program's compiled or Python code
        for item in found:
            yield item, self.show_all or self._is_shown(item, is_innermost)
            if item.python is None:
                is_innermost = is_innermost and item.function is None and item.kind != folding.EVALUATION

    def _is_shown(self, item: joined.Item, is_innermost: bool) -> bool:
        """True for a frame that a Python programmer wants to see."""
        if item.python is not None:
            return not item.is_asking
        if item.function is not None:
            is_stopped_at = is_innermost and _has_body(item.frame, item.function)
            return not item.is_asking and (item.function["kind"] in frames.WRITTEN or is_stopped_at)
        is_crashed = item.frame.level() == 0 and fault.is_here()
        return is_crashed or (item.kind == folding.USER and not c_library.is_inner(self.debuggee, item.frame))

    def _note_stop(self, frame: Any) -> None:
        reason = frame.unwind_stop_reason()
        if reason not in (gdb.FRAME_UNWIND_NO_REASON, gdb.FRAME_UNWIND_OUTERMOST):
            self.notes.append(f"native frames end early: {gdb.frame_stop_reason_string(reason)}")

    def _compiled(self, frame: Any, function: dict[str, Any], level: int | None) -> dict[str, Any]:
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
            "frame": level,
            "arguments": [],
            **self._kernel(frame, function, name),
        }
        # The hook describes inlined functions' variables; in stock code the frame would have its caller's.
        if function["debug_info"] and (not inline or function["level"] in levels.WITH_INLINED):
            is_brief = gdb.parameter("print frame-arguments") != "all"
            entry["arguments"] = read(self.debuggee, frame, ARGUMENTS, summary=is_brief)
            if self.full:
                entry["locals"] = read(self.debuggee, frame, OTHERS)
                mark_passed(self.debuggee, frame, entry["arguments"])
            if "parent" in entry and not inline:
                entry["loop"] = self._loop_variables(frame, function)
        return entry

    def _kernel(self, frame: Any, function: dict[str, Any], name: str) -> dict[str, Any]:
        """Return the members that only the frame of a parallel loop's body has."""
        body: dict[str, Any] | None = function
        if frame.type() == gdb.INLINE_FRAME:
            known = frames.functions(self.debuggee).all
            body = next((each for each in known if each["kind"] == "parfor-kernel" and each["name"] == name), None)
            if body is None and name.endswith(".prange"):
                return {"parent": name[: -len(".prange")], "loop_line": None}
        if body is None or not body["parent"]:
            return {}
        entry = workers.of_thread(self.debuggee, gdb.selected_thread().num) or {"regions": []}
        region = next((each for each in entry["regions"] if each["frame"] == frame.level()), None)
        own = around_loop.chunk(self.debuggee, frame) if region is None else region
        chunk = {"chunk": own["chunk"]} if own.get("chunk") else {}
        return {"parent": body["parent"], "loop_line": own["region_line"] or None, **chunk}

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

    def _native(self, frame: Any, kind: str, level: int | None) -> dict[str, Any]:
        name = frame.name()
        sal = frame.find_sal()
        known = sal is not None and sal.symtab is not None
        name = c_library.name_of(frame, name) if name else f"{int(frame.pc()):#x}"
        arguments = _native_arguments(frame)
        if all(argument["state"] != "exact" for argument in arguments):
            arguments = c_library.arguments(self.debuggee, frame, name) or arguments
        entry: dict[str, Any] = {
            "kind": kind,
            "name": name,
            "file": sal.symtab.filename if known else None,
            "line": sal.line or None if known else None,
            "frame": level,
            "arguments": arguments,
        }
        if not known:
            entry["library"] = gdb.solib_name(int(frame.pc()))
        return entry

    # -- Python

    def _python_frames(self, frame: Any) -> list[dict[str, Any]]:
        """Return the thread's Python frames, innermost first; [] if it has none."""
        python = self.debuggee.python()
        if python is None:
            if self.debuggee.python_problem:
                self._note(f"no Python frames: {self.debuggee.python_problem}")
            return []
        thread = gdb.selected_thread()
        pthread = int.from_bytes(frames.register_bytes(frame, "fs_base", 8) or b"", "little")
        given = thread.ptid[1] or thread.ptid[0], pthread, native.PollFn(_poll)
        return python_frames.of_thread(python, *given, self._note)

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
                    yield _region_entry(other)
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
        yield _region_entry(others[0])
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


def _region_entry(thread: Any) -> dict[str, Any]:
    """Return the heading of the frames of the thread that has started a parallel region."""
    return {"kind": "region", "thread": thread.num, "native_id": thread.ptid[1] or thread.ptid[0]}


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
