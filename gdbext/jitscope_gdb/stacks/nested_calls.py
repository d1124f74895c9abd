"""Calls that are nested so deep that GDB would take a minute to unwind them: those of a function that calls itself. The
C library walks their frames, and GDB unwinds what is left when these are folded."""

from __future__ import annotations

import ctypes
from collections import Counter
from typing import Any, NamedTuple

import gdb
import gdb.unwinder
from jitscope_shared.base import native, stack_text

from ..frames import frames, levels
from ..target import target
from ..threads import pools

_MANY = 16  # frames of a function that calls itself or others that call it, at least
_KEPT = ("rbx", "rbp", "r12", "r13", "r14", "r15")  # js_nested_frame.kept


class Place(NamedTuple):
    """Code that makes calls. `names`: the functions that it is a part of, innermost first; all but the last are inlined
    in the last."""

    names: list[str]
    has_line: bool
    function: dict[str, Any]


class Fold(NamedTuple):
    """Frames that are left out."""

    functions: Counter[str]  # frames as GDB counts them, by name; wrappers of the compiler are left out
    frames: int  # all of them, as GDB counts them
    recurring: dict[
        str, bool
    ]  # functions that fill the stack; True: each of their calls has a frame, also inlined ones
    is_all: bool  # True: no frame of these functions is on the stack beyond the compiled frames that follow
    at: tuple[int, int, int]  # the frame that the frames are left out after: pc, stack pointer, CFA
    caller: dict[str, Any]  # the frame that follows them


class Folding:
    """A context in which `at()` folds frames of the selected thread. On exit, GDB's frames are as they were."""

    def __init__(self, debuggee: target.Target, is_wanted: bool):
        self._debuggee = debuggee
        self._is_wanted = is_wanted
        self._seen: Counter[str] = Counter()
        self._unwinder: _Unwinder | None = None
        self._selected: Any = None

    def __enter__(self) -> Folding:
        return self

    def __exit__(self, *_error: Any) -> None:
        if self._unwinder is None:
            return
        gdb.frame_unwinders.remove(self._unwinder)
        gdb.invalidate_cached_frames()
        if self._selected is not None and self._selected.is_valid():
            self._selected.select()

    def at(self, frame: Any, function: dict[str, Any]) -> Fold | None:
        """Return the frames that follow this compiled frame and are left out from now on; None: none is. GDB's frames
        are then found anew, and the frame's number stays the same."""
        if not self._is_wanted or frame.type() == gdb.INLINE_FRAME or function["kind"] not in frames.WRITTEN:
            return None
        self._seen[function["name"]] += 1
        if self._seen[function["name"]] < stack_text.SHOWN:
            return None
        self._is_wanted = False
        fold = _find(self._debuggee, frame)
        if fold is not None:
            self._selected = gdb.selected_frame()
            gdb.newest_frame().select()  # GDB would look for the selected frame, which may be among the folded ones
            self._unwinder = _Unwinder(fold)
            gdb.unwinder.register_unwinder(None, self._unwinder, replace=True)
        return fold


def _find(debuggee: target.Target, frame: Any) -> Fold | None:
    if not frames.is_caller(frame) or not frame.architecture().name().startswith("i386:x86-64"):
        return None
    own = [frames.register_bytes(frame, name, 8) for name in ("rip", "rsp", *_KEPT)]
    if any(each is None for each in own):
        return None
    start = (ctypes.c_uint64 * len(own))(*(int.from_bytes(each or b"", "little") for each in own))
    limit = pools.stack_end(debuggee, pools.selected(debuggee))
    try:
        found = native.json_of(
            "js_program_nested_calls", debuggee.program, debuggee.data_memory(), start, max(limit, start[1])
        )
    except native.NativeError:
        return None
    return (
        _fold(debuggee, found, (start[0], start[1], frames.cfa(frame))) if found["count"] > stack_text.FEWEST else None
    )


def _fold(debuggee: target.Target, found: dict[str, Any], at: tuple[int, int, int]) -> Fold | None:
    places = {each["pc"]: _place(debuggee, each["pc"]) for each in found["places"]}
    if any(each is None for each in places.values()):
        return None
    counts = {each["pc"]: each["count"] for each in found["places"]}
    names: Counter[str] = Counter()
    for pc, count in counts.items():
        for name in _written(places[pc]):
            names[name] += count
    recurring = {name for name, count in names.items() if count >= _MANY}
    outermost = found["outermost"][:-1]
    last = next(
        (i for i in range(len(outermost) - 1, -1, -1) if recurring & set(_written(places[outermost[i]["pc"]]))), 0
    )
    hidden = Counter(counts)
    hidden.subtract([at[0], *(each["pc"] for each in outermost[last:])])
    functions: Counter[str] = Counter()
    for pc, count in hidden.items():
        for name in _written(places[pc]):
            functions[name] += count
    total = sum(count * len(places[pc].names) for pc, count in hidden.items())
    if total < stack_text.FEWEST:
        return None
    exact = {name: _is_each_known(name, list(places.values())) for name in names if name in recurring}
    return Fold(+functions, total, exact, not found["outside"], at, outermost[last])


def _is_each_known(name: str, places: list[Any]) -> bool:
    """True if each call of the function has a frame, be the call inlined or not."""
    own = [place for place in places if name in _written(place)]
    return all(place.has_line and place.function["level"] in levels.WITH_INLINED for place in own)


def _place(debuggee: target.Target, pc: int) -> Place | None:
    """Describe the code before this return address; None where GDB does not know it as the C library does."""
    function = frames.functions(debuggee).at(pc - 1)
    if function is None:
        return None
    names, block = [], gdb.block_for_pc(pc - 1) if function["debug_info"] else None
    while block is not None and not block.is_static and not block.is_global:
        if block.function is not None:
            names.append(block.function.print_name)
        block = block.superblock
    return Place([*names[:-1], function["name"]], bool(gdb.find_pc_line(pc - 1).line), function)


def _written(place: Any) -> list[str]:
    """Return the names of the functions of the source that the code is a part of."""
    return list(place.names if place.function["kind"] in frames.WRITTEN else place.names[:-1])


class _Id(NamedTuple):
    sp: Any
    pc: Any


class _Unwinder(gdb.unwinder.Unwinder):
    """Gives one frame another caller: the one that follows the frames which are left out."""

    def __init__(self, fold: Fold):
        super().__init__("jitscope nested calls")
        self._fold = fold

    def __call__(self, pending: Any) -> Any:
        pc, sp, cfa = self._fold.at
        if (
            int(pending.read_register("rip")) & (1 << 64) - 1 != pc
            or int(pending.read_register("rsp")) & (1 << 64) - 1 != sp
        ):
            return None
        found = pending.create_unwind_info(_Id(gdb.Value(cfa), gdb.Value(_start_of(pc))))
        caller = self._fold.caller
        for name, value in zip(("rip", "rsp", *_KEPT), (caller["pc"], caller["sp"], *caller["kept"])):
            found.add_saved_register(name, gdb.Value(value))
        return found


def _start_of(pc: int) -> int:
    function = frames.functions(target.current()).at(pc - 1)
    return int(function["low"]) if function is not None else pc
