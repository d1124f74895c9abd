"""The level and optimisation at which each program of found/ was wrong: scripts/test runs it there, --matrix at all."""

from __future__ import annotations

import pathlib

from tests.minutes import MATRIX

FOUND = pathlib.Path(__file__).resolve().parent / "found"

# Programs for stock code: those about unoptimised code alone; and those about Numba's own changes at each optimisation,
# or about the least that is shown of a program at each. All others are about LLVM's changes, including those at
# NUMBA_OPT=1.
UNOPTIMISED = """
    assigned_for_nobody cleared comprehension_of_a_block converted counted entered filled filled_in_fused finals hiding
    indices overtaken reduced resumed told twice unset_start words
""".split()
AT_EACH_OPT = """
    again behind beside docstring fused_without_stores items joined made_up made_up_alone omitted removed tried
    truths_in_a_try two_ways_in unstored workers
""".split()

# Programs with the hook: those about the lines that stop, and how often, which only `steps` promises; and those about
# code that LLVM may move or merge where no marker is between two lines. All others are run at both levels.
STEPS = """
    bins called closures comprehended dead in_line jumps lambdas lambdas_in_loops moved nested pieces reductions
    versions
""".split()
EXACT = """
    beginning begun counted_in_a_loop divided early_in_callee fused_sum inlined_early masked_argument
    moved_compiled_call overwritten paths published_still raise_in_a_loop renamed summed_argument yields
""".split()


def runs_at(name: str, level: str, opt: str) -> bool:
    """True if the program was once wrong at this level and optimisation, as far as is known."""
    if level == "stock":
        return name in AT_EACH_OPT or (name in UNOPTIMISED) == (opt == "0")
    return name not in (EXACT if level == "steps" else STEPS)


def texts(level: str, opt: str) -> dict[str, str]:
    """Return the programs to run, by their names."""
    folders = ("stock", "hook", "both") if MATRIX else ("stock" if level == "stock" else "hook", "both")
    files = sorted(file for folder in folders for file in (FOUND / folder).glob("*.py"))
    return {file.stem: file.read_text("utf-8") for file in files if MATRIX or runs_at(file.stem, level, opt)}
