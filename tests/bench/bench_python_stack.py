"""1 000 Python frames: js_python_frames against GDB's `py-bt` and `bt`, in one GDB on one stopped process.

    JITSCOPE_INSPECT_LIBRARY=… python bench_python_stack.py [--rounds N] PYTHON…

Each PYTHON needs debug information and its pythonX.Y-gdb.py (beside it, or under GDB's auto-load); others are
reported with the reason. Prints one JSON object: seconds as median, min and max, and ratios of medians.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

CHILD = """
import os, sys
sys.setrecursionlimit(3000)
def f(n):
    if n: f(n - 1)
    else: print(os.getpid(), flush=True), os.read(0, 1)
f(1000)
"""

# Runs in GDB. Caches are dropped before every run, for a user asks once at a stop; one run of each comes first and
# is not counted, so that reading symbols is not.
GDB_SCRIPT = """
import ctypes, gdb, json, time

lib = ctypes.CDLL({library!r})
READ = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_size_t)
inferior = gdb.selected_inferior()

@READ
def read(context, address, buffer, size):
    try:
        ctypes.memmove(buffer, inferior.read_memory(address, size).tobytes(), size)
        return 0
    except gdb.error:
        return -2

lib.js_python_create.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint32, ctypes.c_void_p]
lib.js_python_frames_json.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_uint,
                                      ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
lib.js_python_forget.argtypes = lib.js_free.argtypes = [ctypes.c_void_p]
runtime = int(gdb.parse_and_eval("(long)&_PyRuntime"))

def reader(data):
    python, out = ctypes.c_void_p(), ctypes.c_void_p()
    status = lib.js_python_create(data, runtime, {version}, ctypes.byref(python))
    assert status == 0, status
    assert lib.js_python_threads_json(python, ctypes.byref(out)) == 0
    pthread = json.loads(ctypes.string_at(out.value))["threads"][0]["pthread"]
    lib.js_free(out)
    def frames():
        out = ctypes.c_void_p()
        lib.js_python_forget(python)
        assert lib.js_python_frames_json(python, 0, pthread, 0, None, None, ctypes.byref(out)) == 0
        text = ctypes.string_at(out.value).decode()
        lib.js_free(out)
        return text
    return frames

by_gdb, by_process = ctypes.c_void_p(), ctypes.c_void_p()
assert lib.js_bytes_create_callback(read, None, ctypes.byref(by_gdb)) == 0
assert lib.js_bytes_create_process(inferior.pid, ctypes.byref(by_process)) == 0
ways = {{
    "py_bt": lambda: gdb.execute("py-bt", to_string=True),
    "bt": lambda: gdb.execute("bt", to_string=True),
    "jitscope_gdb": reader(by_gdb),
    "jitscope_process": reader(by_process),
}}
spent = {{name: [] for name in ways}}
counts = {{}}
for round in range({rounds} + 1):
    for name, way in ways.items():
        gdb.execute("maint flush register-cache", to_string=True)
        gdb.execute("maint flush dcache", to_string=True)
        start = time.perf_counter()
        text = way()
        if round:
            spent[name].append(time.perf_counter() - start)
        mark = {{"py_bt": ", in f\\n", "bt": "\\n#"}}.get(name, '"function": "f"')
        counts[name] = text.count(mark)
print("result", json.dumps({{"counts": counts, "spent": spent}}))
"""


def summary(seconds: list[float]) -> dict[str, float]:
    """Return the median and the spread."""
    ordered = sorted(seconds)
    return {"median": ordered[len(ordered) // 2], "min": ordered[0], "max": ordered[-1]}


def gdb_helper(python: str, minor: int) -> Path | None:
    """Return the python-gdb.py that belongs to the interpreter, or None."""
    beside = Path(os.path.realpath(python)).parent / f"python3.{minor}-gdb.py"
    autoload = Path(f"/usr/share/gdb/auto-load/usr/bin/python3.{minor}-gdb.py")
    return next((path for path in (beside, autoload) if path.exists()), None)


def measure(python: str, rounds: int) -> dict[str, Any]:
    """Measure one interpreter: {"python", "seconds", "ratio"} or {"python", "skipped"}."""
    ask = "import sys; print('%d.%d.%d' % sys.version_info[:3], sys.version_info[1], sys.hexversion)"
    name, minor, version = subprocess.run([python, "-c", ask], capture_output=True, text=True).stdout.split()
    helper = gdb_helper(python, int(minor))
    if helper is None:
        return {"python": name, "skipped": f"no python3.{minor}-gdb.py"}
    child = subprocess.Popen([python, "-c", CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdout
    try:
        pid = child.stdout.readline().strip()
        with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
            library = os.environ["JITSCOPE_INSPECT_LIBRARY"]
            script.write(GDB_SCRIPT.format(library=library, version=version, rounds=rounds))
            script.flush()
            gdb = ["gdb", "-nx", "-batch", "-iex", "set debuginfod enabled off", "-p", pid, "-ex", "set pagination off"]
            commands = ["-ex", f"source {helper}", "-ex", f"source {script.name}"]
            done = subprocess.run([*gdb, *commands], capture_output=True, text=True, timeout=600)
    finally:
        child.kill()
        child.communicate()
    answer = next((line[7:] for line in done.stdout.splitlines() if line.startswith("result ")), None)
    if answer is None:
        return {
            "python": name,
            "skipped": done.stderr.strip().splitlines()[-1] if done.stderr else "GDB gave no result",
        }
    result = json.loads(answer)
    seconds = {way: summary(spent) for way, spent in result["spent"].items()}
    if result["counts"]["py_bt"] < 1000:
        return {"python": name, "skipped": f"py-bt sees {result['counts']['py_bt']} frames", "seconds": seconds}
    ratio = {
        f"{theirs} / {ours}": round(seconds[theirs]["median"] / seconds[ours]["median"], 1)
        for theirs in ("py_bt", "bt")
        for ours in ("jitscope_gdb", "jitscope_process")
    }
    return {"python": name, "frames": result["counts"], "seconds": seconds, "ratio": ratio}


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Python frames: jitscope against py-bt")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("python", nargs="*", default=[sys.executable])
    arguments = parser.parse_args()
    results = [measure(python, arguments.rounds) for python in arguments.python]
    print(json.dumps({"benchmark": "python_stack", "rounds": arguments.rounds, "results": results}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
