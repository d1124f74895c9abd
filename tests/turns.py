"""The tests that `scripts/test --turn` leaves to other turns: it runs QUICK_TESTS, and one group of TURNS of the rest.

A group has the tests that share a session, or one test alone. The groups take turns in the order in which they are
collected, so that tests with other parameters of one kind come to different turns."""

from __future__ import annotations

import os
from collections.abc import Iterable

TURNS = 12

# The packages of scripts/packages that pip installs and Numba compiles within a minute: one in each turn.
TURN_PACKAGES = ("numbagg", "sparse", "interpolation")

# Tests that show within two minutes that a part is broken, and not all that it can do: each layer of the C library
# without a debugger, then GDB's own commands, breakpoints, steps and the hook.
QUICK_TESTS = (
    "tests/oracle/test_agreement.py",
    "tests/oracle/test_align.py",
    "tests/oracle/test_arrays_against_numpy.py",
    "tests/oracle/test_container_expressions.py",
    "tests/oracle/test_expression_catalogue.py",
    "tests/oracle/test_expressions_against_numpy.py",
    "tests/oracle/test_layers.py",
    "tests/oracle/test_program.py",
    "tests/oracle/test_python_objects.py",
    "tests/oracle/test_source_flow.py",
    "tests/oracle/test_source_subscripts.py",
    "tests/oracle/test_types_against_numba.py",
    "tests/oracle/test_values_against_numba.py",
    "tests/gdb/test_break.py",
    "tests/gdb/test_hooked.py",
    "tests/gdb/test_python_frames.py",
    "tests/gdb/test_surfaces.py::TestConsole",
    "tests/attach/test_stops.py",
    "tests/scenarios/test_scenarios.py::test_a1_at_opt_1",
    "tests/scenarios/test_scenarios.py::test_core_that_gdb_wrote",
)


def turn() -> int | None:
    """Return the number of the turn, by JITSCOPE_TURN; None: all tests run."""
    given = os.environ.get("JITSCOPE_TURN", "")
    return int(given) % TURNS if given else None


def is_quick(test: str) -> bool:
    """True if it is a quick test. `test`: as pytest names it, from the repository's root on."""
    return any(test == quick or test.startswith((f"{quick}::", f"{quick}[")) for quick in QUICK_TESTS)


def groups_of_turn(groups: Iterable[str], number: int) -> set[str]:
    """Return the groups of a turn. `groups`: the name of each test's group, in the order of the tests."""
    return set(list(dict.fromkeys(groups))[number::TURNS])
