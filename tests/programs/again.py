"""Compiles a function, then executes itself anew, where another function stands."""

import os
import sys

from numba import njit

if "again" in sys.argv:

    @njit(debug=True)
    def after_exec(n):
        m = n * 5
        return m  # at: second

    after_exec(7)
    print("done", flush=True)
else:

    @njit(debug=True)
    def before_exec(n):
        m = n + 1
        return m  # at: first

    before_exec(1)
    os.execv(sys.executable, [sys.executable, __file__, "again"])  # at: exec
