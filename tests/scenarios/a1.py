"""A1: a compiled function as its source, at Numba's default optimisation and at NUMBA_OPT=0."""

from __future__ import annotations

import re

from tests.gdb.harness import line_of

from .model import PYTHON, Check, Scenario, value, value_or_label

# Texts that only wrong debug information shows.
NOISE = r"\[abi:|\$3cdynamic|\{f0 ="


def build(same: int, opt: str | None) -> Scenario:
    """Return the scenario. At NUMBA_OPT=0 every value is exact; optimised code may label a local, and has fewer lines
    to stop at."""
    program = ("chk.py", "chk2.py")[same]
    stop, last, call = (line_of(program, mark) for mark in ("stop", "print", "call"))
    exact = opt == "0"
    line = rf"{stop}" if exact else rf"(?:{stop}|{stop + 1}|{last})"
    if same == 0:
        function, frame, caller = "foo", r"foo \(a=123\)", r"<module>"
        first = {"a": "123", "b": "124"}
        later = {"c": "287.82", "d": "(123, 124, 287.82)"}
        types = {"b": "int64", "d": "Tuple(int64, int64, float64)"}
    else:
        function, frame, caller = "weigh", r"weigh \(count=50, unit=0\.25\)", r"main"
        first = {"count": "50", "heavy": "True", "more": "57"}
        later = {"ratio": "12.5", "label": "(57, 12.5, True)"}
        types = {"more": "int64", "label": "Tuple(int64, float64, bool)"}
    commands = [f"break {program}:{stop}", "run", "info locals", "info args"]
    commands += [f"whatis {name}" for name in types]
    commands += ["bt", "jit locals", "jit bt"]
    place = rf"[^\n]*{program}:{line}"
    checks = [
        Check(f"the stop line is {function} in the source", "run", rf"^\S*.*, {frame} at {place}$", NOISE),
        Check(f"bt calls the frame {function}", "bt", rf"^#0\s+{frame} at {place}$", NOISE),
        Check("one stack, Python and JIT, without the interpreter's frames", "jit bt",
              rf"^#0\s+{frame} at {place}\n#1\s+{caller} ?\(.*\) at [^\n]*{program}:{call}{PYTHON}$",
              r"_PyEval|cpython::|Dispatcher|PyObject_"),
    ]  # fmt: skip
    arguments = "info args"
    for name, text in first.items():
        if name in frame:
            checks.append(Check(f"{name} is {text}", arguments, value(name, text)))
        else:
            wanted = value(name, text) if exact else value_or_label(name, text)
            checks.append(Check(f"{name} is {text}" + ("" if exact else " or labelled"), "info locals", wanted))
    for name, text in later.items():
        if exact:
            checks.append(Check(f"{name} has no value yet", "info locals", value(name, None)))
            checks.append(Check(f"jit locals: {name} unassigned", "jit locals", rf"^{name}\b.*<unassigned>"))
        else:
            checks.append(Check(f"{name} is true or labelled", "info locals", value_or_label(name, text)))
            checks.append(Check(f"{name} is never 0", "info locals", None, rf"^{name} = \(?0"))
    checks += [Check(f"{n} is {t}", f"whatis {n}", rf"^type = {re.escape(t)}$") for n, t in types.items()]
    if exact:
        steps = last - stop
        commands += ["next"] * steps + ["info locals", "jit locals"]
        for name, text in later.items():
            checks.append(Check(f"after next, {name} is {text}", "info locals", value(name, text), occurrence=-1))
    return Scenario(
        f"a1{'' if opt is None else '-opt' + opt}",
        "a compiled function as its source" + ("" if opt is None else f" (NUMBA_OPT={opt})"),
        program,
        tuple(commands),
        tuple(checks),
        env=() if opt is None else (("NUMBA_OPT", opt),),
        same=same,
    )
