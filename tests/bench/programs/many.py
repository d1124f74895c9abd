"""Imports compiled functions, `many.py FOLDER COUNT HOW`: `stop` raises SIGTRAP when all are there, `wait` says
"ready" and waits for a debugger."""

import importlib
import pathlib
import signal
import sys
import time

MODULE = 500  # functions of a module
HEAD = "from numba import njit\n"
FUNCTION = """

@njit("float64(float64[:], int64)", cache=True)
def scale_{n}(a, count):
    total = 0.0
    for i in range(count):
        total += a[i] * {n}.5
    return total
"""


def write(folder: pathlib.Path, number: int) -> str:
    """Return the name of a module with functions. A file that is there is kept, as Numba's cache depends on its
    time."""
    name = f"many_{number}"
    path = folder / f"{name}.py"
    text = HEAD + "".join(FUNCTION.format(n=n) for n in range(number * MODULE, (number + 1) * MODULE))
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
    return name


def main(folder: str, count: int, how: str) -> None:
    sys.path.insert(0, folder)
    for number in range(count // MODULE):
        importlib.import_module(write(pathlib.Path(folder), number))
    if how == "stop":
        signal.signal(signal.SIGTRAP, lambda *_: None)
        signal.raise_signal(signal.SIGTRAP)
    elif how == "wait":
        _ = importlib.import_module("numba.core.registry").cpu_target.target_context  # loads LLVM and Numba's library
        print("ready", flush=True)
        time.sleep(3600)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
