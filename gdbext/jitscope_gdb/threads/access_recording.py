"""The reads and writes of each worker of a parallel loop: functions at `steps` record them in the program
(libjitscope.so) while a word that they test is not 0."""

from __future__ import annotations

from typing import Any

from jitscope_shared.base import contract, native

from ..base import console, report
from ..target import cells, published, target

_NAMELESS = "an array"  # for an array in a tuple, or one of the compiler's own
_RANGES = 4  # ranges of each array in the text
_INDICES = 4  # indices of each overlap in the text
HOW = "functions at `steps` record them (JITSCOPE_LEVEL=steps, @jitscope.steps)"


def switch(debuggee: target.Target, on: bool) -> None:
    """Switch recording on or off. Raise report.Problem if the program cannot record."""
    if not debuggee.is_live:
        raise report.Problem("a core cannot run: nothing more is recorded in it")
    published.write(debuggee, _address(debuggee), contract.Recorded, is_on=int(on))


def found(debuggee: target.Target) -> dict[str, Any]:
    """Return the recorded accesses of the newest loop, as js_program_records() gives them."""
    _address(debuggee)
    records: dict[str, Any] = native.json_of(
        "js_program_records", debuggee.program, debuggee.descriptor, debuggee.data_memory()
    )
    return records


def _address(debuggee: target.Target) -> int:
    descriptor = published.descriptor(debuggee)
    if descriptor is None:
        raise report.Problem(
            "reads and writes are recorded where the program has jitscope loaded (libjitscope.so: `import jitscope`); "
            "`jit threads` shows who runs which iterations"
        )
    if not descriptor.recording:
        raise report.Problem(
            "the program's jitscope records no reads and writes: it is only just being loaded (`continue`, and try "
            "again), or it is an older one"
        )
    return int(descriptor.recording)


# -- as text


def text_of(records: dict[str, Any]) -> str:
    """Return the records as text. Raise report.Problem if nothing is recorded."""
    if not records["launch"]:
        if records["on"]:
            raise report.Problem(f"no parallel loop has been recorded yet: {HOW}")
        raise report.Problem("nothing is recorded: `jit region -record`, and run the loop (again)")
    workers = records["workers"]
    where = f"{cells.base_name(records['file'])}:{records['line']}"
    name = records["name"].rpartition(".")[0] if records["name"].endswith(".prange") else records["name"]
    loop = f"{name}, prange at {where}" if records["line"] else "a parallel loop"
    lines = [f"{loop}, {console.counted(len(workers), 'worker')}:"]
    for worker in workers:
        lines += _worker(worker)
    lines += _notes(records)
    if records["overlaps"]:
        lines.append("Several workers have used the same elements:")
        lines += [f"  {_overlap(each)}" for each in records["overlaps"]]
        lines += [] if records["complete"] else ["  … and more, of other lines"]
    elif len(workers) > 1:
        is_whole = not any(worker["lost"] or worker["late"] for worker in workers)
        none = "No worker has used an element that another one has written"
        lines.append(f"{none}." if is_whole else f"{none}, as far as it is recorded.")
    return "\n".join(lines)


def _worker(worker: dict[str, Any]) -> list[str]:
    lines = []
    for kind, verb in (("write", "wrote"), ("read", "read")):
        had = [each for each in worker["had"] if each["kind"] == kind]
        if had:
            who = f"worker {worker['worker']}" if not lines else " " * len(f"worker {worker['worker']}")
            lines.append(f"{who} {verb} {'; '.join(map(_had, had))}")
    is_whole = not (worker["lost"] or worker["late"])
    return lines or [f"worker {worker['worker']} has used none of the loop's arrays"] * is_whole


def _had(had: dict[str, Any]) -> str:
    name = had["array"] or _NAMELESS
    shown = [f"{name}[{', '.join(map(_axis, box))}]" for box in had["ranges"][:_RANGES]]
    more = len(had["ranges"]) > _RANGES or not had["complete"]
    text = ", ".join(shown) + (f", … ({console.counted(had['elements'], 'element')})" if more else "")
    return f"{text} at line {had['line']}"


def _axis(ends: list[int]) -> str:
    first, last, step = ends
    return str(first) if first == last else f"{first}..{last}" + (f" step {step}" if step > 1 else "")


def _overlap(overlap: dict[str, Any]) -> str:
    name, pairs = overlap["array"] or _NAMELESS, overlap["workers"]
    one, other = pairs[0]
    shown = [f"{name}[{', '.join(map(str, index))}]" for index in overlap["indices"][:_INDICES]]
    more = f", … ({console.counted(overlap['elements'], 'element')})" if overlap["elements"] > len(shown) else ""
    first, second = (_side(overlap[side]) for side in ("first", "second"))
    if all(pair == pairs[0] for pair in pairs) and overlap["elements"] == len(pairs):
        return f"{', '.join(shown)}{more}: {first} by worker {one}, {second} by worker {other}"
    # The elements are not all of the same two workers, or it is not known of all of them.
    each = [f"{place} (workers {a} and {b})" for place, (a, b) in zip(shown, pairs)]
    return f"{', '.join(each)}{more}: {first} by the first of the two, {second} by the other"


def _side(side: dict[str, Any]) -> str:
    return f"{'written' if side['kind'] == 'write' else 'read'} at {cells.base_name(side['file'])}:{side['line']}"


def _notes(records: dict[str, Any]) -> list[str]:
    lines = []
    if len(records["workers"]) == 1:
        lines.append("One worker has run all recorded iterations, so there is nothing to compare.")
    for worker in records["workers"]:
        if worker["lost"]:
            room = f"a loop has room for {records['limit'] >> 20} MiB, 1024 lines and 32 arrays"
            lines.append(f"worker {worker['worker']}: accesses are not recorded, since {room}")
        if worker["late"]:
            late = "was in the loop when recording began: its accesses in that chunk are missing"
            lines.append(f"worker {worker['worker']} {late}")
    return lines
