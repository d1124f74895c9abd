"""Why a process has crashed, in one sentence, where that can be argued."""

from __future__ import annotations

import ast
import builtins
import json
import re
import signal
from collections import Counter
from typing import Any

from jitscope.process_sources import module_of
from jitscope.report import plain_causes, versions
from jitscope.report.snapshot import ANSWERED, LIMITED_STACK, SP, Mapping, Snapshot
from jitscope.stacks.taking import Stacks

_BELOW = 128  # bytes below the stack pointer that a function uses, too: the red zone of the ABI, or what a call pushes
_LOOKED_AT = 48  # frames in which calls of themselves are looked for
_OFTEN = 3  # calls of one function in them
_SHOWN = 3  # names in a list
_SI_TKILL = -6  # si_code of a signal that raise() has sent
_BUS_ADRERR = 2  # si_code of SIGBUS (asm-generic/siginfo.h)
_WRITE = "an earlier write outside of an array is the usual cause"
_FATAL = re.compile(r"_?Py_Fatal(Error|_Error)|fatal_error")
_OF_THE_HEAP = re.compile(r"(malloc|free|realloc|calloc|memalign|\w*chunk\w*|malloc_\w+)\(\)|corrupted |invalid ")
_OF_A_POOL = ("pool", "runtime")  # kinds of frames between a parallel loop and the raise() of a layer
_OF_RAISE = 3  # innermost frames that raise() is among
# What Numba's threading layers end a program for, by the signal and the name of the layer.
_LAYERS = {
    (signal.SIGTERM, "omp"): "Numba's OpenMP layer has ended the program, because a child of fork() has started a "
    "parallel loop: GNU OpenMP, which the parent had used, works in no such child; NUMBA_THREADING_LAYER=tbb does, and "
    "so do processes that multiprocessing starts by spawn",
    (signal.SIGABRT, "workqueue"): "Numba's workqueue layer has ended the program, because a parallel loop was started "
    "while another one ran: workqueue runs one at a time; NUMBA_THREADING_LAYER=omp or tbb run several",
}
_HEAP = frozenset(("malloc", "free", "realloc", "calloc", "memalign", "posix_memalign"))


def explain(
    snapshot: Snapshot, stacks: Stacks, taken: dict[str, Any], started: float | None, is_limited: bool
) -> str | None:
    """Return the sentence; None: nothing is known. `started`: when the program began, in seconds since the epoch; files
    that were changed later are not read. `is_limited`: the stack lacks its oldest frames."""
    if not snapshot.signal or not taken["threads"]:
        return None
    frames = taken["threads"][0]["frames"]
    if snapshot.code <= 0:
        return _sent(snapshot, stacks, taken)
    if snapshot.signal in (signal.SIGSEGV, signal.SIGBUS):
        return (
            _full_stack(snapshot, frames, is_limited)
            or (_short_file(snapshot) if snapshot.signal == signal.SIGBUS else None)
            or _fault(snapshot, stacks, frames, started)
            or plain_causes.of_address(snapshot)
        )
    if snapshot.signal == signal.SIGILL:
        return plain_causes.of_instruction(snapshot)
    return plain_causes.of_arithmetic(snapshot.code) if snapshot.signal == signal.SIGFPE else None


def _sent(snapshot: Snapshot, stacks: Stacks, taken: dict[str, Any]) -> str | None:
    """A signal that a process has sent: abort() sends SIGABRT, and Numba's layers end the program by raise()."""
    frames = taken["threads"][0]["frames"]
    layer = _ended_by_layer(snapshot, stacks, taken)
    if layer:
        return layer
    if snapshot.signal != signal.SIGABRT:
        # faulthandler, if it was enabled later, sends the signal of a fault once more by raise().
        return None if snapshot.code == _SI_TKILL else "a process has sent the signal"
    if snapshot.abort_message:
        return _message(snapshot.abort_message)
    if snapshot.code == _SI_TKILL and not snapshot.is_large():  # the interpreter's own frames may have sent it
        frames = stacks.take(shows_all=True)["threads"][0]["frames"]
    names = [frame["name"].removeprefix("__libc_") for frame in frames if frame["kind"] != "python" and frame["name"]]
    if any(_FATAL.match(name) for name in names):
        return "the interpreter has ended the program by Py_FatalError(), which has written why to standard error"
    name = next((name for name in names if name in _HEAP), None)
    if name is None:
        return plain_causes.of_abort(names)
    return f"{name}() has found that the heap is damaged: {_WRITE}"


