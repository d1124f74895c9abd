"""The one file to source in GDB, by `source …/gdbext/jitscope.py` at the prompt or in .gdbinit; `help jit` says
more."""

import os
import sys


def _start(here):
    if sys.version_info < (3, 8):
        return "this GDB's Python is %d.%d; jitscope needs 3.8 or later" % sys.version_info[:2]
    if not os.path.isfile(os.path.join(here, "jitscope_gdb", "__init__.py")):
        return "%s/jitscope_gdb is missing: run scripts/setup in %s" % (here, os.path.dirname(here))
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        from jitscope_gdb.app import startup
    except Exception as error:  # half an installation must not break someone's .gdbinit
        return "%s/jitscope_gdb cannot be loaded: %s: %s" % (here, type(error).__name__, error)
    return startup.start(here)


_problem = _start(os.path.dirname(os.path.realpath(os.path.expanduser(__file__))))
if _problem:
    print("jitscope: " + _problem.replace("\n", " "))
del _start, _problem
