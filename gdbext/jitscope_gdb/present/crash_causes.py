"""Causes of a crash that no single access explains: what the C library, a threading layer, or the source says."""

from __future__ import annotations

import itertools
from typing import Any, Iterator

import gdb
from jitscope_source import files
from jitscope_source.statements import shared_lists

from ..base import console
from ..frames import c_library, frames, python_frames, undescribed
from ..stacks import merged_stack
from ..target import cells, guarded, sources, target
from ..threads import pools, workers
from . import freed_notes, guard_notes, heap_notes, stack_lines

_LOOKED_AT = 24  # frames of the selected thread
_HEAP = frozenset(("malloc", "free", "realloc", "calloc", "memalign", "posix_memalign"))
_LIBC = "__libc_"  # begins the allocator's own names of these, which the library's symbols have
_GUARD = "`set environment JITSCOPE_GUARD 1` and `run` (or `jitscope run --guard`)"
_SHOWN = 6  # frames of a stack
_SOURCE = ("jit", "python")  # kinds of frames
_ELSEWHERE = "store into an array at the loop's index instead"


def explain(debuggee: target.Target, stop_signal: str) -> str | None:
    """Return the line for a program that has received this signal; None where nothing is known."""
    stack = list(_stack())
    if stop_signal == "SIGTERM":
        return _forked(debuggee, stack)
    if stop_signal == "SIGABRT":
        return guard_notes.damage(debuggee) or _at_once(debuggee, stack) or _damaged(debuggee, stack)
    return shared(debuggee, _blamed(debuggee, stack)) or freed_notes.explain(debuggee)


def _blamed(debuggee: target.Target, stack: list[Any]) -> set[str] | None:
    """Return the names of the functions that a fault may come from; None: of all, as it is not in compiled code, where
    memory that any of them has damaged is used."""
    if not stack or frames.compiled_at(debuggee, stack[0]) is None:
        return None
    own = [(function["name"], function["parent"], frame.name()) for function, frame in _written(debuggee, stack)]
    return {name for names in own for name in names if name}


def _stack() -> Iterator[Any]:
    frame = gdb.newest_frame()
    for _ in range(_LOOKED_AT):
        if frame is None:
            return
        yield frame
        frame = frame.older()


def _layer(stack: list[Any]) -> str | None:
    """Return the threading layer whose code is in the stack, innermost first; None: none is."""
    layers = (pools.layer_of(gdb.solib_name(int(frame.pc()))) for frame in stack)
    return next((layer for layer in layers if layer is not None), None)


def _aborting_layer(stack: list[Any]) -> str | None:
    """Return the threading layer that has called abort(); None: other code has."""
    found = next((frame for frame in stack if not c_library.holds(frame)), None)
    return pools.layer_of(gdb.solib_name(int(found.pc()))) if found is not None else None


def _layer_of_files() -> str | None:
    """Return the threading layer whose library is loaded; None: none is, or several are."""
    found = {pools.layer_of(objfile.filename) for objfile in gdb.objfiles() if objfile.filename} - {None}
    return found.pop() if len(found) == 1 else None


def _is_own_signal() -> bool:
    """True if the program has sent itself the signal."""
    try:
        return int(gdb.parse_and_eval("$_siginfo._sifields._kill.si_pid")) == gdb.selected_inferior().pid
    except (gdb.error, gdb.MemoryError):
        return False


def _written(debuggee: target.Target, stack: list[Any]) -> list[tuple[dict[str, Any], Any]]:
    """Return the compiled functions of the source in the stack, with their frames."""
    found = ((frames.compiled_at(debuggee, frame), frame) for frame in stack)
    return [(function, frame) for function, frame in found if function and function["kind"] in frames.WRITTEN]


def _place(frame: Any) -> str:
    place = frame.find_sal()
    return f"{cells.base_name(place.symtab.filename)}:{place.line}" if place.symtab else "?"


# -- threading layers


