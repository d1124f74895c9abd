"""A program that overwrites random words of its tasks, coroutines and their sets, and then runs no more Python code."""

import asyncio
import ctypes
import os
import random
import sys

seeded = random.Random(int(sys.argv[1]))
pause = ctypes.CDLL(None).pause


async def leaf(event):
    await event.wait()


async def generates(event):
    yield 1
    await leaf(event)


async def outer(event):
    async for _ in generates(event):
        pass


def areas(tasks):
    """Return the addresses and sizes of the objects that tasks consist of."""
    found = []
    for task in tasks:
        coroutine = task.get_coro()
        found += [(id(task), 160), (id(coroutine), 200), (id(task._fut_waiter), 100), (id(task.get_name()), 40)]
        frame = coroutine.cr_frame
        found += [(id(frame), 200), (id(frame.f_code), 180)]
    module = vars(asyncio.tasks)
    for name in ("_all_tasks", "_scheduled_tasks"):
        if name in module:
            data = module[name].data
            found += [(id(module[name]), 48), (id(data), 200)] + [(id(each), 48) for each in data]
    return [area for area in found if area[0]]


async def main():
    event = asyncio.Event()
    tasks = [asyncio.create_task(outer(event)) for _ in range(30)]
    await asyncio.sleep(0.05)
    known = areas(tasks)
    words = [address + at for address, size in known for at in range(8, size, 8)]
    values = [address for address, _ in known] + [0, 1, 8, 2**64 - 8, 2**63, id(object), id(None), 0x4141414141414141]
    chosen = []
    for _ in range(seeded.choice([1, 20, 200])):
        place = ctypes.c_uint64.from_address(seeded.choice(words))
        chosen.append((place, seeded.choice(values) + seeded.choice([0, 0, 0, 4, 8])))
    said = (1, b"ready\n")
    write = os.write
    for word, value in chosen:
        word.value = value & 0xFFFFFFFFFFFFFFFF
    write(*said)
    pause()


asyncio.run(main())
