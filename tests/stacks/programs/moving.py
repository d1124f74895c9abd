"""Two threads that make new functions all the time, whose names say who calls whom, and let go of the old ones: usage:
moving.py. At each line that it reads it does something that changes where things are: it imports asyncio and runs a
task, then removes modules and adds others."""

import gc
import random
import sys
import threading
import types

DEEPEST = 30


def source(cycle, deepest):
    """Return the source of functions that call one another; the number of each gives its line."""
    lines = []
    for depth in range(deepest):
        rest = "pass" if depth + 1 == deepest else f"f_{cycle}_{depth + 1}()"
        lines += [f"def f_{cycle}_{depth}():", f"    {rest}"]
    return "\n".join(lines)


def work(seed):
    numbers = random.Random(seed)
    cycle = seed
    while True:
        cycle += 2
        functions = {}
        deepest = numbers.randrange(1, DEEPEST)
        exec(compile(source(cycle, deepest), f"cycle_{cycle}", "exec"), functions)
        for _ in range(numbers.randrange(1, 20000)):
            functions[f"f_{cycle}_0"]()
        functions.clear()


def run_task():
    import asyncio

    async def late_task():
        await asyncio.sleep(1000)

    asyncio.run(late_task())


def main():
    sys.setswitchinterval(1e-4)
    for seed in (0, 1):
        threading.Thread(target=work, args=(seed,), daemon=True).start()
    print("ready", flush=True)
    sys.stdin.readline()
    threading.Thread(target=run_task, daemon=True).start()
    sys.stdin.readline()
    for i in range(3000):
        sys.modules[f"added_{i}"] = types.ModuleType(f"added_{i}")
    for i in range(0, 3000, 2):
        del sys.modules[f"added_{i}"]
    gc.collect()
    print("done", flush=True)
    sys.stdin.readline()


main()
