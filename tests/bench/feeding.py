"""The cost of passing one compiled object to GDB: it is decoded, corrected, written, and added as a symbol file."""

from __future__ import annotations

import pathlib
import subprocess
import tempfile
import time

from tests.gdb.harness import environment
from tests.interpreters import newest_python

from .measure import Figure, Spread, compare, in_turn
from .session import Session

FUNCTIONS = 295
OBJECTS = 300  # the goal is for up to this number
MOST = 1.5e-3  # seconds for each object

HEAD = "from numba import njit\n\n"
FUNCTION = """
@njit("float64(float64[:], int64)", debug=True, cache=True)
def scale_{n}(a, count):
    total = 0.0
    for i in range(count):
        total += a[i] * {n}.5
    return total

"""
# GDB stops here while all objects are there; the program only does this outside of compiling.
TAIL = """
import signal
signal.signal(signal.SIGTRAP, lambda *_: None)
signal.raise_signal(signal.SIGTRAP)
"""


def measure(rounds: int) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "many.py"
        text = HEAD + "".join(FUNCTION.format(n=n) for n in range(FUNCTIONS)) + TAIL
        program.write_text(text)
        # The functions come from the cache after the first run, so that registration is measured.
        env = {"NUMBA_CACHE_DIR": folder}
        subprocess.run([newest_python(), str(program)], env=environment(env), check=True, capture_output=True)
        fed: list[dict[str, float]] = []

        def once(jitscope: bool) -> float:
            start = time.perf_counter()
            with Session(jitscope=jitscope, command=[newest_python(), str(program)], env=env) as session:
                if jitscope:
                    session.execute("bench feed")
                said = session.execute("run")
                if "SIGTRAP" not in said:
                    raise RuntimeError(said[-2000:])
                seconds = time.perf_counter() - start
                if jitscope:
                    fed.append(session.answer("bench fed"))
            return seconds

        samples = in_turn({"ours": lambda: once(True), "theirs": lambda: once(False)}, rounds)
    counted = fed[-rounds:]
    objects = int(counted[0]["taken"])
    each = Spread.of([f["seconds"] / f["taken"] for f in counted])
    figure = Figure("feeding.object", f"one compiled object into GDB, of {objects}", "ms", each.times(1e3))
    figure.rounds = rounds
    figure.goal, figure.met = "≤ 1.5 ms", each.median <= MOST and objects <= OBJECTS
    processor = Spread.of([f["processor"] / f["taken"] * 1e3 for f in counted])
    longest = max(f["most"] for f in counted) * 1e3
    figure.notes = [f"processor time {processor.median:.2f} ms an object; the longest took {longest:.1f} ms"]
    whole = compare(
        "feeding.run",
        f"a program that loads {FUNCTIONS} compiled functions, under GDB",
        "s",
        samples["ours"],
        samples["theirs"],
        "GDB alone",
        at_most=1e9,
    )
    whole.goal, whole.met = "", None
    return [figure, whole]
