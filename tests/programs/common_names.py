"""Functions whose names libjitscope.so, LLVM and the interpreter have, too; each is compiled when it is called."""

from numba import njit


@njit(debug=True)
def first(x):
    return x  # at: first


@njit(debug=True)
def outer(x):
    return x + 1  # at: outer


@njit(debug=True)
def run(x):
    return x + 2  # at: run


@njit(debug=True)
def lookup(x):
    return x + 3  # at: lookup


@njit(debug=True)
def find(x):
    return x + 4  # at: find


@njit(debug=True)
def reset(x):
    return x + 5  # at: reset


@njit(debug=True)
def main(x):
    return x + 6  # at: main


@njit(debug=True)
def spawn(x):
    return x + 7  # at: spawn


print(first(0))
for function in (outer, run, lookup, find, reset, main, spawn):
    print(function(0))