def _forked(debuggee: target.Target, stack: list[Any]) -> str | None:
    """Return why a forked child ends itself: GNU OpenMP works only in the process that has used it first."""
    own = _written(debuggee, stack)
    if not own or not _is_own_signal() or _layer_of_files() != "omp":
        return None
    function, frame = own[0]
    one = f"{frames.name_of(frame, function)} starts a parallel loop ({_place(frame)})"
    return (
        f"{one} in a child that was forked after its parent had "
        'started one on OpenMP, which ends the child; start children with multiprocessing\'s "spawn", or use tbb'
    )


def _at_once(debuggee: target.Target, stack: list[Any]) -> str | None:
    """Return which parallel loops the workqueue layer has found running at once, with the stacks of their threads."""
    own = _written(debuggee, stack)
    if _aborting_layer(stack) != "workqueue" or not own:
        return None
    function, frame = own[0]
    one = f"{frames.name_of(frame, function)} ({_place(frame)})"
    around = next((each for each, _ in own[1:] if each["is_loop"]), None)
    advice = "workqueue runs one parallel loop at a time; NUMBA_THREADING_LAYER=omp or tbb run several"
    if around is not None:
        what = f"{one} starts a parallel loop within that of {around['parent'] or around['name']}"
        return f"Numba's workqueue layer ends the program, because {what}: {advice}{_stacks(debuggee, ())}"
    mine = gdb.selected_thread().num
    for entry in workers.all_threads(debuggee):
        if entry["thread"] != mine and entry["role"] == workers.CALLER:
            start = entry["starts"][-1]
            other = f"{start['function']} ({cells.base_name(start['file'] or '?')}:{start['line']})"
            both = f"threads {mine} and {entry['thread']} start parallel loops at once, {one} and {other}"
            shown = _stacks(debuggee, (entry["thread"],))
            return f"Numba's workqueue layer ends the program, because {both}: {advice}{shown}"
    what = f"{one} starts a parallel loop while that of another thread runs"
    return f"Numba's workqueue layer ends the program, because {what}: {advice}{_stacks(debuggee, ())}"


def _stacks(debuggee: target.Target, others: tuple[int, ...]) -> str:
    """Return the beginning of the stacks of the selected thread and of the others, from the source's functions on."""
    selected, frame = gdb.selected_thread(), gdb.selected_frame()
    shown = []
    try:
        for thread in (selected, *(each for each in selected.inferior.threads() if each.num in others)):
            thread.switch()
            lines = _stack_lines(debuggee)
            shown += [f"thread {thread.num}:", *(f"  {line}" for line in lines)] if lines else []
    finally:
        selected.switch()
        frame.select()
    return "".join(f"\n{line}" for line in shown)


def _stack_lines(debuggee: target.Target) -> list[str]:
    found = itertools.dropwhile(lambda entry: entry["kind"] not in _SOURCE, merged_stack.Stack(debuggee).numbered())
    entries = list(itertools.islice(found, _SHOWN + 1))
    python_frames.fill(debuggee, entries[:_SHOWN])
    lines = [stack_lines.line_of(entry, True) for entry in entries[:_SHOWN]]
    return [*lines, "(More stack frames follow...)"] if len(entries) > _SHOWN else lines


# -- memory


def _damaged(debuggee: target.Target, stack: list[Any]) -> str | None:
    """Return what it means that the C library's allocator has ended the program."""
    name = _allocator(stack)
    if name is None:
        return None
    if text := _given_to_free(debuggee, stack):
        return text
    found = f"{name}() has found that the heap is damaged"
    is_guarded = guarded.guard(debuggee) is not None
    beside = None if is_guarded else heap_notes.explain(debuggee, stack)
    if beside:
        return f"{found}: {beside}; {_advice()}"
    if text := shared(debuggee):
        return f"{found}: {text}"
    if is_guarded:
        return f"{found}, though arrays are guarded: an earlier write went elsewhere, such as into a list or a dict"
    if text := freed_notes.explain(debuggee):
        return f"{found}: {text}"
    if _checks_bounds():
        return f"{found}; {_advice()}"
    return f"{found}: an earlier write outside of an array is the usual cause; {_advice()}"


