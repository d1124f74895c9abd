"""One stack: Python, compiled and native frames in order."""

from __future__ import annotations

import linecache
import re
from typing import Any, Iterator

import gdb
from jitscope_shared import python_frames
from jitscope_shared.base import native, stack_text

from ..frames import around_loop, c_library, fault, folding, frames, joined, levels
from ..frames.frame_variables import ARGUMENTS, OTHERS, mark_passed, read
from ..target import sources, target
from ..threads import workers
from . import loop_starts, nested_calls

_POOL_CALLS = ("gufunc-wrapper", "ufunc-wrapper")
_BODY = ".prange"  # the end of the name of a loop's body


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
        self.is_worker = False  # known once start() was called: True if the thread runs iterations of a parallel loop
        self._seen: list[loop_starts.Seen] = []  # the functions of the source among the frames that were walked

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
        yield from self.thread(gdb.newest_frame())
        start = self.start()
        if start is not None:
            with loop_starts.selected(start.thread):
                found = list(self.thread(start.frame))
            yield _region_entry(start.thread)
            yield from found

    def start(self) -> loop_starts.Start | None:
        """Return the thread that has started the parallel loop whose iterations the selected thread runs; None: there
        is none, or it is not known. All frames of the selected thread have been walked before."""
        self.is_worker, found = loop_starts.find(self.debuggee, self._seen, self._note)
        return found

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
            is_shown = self.show_all or self._is_shown(item, is_innermost)
            if is_shown and item.function is not None and item.function["kind"] in frames.WRITTEN:
                name = frames.name_of(item.frame, item.function)
                self._seen.append(loop_starts.Seen(name, self._loop_of(item.frame, item.function)[0]))
            yield item, is_shown
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
        name = frames.name_of(frame, function)
        if written and not inline and function["overloads"]:
            name = f"{function['overloads']} (Numba)"
        entry: dict[str, Any] = {
            "kind": "jit" if written else "wrapper",
            "name": name if written else f"{name}[{function['kind']}]",
            "file": (sal.symtab.filename if sal is not None and sal.symtab is not None else function["file"]) or None,
            "line": line or None,
            "frame": level,
            "arguments": [],
            **self._kernel(frame, function),
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

    def _loop_of(self, frame: Any, function: dict[str, Any]) -> tuple[str | None, bool]:
        """Return the function with the parallel loop whose body the frame runs, None for another frame, and whether the
        body is known as a function."""
        body: dict[str, Any] | None = function
        if frame.type() == gdb.INLINE_FRAME:
            name = frames.name_of(frame, function)
            known = frames.functions(self.debuggee).all
            body = next((each for each in known if each["kind"] == "parfor-kernel" and each["name"] == name), None)
            if body is None:
                return (name[: -len(_BODY)] if name.endswith(_BODY) else None), False
        return body["parent"] or None, True

    def _kernel(self, frame: Any, function: dict[str, Any]) -> dict[str, Any]:
        """Return the members that only the frame of a parallel loop's body has."""
        parent, is_known = self._loop_of(frame, function)
        if parent is None:
            return {}
        if not is_known:
            return {"parent": parent, "loop_line": None}
        entry = workers.of_thread(self.debuggee, gdb.selected_thread().num) or {"regions": []}
        region = next((each for each in entry["regions"] if each["frame"] == frame.level()), None)
        own = around_loop.chunk(self.debuggee, frame) if region is None else region
        chunk = {"chunk": own["chunk"]} if own.get("chunk") else {}
        return {"parent": parent, "loop_line": own["region_line"] or None, **chunk}

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
