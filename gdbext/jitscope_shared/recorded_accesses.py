"""The record of what each worker of a parallel loop has read and written of its arrays, as text."""

from __future__ import annotations

from typing import Any, Callable

from .base.escaping import counted

_NAMELESS = "an array"  # for an array in a tuple, or one of the compiler's own
_RANGES = 4  # ranges of each array in the text
_INDICES = 4  # indices of each overlap in the text
HOW = "functions at `steps` record them (JITSCOPE_LEVEL=steps, @jitscope.steps)"
NO_JITSCOPE = (
    "reads and writes are recorded where the program has jitscope loaded (libjitscope.so: `import jitscope`); "
    "`jit threads` shows who runs which iterations"
)
NO_RECORDS = (
    "the program's jitscope records no reads and writes: it is only just being loaded (`continue`, and try "
    "again), or it is an older one"
)
NO_LOOP = "no parallel loop runs now; `jit region -writes` shows what is recorded of the last one"
OFF = "Reads and writes are no longer recorded; `jit region -writes` shows those of before."


def switched_on(begins: str) -> str:
    """Return the line about recording that is on now. `begins`: from when on."""
    return f"Reads and writes are recorded from {begins}: {HOW}."


def reduction_note(name: str, line: int) -> str:
    """Return the line about a reduction variable that the loop's body reads elsewhere than to update it."""
    return (
        f"Line {line} reads `{name}`, which is a reduction of this loop: a worker has only its own part of it there, "
        "not what the iterations before have made it."
    )


def missing(records: dict[str, Any]) -> str | None:
    """Return why there is nothing to show; None: there is something."""
    if records["launch"]:
        return None
    if records["on"]:
        return f"no parallel loop has been recorded yet: {HOW}"
    return "nothing is recorded: `jit region -record`, and run the loop (again)"


def text_of(records: dict[str, Any], base_name: Callable[[str], str]) -> str:
    """Return the records of a loop as text. `base_name`: returns the name of a source for a message."""
    workers = records["workers"]
    where = f"{base_name(records['file'])}:{records['line']}"
    name = records["name"].rpartition(".")[0] if records["name"].endswith(".prange") else records["name"]
    loop = f"{name}, prange at {where}" if records["line"] else "a parallel loop"
    lines = [f"{loop}, {counted(len(workers), 'worker')}:"]
    for worker in workers:
        lines += _worker(worker)
    lines += _notes(records)
    if records["overlaps"]:
        lines.append("Several workers have used the same elements:")
        lines += [f"  {_overlap(each, base_name)}" for each in records["overlaps"]]
        lines += [] if records["complete"] else ["  … and more, of other lines"]
    elif len(workers) > 1:
        is_whole = not any(worker["lost"] or worker["late"] for worker in workers)
        none = "No worker has used an element that another one has written"
        lines.append(f"{none}." if is_whole else f"{none}, as far as it is recorded.")
    return "\n".join(lines)


def _worker(worker: dict[str, Any]) -> list[str]:
    lines: list[str] = []
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
    text = ", ".join(shown) + (f", … ({counted(had['elements'], 'element')})" if more else "")
    return f"{text} at line {had['line']}"


def _axis(ends: list[int]) -> str:
    first, last, step = ends
    return str(first) if first == last else f"{first}..{last}" + (f" step {step}" if step > 1 else "")


def _overlap(overlap: dict[str, Any], base_name: Callable[[str], str]) -> str:
    name, pairs = overlap["array"] or _NAMELESS, overlap["workers"]
    one, other = pairs[0]
    shown = [f"{name}[{', '.join(map(str, index))}]" for index in overlap["indices"][:_INDICES]]
    more = f", … ({counted(overlap['elements'], 'element')})" if overlap["elements"] > len(shown) else ""
    first, second = (_side(overlap[side], base_name) for side in ("first", "second"))
    if all(pair == pairs[0] for pair in pairs) and overlap["elements"] == len(pairs):
        return f"{', '.join(shown)}{more}: {first} by worker {one}, {second} by worker {other}"
    # The elements are not all of the same two workers, or it is not known of all of them.
    each = [f"{place} (workers {a} and {b})" for place, (a, b) in zip(shown, pairs)]
    return f"{', '.join(each)}{more}: {first} by the first of the two, {second} by the other"


def _side(side: dict[str, Any], base_name: Callable[[str], str]) -> str:
    return f"{'written' if side['kind'] == 'write' else 'read'} at {base_name(side['file'])}:{side['line']}"


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
