"""One GDB for a program of faults, and what jitscope says at each."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Iterator

from tests.gdb import harness
from tests.oracle.faults import other_kinds, programs

# several: one of several subscripts is named, and the right one is among them. none: the access made no fault.
OUTCOMES = ("right", "several", "absent", "false", "none")
EXPLAINABLE = ("right", "several", "absent", "false")
_SESSION = pathlib.Path(__file__).with_name("session.py")
_INDEX = re.compile(
    r"(?:^|`|index )(?:.* = )?(-?\d+)(?: \(`[^`]*`\))? is outside axis (\d+) of `([^`]+)` \((\d+) element", re.M
)
_SEVERAL = re.compile(r"an index of (.*) is outside its array")
_WITHIN = re.compile(
    r"^`([^`\[]+)\[([\d, ]+)\]` is within `([^`]+)` by its shape \((\d+) elements?\), but its address 0x[0-9a-f]+ "
    r"cannot be (?:accessed: from its start on there is memory for at most (\d+) elements?, so that .*|"
    r"written: its memory is (read-only)|accessed: no memory is there: .*)$",
    re.M,
)
_OWN = re.compile(r"^(\S+) has index (\d+)$", re.M)
_OTHER = re.compile(r"was never set|cannot be accessed")


def outcomes(folder: pathlib.Path, seed: int, functions: int, level: str) -> Iterator[tuple[programs.Fault, str, str]]:
    """Yield each fault of the program, one of OUTCOMES, and the text at the stop."""
    text, faults = programs.program(seed, functions)
    more_text, more = other_kinds.program(seed, functions // 3, text.count("\n"))
    text, faults = text + more_text, faults + more
    path = folder / f"faults{seed}.py"
    path.write_text(text, encoding="utf-8")
    commands = [
        f"source {_SESSION}",
        "set confirm off",
        "handle SIGSEGV SIGBUS nopass",
        "run",
        *("leave-fault", "continue") * len(faults),
    ]
    seen = harness.run(
        commands,
        program=path,
        env={"JITSCOPE_LEVEL": "", "JITSCOPE_DEBUG": "lines" if level == "lines" else ""},
        timeout=500,
    )
    stops = iter(re.split(r"^\(gdb\) (?:run|continue)$", seen.text, flags=re.M)[1:])
    at = next(stops)
    for fault in faults:
        if f"no fault in {fault.name}\n" in at:
            yield fault, "none", at
            continue
        yield fault, _judged(fault, at), at
        at = next(stops, "")
    if "exited normally" not in at:
        raise AssertionError(f"seed {seed}: the program has not ended:\n{seen.text[-3000:]}")


def _judged(fault: programs.Fault, said: str) -> str:
    if "SIGSEGV" not in said and "SIGBUS" not in said:
        raise AssertionError(f"{fault.name} does not stop:\n{said}")
    found = _INDEX.findall(said)
    if fault.within:
        (element, memory), within = fault.within, _WITHIN.search(said)
        if within is None:
            return "false" if found or _SEVERAL.search(said) or _OTHER.search(said) else "absent"
        true = (fault.array, ", ".join(map(str, element)), fault.array, str(fault.size))
        return "right" if within.groups("")[:4] == true and "".join(within.groups("")[4:]) == memory else "false"
    if found:
        index = fault.index if fault.index is not None else int(dict(_OWN.findall(said))[fault.name])
        ways = [(fault.array, fault.axis), *([fault.same] if fault.same else [])]
        true = [(str(index), str(axis), array, str(fault.size)) for array, axis in ways]
        return "right" if len(found) == 1 and found[0] in true else "false"
    if several := _SEVERAL.search(said):
        return "several" if f"`{fault.array}[" in several[1] else "false"
    return "false" if _OTHER.search(said) else "absent"
