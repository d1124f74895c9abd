"""Many small functions of eight forms. Asked line by line, answers in one line of JSON each:

compile N    compiles the next N with debug=True: {"seconds" of the processor, "bytes" of their objects}
memory       bytes of this process in memory, and the most there have been

With the argument `plain` they are compiled without debug=True, as functions whose source can be read."""

import json
import linecache
import sys
import time

import numba
import numpy as np
from numba.core import codegen

FORMS = (
    """
def f{n}(a, count):
    total = {n}.5
    for i in range(count):
        total += a[i] * total
    return total
""",
    """
def f{n}(a, count):
    low, high = a[0], a[0]
    for value in a:
        if value < low:
            low = value
        elif value > high:
            high = value
    return high - low + count
""",
    """
def f{n}(a, count):
    out = np.zeros(count + {n})
    for i in range(min(count, a.shape[0])):
        out[i] = a[i]
    return out.sum()
""",
    """
def f{n}(a, count):
    if count < 0:
        raise ValueError("count")
    pair = (a[0], count)
    third = pair[0] * {n}
    return third + pair[1]
""",
    """
def f{n}(a, count):
    steps = 0
    while count > 1:
        if count % 2 == 0:
            count = count // 2
        else:
            count = 3 * count + 1
        steps += 1
    return steps + a[0]
""",
    """
def f{n}(a, count):
    x = a[0]
    y = a[1] * {n}
    z = x * y + count
    w = np.sqrt(z * z)
    return w + x - y
""",
    """
def f{n}(a, count):
    total = 0.0
    for i in range(count):
        for j in range(i):
            total += a[j] * {n}
        total -= i
    return total
""",
    """
def f{n}(a, count):
    view = a[1:count]
    scale = 1.0 / (1 + count)
    mean = view.mean() * scale
    return mean + {n}
""",
)
_sizes = []
_numbas = codegen.JITCodeLibrary._object_compiled_hook.__func__


def _compiled(cls, module, buffer):
    _sizes.append(len(buffer))
    _numbas(cls, module, buffer)


def memory():
    with open("/proc/self/status") as file:
        fields = dict(line.split(":", 1) for line in file)
    return {name: int(fields[key].split()[0]) * 1024 for name, key in (("resident", "VmRSS"), ("most", "VmHWM"))}


def main():
    codegen.JITCodeLibrary._object_compiled_hook = classmethod(_compiled)
    done, kept, is_plain = 0, [], sys.argv[1:] == ["plain"]
    for line in sys.stdin:
        asked = line.split()
        if asked[0] == "memory":
            print(json.dumps(memory()), flush=True)
            continue
        _sizes.clear()
        start = time.process_time()
        for n in range(done, done + int(asked[1])):
            names, file, text = {"np": np}, f"functions_{n}.py", FORMS[n % len(FORMS)].format(n=n)
            if is_plain:
                linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
            exec(compile(text, file, "exec"), names)
            options = {} if is_plain else {"debug": True, "boundscheck": False}
            kept.append(numba.njit("float64(float64[::1], int64)", **options)(names[f"f{n}"]))
        seconds = time.process_time() - start
        done += int(asked[1])
        print(json.dumps({"seconds": seconds, "bytes": sum(_sizes)}), flush=True)


if __name__ == "__main__":
    main()
