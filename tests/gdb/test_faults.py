"""The line that explains a fault in compiled code: said where it is known, and else not at all."""

from __future__ import annotations

import pathlib

import pytest

from tests.gdb import harness

HEAD = """\
import signal
import threading
import time

import numpy as np
from numba import njit


"""

# The loop ends where i is n, so that two variables hold the index.
SHARED = """\
@njit(debug=True)
def past(a, n):
    i = 0
    while i < n:
        i += 1
    b = a[i]
    return b + n


past(np.arange(10.0), 3)
past(np.arange(10.0), 1000000000)
"""

# The address of the access is none that x86-64 has: the kernel says 0 instead.
NO_ADDRESS = """\
@njit(debug=True)
def far(a, index):
    return a[index * 8]


far(np.arange(10.0), 0)
far(np.arange(10.0), 1 << 57)
"""

# Where the address would stand, the signal carries its sender.
SENT = """\
@njit(debug=True, nogil=True)
def spin(a):
    while a[0] == 0:
        a[1] += 1


def send():
    time.sleep(2)
    signal.pthread_kill(threading.main_thread().ident, signal.SIGSEGV)


array = np.zeros(10, np.uint8)
array[0] = 1
spin(array)
array[0] = 0
threading.Thread(target=send, daemon=True).start()
spin(array)
"""


def explained(text: str, folder: pathlib.Path) -> list[str]:
    path = folder / "program.py"
    path.write_text(HEAD + text, encoding="utf-8")
    shown = harness.run(["run", "jit args"], program=path, env={"NUMBA_OPT": "0", "NUMBA_BOUNDSCHECK": "0"})
    assert "SIGSEGV" in shown.of("run") and "a = array(" in shown.of("jit args"), shown.text
    return [line for line in shown.of("run").splitlines() if "outside axis" in line]


def test_each_variable_that_holds_the_index_is_named(tmp_path: pathlib.Path) -> None:
    (line,) = explained(SHARED, tmp_path)
    assert line.startswith("`n` = `i` = 1000000000 is outside axis 0 of `a` (10 elements): address 0x")


@pytest.mark.parametrize("program", [NO_ADDRESS, SENT], ids=["no address", "sent"])
def test_a_signal_without_an_address_is_not_explained(program: str, tmp_path: pathlib.Path) -> None:
    assert explained(program, tmp_path) == []
