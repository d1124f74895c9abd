"""Lines that never stop, of functions whose module or name is another one than the file says, and a line of a lambda,
which stops."""

import importlib.util
import pathlib
import sys

from numba import njit


def renamed(function):
    function.__name__ = function.__qualname__ = "other"
    return function


@njit
@renamed
def known_as(n):
    return n + 3  # at: renamed


@njit(debug=True)
def looped(n):
    total = 0
    for i in range(n):
        total += i  # at: looped
    return total


def never_called(n):
    return n + 4  # at: interpreted


@njit(debug=True)
def never_compiled(n):
    return n + 5  # at: never


def loaded(name, is_registered):
    """Return the module of packaged_kernels.py by another name."""
    path = pathlib.Path(__file__).parent / "packaged" / "packaged_kernels.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    if is_registered:
        sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


kernels = loaded("elsewhere", sys.argv[1] == "registered")
print(kernels.bare(4), kernels.compiled(3), known_as(1), looped(4))
plus = njit(debug=True)(lambda q: q + 7)  # at: lambda
bare_plus = njit(lambda q: q + 8)  # at: bare lambda
print(plus(1), bare_plus(2), looped(3))
