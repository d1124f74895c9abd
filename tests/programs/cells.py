"""Code that no file has: cells of IPython, and what `exec` runs."""

import linecache
import sys

TOLD = """from numba import njit
@njit(debug=True)
def {}(a):
    b = a + 1
    return b * {}
"""


def executed(name, text):
    found = {"__name__": "__main__"}
    exec(compile(text, name, "exec"), found)
    return found


def cached(name, text):
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    return executed(name, text)


def in_ipython():
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance(colors="NoColor")
    shell.history_manager.enabled = False
    for factor in (2, 3):
        shell.run_cell(TOLD.format("cell", factor) + "print('cell', cell(1))\n", store_history=True).raise_error()


if "ipython" in sys.argv:
    in_ipython()
else:
    print("told", cached("<told>", TOLD.format("told", 2))["told"](1))
    print("nested", cached("made/up.py", TOLD.format("nested", 2))["nested"](1))
    print("untold", executed("<string>", TOLD.format("untold", 2))["untold"](1))
    print("same", cached("<told>", TOLD.format("told", 3))["told"](1))
