"""Makes the hook work on the functions of Numba's own tests, which it otherwise leaves alone."""

import os

if os.environ.get("JITSCOPE_LEVEL") != "stock":
    from jitscope.compiler import levels

    levels.is_numbas_test = lambda path: False
