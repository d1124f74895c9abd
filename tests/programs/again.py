"""Compiles a function, then executes itself anew, where another function stands."""

import os
import sys

from numba import njit

if "again" in sys.argv:

    @njit(debug=True)
    def second(n):
        m = n * 5
        return m  # at: second

    second(7)
    print("done", flush=True)
else:

    @njit(debug=True)
    def first(n):
        m = n + 1
        return m  # at: first

    first(1)
    os.execv(sys.executable, [sys.executable, __file__, "again"])  # at: exec
