"""The number of disassemblies of a function that is compiled with the hook: a longer function has no more."""

from __future__ import annotations

import pathlib
import subprocess
import sys

from tests.gdb.harness import lean

# Passes of Numba's ask about each block of a function; the number of blocks follows from the argument.
COUNTED = """
import dis, pathlib, sys

original, count = dis.get_instructions, 0

def counting(code, *rest, **named):
    global count
    count += getattr(code, "co_name", "") == "many"
    return original(code, *rest, **named)

dis.get_instructions = counting
blocks, folder = int(sys.argv[1]), sys.argv[2]
tests = "".join(f"    if a > {n}:\\n        x{n} = a * {n}\\n        t += x{n}\\n" for n in range(blocks))
text = f"from numba import njit\\n@njit(debug=True)\\ndef many(a):\\n    t = 0\\n{tests}    return t\\n"
pathlib.Path(folder, f"many{blocks}.py").write_text(text)
sys.path.insert(0, folder)
many = __import__(f"many{blocks}").many
assert many(3) == many.py_func(3)
print(count)
"""


def disassembled(blocks: int, folder: pathlib.Path) -> int:
    command = [sys.executable, "-c", COUNTED, str(blocks), str(folder)]
    env = lean({"JITSCOPE_LEVEL": "steps"})
    return int(subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True).stdout)


def test_a_function_of_more_blocks_is_not_disassembled_more_often(tmp_path: pathlib.Path) -> None:
    few = disassembled(2, tmp_path)
    assert 0 < disassembled(20, tmp_path) <= few + 2
