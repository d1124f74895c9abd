"""Compiles the function of cached_function.py once for each level that is asked for, and says whether the cache had it,
and what level the code is of."""

import importlib
import os
import re
import sys

import jitscope.version

if "other-version" in sys.argv:
    jitscope.version.__version__ += ".other"
from numba.core.codegen import JITCodeLibrary

from tests.programs import cached_function

seen = {}
cached = JITCodeLibrary._set_compiled_object
JITCodeLibrary._set_compiled_object = lambda self, code: (seen.update(cached=code), cached(self, code))[1]

for level in sys.argv[1].split(","):
    os.environ["JITSCOPE_LEVEL"] = level
    function = importlib.reload(cached_function).foo
    assert function(3) == 8
    how = "cached" if sum(function.stats.cache_hits.values()) else "compiled"
    [result] = function.overloads.values()
    code = seen["cached"] if how == "cached" else result.library._get_compiled_object()
    made = re.search(rb"jitscope/\d+ (\w+)", code)
    print(level, how, made[1].decode() if made else "stock")