def _given_to_free(debuggee: target.Target, stack: list[Any]) -> str | None:
    """Return what free() was given, if malloc cannot have returned it: its addresses are multiples of 16, with a header
    before them (malloc/malloc.c of glibc, MALLOC_ALIGNMENT)."""
    frame = next((each for each in stack if c_library.name_of(each, each.name() or "") == "free"), None)
    given = c_library.arguments(debuggee, frame, "free") if frame is not None else []
    if not given:
        return None
    address = int(given[0]["value"], 16)
    try:
        gdb.selected_inferior().read_memory(address - 16, 16)
        is_possible = address % 16 == 0
    except (gdb.error, gdb.MemoryError, OverflowError):
        is_possible = False
    own = _written(debuggee, stack)
    by = f" by {frames.name_of(own[0][1], own[0][0])} ({_place(own[0][1])})" if own else ""
    return None if is_possible else f"free() was given {address:#x}{by}, which is no address from malloc"


def _allocator(stack: list[Any]) -> str | None:
    """Return the function of the allocator that the stack calls, innermost first."""
    names = (c_library.name_of(frame, frame.name() or "") for frame in stack if c_library.holds(frame))
    public = (name[len(_LIBC) :] if name.startswith(_LIBC) else name for name in names)
    return next((name for name in public if name in _HEAP), None)


def _checks_bounds() -> bool:
    return "= 1" in console.text_of("show environment NUMBA_BOUNDSCHECK")


def _advice() -> str:
    """Return what stops at the write."""
    if _checks_bounds():
        why = "NUMBA_BOUNDSCHECK=1 has bounds checked, so that an index is not the likely cause"
        return f"{why}; {_GUARD} stop at other wrong accesses"
    return f"`set environment NUMBA_BOUNDSCHECK 1`, `jit catch IndexError` and `run` stop at it, as {_GUARD} do"


def shared(debuggee: target.Target, functions: set[str] | None = None) -> str | None:
    """Return the first list or dict that all iterations of a compiled parallel loop change; None: none is known.
    `functions`: the names of those that come into question; None: all."""
    for path, name in _parallel(debuggee, functions):
        tree = files.tree_of(path, sources.born(debuggee))
        for node in tree.body if tree else ():
            found = shared_lists.changes(node) if getattr(node, "name", None) == name else ()
            change = next((each for each in found if _is_shared(debuggee, name, each)), None)
            if change is not None:
                return _text(cells.base_name(path), change)
    return None


def _is_shared(debuggee: target.Target, function: str, change: shared_lists.Change) -> bool:
    """False if the variable is known to be no list or, for a store to an item, not known to be a dict."""
    compiled = undescribed.named(debuggee, function, types=True)
    types = {each["type"].lower() for entry in compiled for each in entry["variables"] if each["name"] == change.name}
    if not change.method:
        return any("dict" in kind for kind in types)
    return not types or any("list" in kind for kind in types)


def _parallel(debuggee: target.Target, names: set[str] | None) -> Iterator[tuple[str, str]]:
    """Yield the file and the name of each function with compiled parallel loops. `names`: as shared() has it."""
    known = frames.functions(debuggee).all
    parents = {function["parent"] for function in known if function["is_loop"] and function["parent"]}
    parents = parents if names is None else parents & names
    for function in known:
        path = sources.find(debuggee, function["file"]) if function["name"] in parents and function["file"] else None
        if path is not None:
            yield path, function["qualname"]


def _text(file: str, change: shared_lists.Change) -> str:
    where = f"all workers of the prange at {file}:{change.loop}"
    if change.name is None:
        return f"{where} append to the list of one comprehension, which is not thread-safe; {_ELSEWHERE}"
    if not change.method:
        return f"{where} write to the dict `{change.name}` (line {change.line}), which is not thread-safe"
    call = f"`{change.name}.{change.method}()`"
    return f"{where} call {call} (line {change.line}), which is not thread-safe; {_ELSEWHERE}"
