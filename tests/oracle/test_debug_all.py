"""JITSCOPE_DEBUG=all: every kind of compiled function has debug information, and has the same results as without it."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests.gdb.harness import lean
from tests.interpreters import newest_python

PROGRAM = """
import json
import numpy as np
from numba import cfunc, guvectorize, njit, vectorize

@njit
def plain(x):
    return x + 1

plain(3.0)  # Numba loads the hook while it makes the first flags

@njit(fastmath=True)
def fast(x):
    return x + 1.0

@vectorize(["float64(float64)"])
def element(x):
    y = x * 2
    return y + 1

@guvectorize(["void(float64[:], float64[:])"], "(n)->(n)")
def running(a, out):
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i]
        out[i] = total

@cfunc("float64(float64)")
def callback(x):
    return x / 3

found = {}
def says(name, library, result):
    found[name] = ["DISubprogram" in library.get_llvm_str(), result]

for function in (plain, fast):
    result = function(3.0)
    (compiled,) = function.overloads.values()
    says(function.__name__, compiled.library, result)
for ufunc in (element, running):
    dispatcher = getattr(ufunc, "_dispatcher", None) or ufunc.gufunc_builder.nb_func
    (result,) = dispatcher.overloads.values()
    says(dispatcher.py_func.__name__, result.library, ufunc(np.arange(4.0)).tolist())
says("callback", callback._library, callback.ctypes(1.0))
print(json.dumps(found))
"""


def found(**own: str) -> dict[str, list[object]]:
    command = [newest_python(), "-c", PROGRAM]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=lean(own), timeout=100, check=True)
    return dict(json.loads(done.stdout))


FIRST = """
import sys
from numba import cfunc, float64, guvectorize, vectorize

def element(x):
    y = x * 2
    return y + 1

def running(a, out):
    for i in range(a.shape[0]):
        out[i] = a[i] + 1

if sys.argv[1] == "vectorize":
    made = vectorize([float64(float64)])(element)
    (compiled,) = made._dispatcher.overloads.values()
    library, result = compiled.library, made(3.0)
elif sys.argv[1] == "guvectorize":
    made = guvectorize([(float64[:], float64[:])], "(n)->(n)")(running)
    (compiled,) = made.gufunc_builder.nb_func.overloads.values()
    library, result = compiled.library, made([6.0])[0]
else:
    made = cfunc(float64(float64))(element)
    library, result = made._library, made.ctypes(3.0)
print("DISubprogram" in library.get_llvm_str(), result)
"""


@pytest.mark.parametrize("kind", ["vectorize", "guvectorize", "cfunc"])
def test_the_first_function_of_a_program(kind: str) -> None:
    command = [newest_python(), "-c", FIRST, kind]
    env = lean({"JITSCOPE_DEBUG": "all", "JITSCOPE_LEVEL": "exact"})
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=env, timeout=100, check=True)
    assert done.stdout == "True 7.0\n"


def test_each_kind() -> None:
    hooked, without = found(JITSCOPE_DEBUG="all", JITSCOPE_LEVEL="exact"), found(JITSCOPE="0")
    assert {name: debugs for name, (debugs, _) in hooked.items()} == {
        "plain": True,
        "fast": False,
        "element": True,
        "running": True,
        "callback": True,
    }
    assert {name: result for name, (_, result) in hooked.items()} == {name: each[1] for name, each in without.items()}