def _ended_by_layer(snapshot: Snapshot, stacks: Stacks, taken: dict[str, Any]) -> str | None:
    """A threading layer of Numba that has ended the program by raise(), called for a parallel loop (numba/np/ufunc,
    omppool.cpp and workqueue.c, 0.50-0.68). It has written why to standard error."""
    frames = taken["threads"][0]["frames"]
    names = [frame["name"] for frame in frames if frame["kind"] in ("native", "pool", "jit", "python")][:_OF_RAISE]
    if snapshot.code != _SI_TKILL or "raise" not in names or snapshot.is_large():
        return None
    shown = stacks.take(shows_all=True)["threads"][0]["frames"]
    own = next((i for i, frame in enumerate(shown) if frame["kind"] == "jit"), 0)
    pool = versions.threading_of(stacks, taken) if any(each["kind"] in _OF_A_POOL for each in shown[:own]) else None
    return _LAYERS.get((snapshot.signal, pool["layer"])) if pool else None


def _message(message: str) -> str:
    """What the C library has written, and what it says of the heap."""
    text = f"the C library has ended the program: {message}"
    if message.startswith("double free"):
        return f"{text}: the memory had been freed before, or the heap is damaged"
    if message in ("free(): invalid pointer", "munmap_chunk(): invalid pointer"):
        return f"{text}: the address is none that malloc() has returned, or the heap is damaged"
    return f"{text}: {_WRITE}" if _OF_THE_HEAP.match(message) else text


def _full_stack(snapshot: Snapshot, frames: list[dict[str, Any]], is_limited: bool) -> str | None:
    """A fault of the newest frame on its own stack, where functions call themselves."""
    thread = snapshot.threads[0]
    stack = thread.registers[SP] if thread.known == ANSWERED else 0
    mapping = snapshot.mapping_at(snapshot.address)
    is_there = mapping is not None and "w" in mapping.access
    if is_there or not stack - (1 << 16) - _BELOW <= snapshot.address < stack + (1 << 16):
        return None
    own = [frame for frame in frames if frame["kind"] in ("jit", "python")]
    if len(own) < _OFTEN:
        own = [frame for frame in frames if frame["kind"] == "native" and frame["name"]]
    recent = Counter(frame["name"] for frame in own[:_LOOKED_AT])
    often = [name for name, count in recent.items() if count >= _OFTEN][:_SHOWN]
    if not often:
        return plain_causes.of_stack(frames) if _is_below(snapshot.stack_of(thread), snapshot.address) else None
    counts = Counter(frame["name"] for frame in own)
    if len(often) == 1:
        count = "" if is_limited else f", {counts[often[0]]:,} times"
        return f"the stack overflowed: {often[0]} calls itself{count} without returning"
    return f"the stack overflowed: {', '.join(often[:-1])} and {often[-1]} call each other"


def _is_below(stack: Mapping | None, address: int) -> bool:
    """True if the address is in the pages below the stack, where it has no room to grow."""
    return stack is not None and stack.start - LIMITED_STACK <= address < stack.start


def _fault(snapshot: Snapshot, stacks: Stacks, frames: list[dict[str, Any]], started: float | None) -> str | None:
    """An access of compiled code outside of an array."""
    frame = next((each for each in frames if each["kind"] == "jit"), None)
    if frame is None or not frame["file"] or not frame["line"]:
        return None
    found = _subscripts(frame["file"], frame["line"], started)
    if found is None:
        return None
    maps = "".join(
        f"{each.start:x}-{each.end:x} {each.access}p {each.offset:x} 00:00 0 {each.path}\n"
        for each in snapshot.mappings
    )
    explained = stacks.explain_fault(json.dumps(found), maps)
    return str(explained["text"]) if explained else None


def _subscripts(path: str, line: int, started: float | None) -> list[dict[str, Any]] | None:
    """Return what the line subscripts (docs/schema/subscripts.json); None: the source is not known. A line that calls a
    function may have accesses of that function."""
    subscripts, files = module_of("jitscope_source.subscripts"), module_of("jitscope_source.files")
    if subscripts is None or files is None:
        return None
    found: list[dict[str, Any]] | None = subscripts.subscripts_for_file(path, line, started)
    tree = files.tree_of(path, started)
    if found is None or tree is None:
        return None
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call) and node.lineno == line)
    if any(not isinstance(call, ast.Name) or not hasattr(builtins, call.id) for call in calls):
        found.append({"array": None, "indices": []})
    found += subscripts.whole_for_file(path, line, started)
    return found


def _short_file(snapshot: Snapshot) -> str | None:
    """A page of a mapped file that lies beyond the file's end."""
    mapping = snapshot.mapping_at(snapshot.address)
    if mapping is None or not mapping.path.startswith("/") or snapshot.code != _BUS_ADRERR:
        return None
    offset = mapping.offset + snapshot.address - mapping.start
    return f"{mapping.path} has no byte {offset:,}: the file was cut, or mapped beyond its end"
