"""The time from starting GDB to its end, with one stop in a compiled function: with jitscope and without."""

from __future__ import annotations

from tests.gdb import harness

from .measure import Figure, compare, in_turn

PROGRAM = "chk.py"


def measure(rounds: int) -> list[Figure]:
    line = harness.line_of(PROGRAM, "stop")
    commands = [f"break {PROGRAM}:{line}", "run", "kill"]

    def once(jitscope: bool) -> float:
        # Unoptimised code has this line for GDB alone, too.
        env = {"NUMBA_OPT": "0", "PYTHONPATH": ""}  # with SciPy
        found = harness.run(commands, program=PROGRAM, jitscope=jitscope, env=env, settings=harness.QUIET)
        if f"{PROGRAM}:{line}" not in found.of("run"):
            raise RuntimeError(found.text)
        return found.seconds

    samples = in_turn({"ours": lambda: once(True), "theirs": lambda: once(False)}, rounds)
    title = "gdb, break, run, stop in a compiled function"
    return [compare("first-stop", title, "s", samples["ours"], samples["theirs"], "GDB alone", at_most=1.1)]
