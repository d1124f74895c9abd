"""Tasks that await each other in circles: two, three by gather(), and some that are in no circle."""

import asyncio


async def waits(names, tasks):
    await asyncio.sleep(0)
    if len(names) == 1:
        await tasks[names[0]]
    else:
        await asyncio.gather(*(tasks[name] for name in names))


async def waits_for_first(tasks):
    await asyncio.sleep(0)
    await asyncio.wait([tasks["open"], tasks["sleeps"]], return_when=asyncio.FIRST_COMPLETED)


async def main():
    tasks = {}
    edges = {
        "a": ["b"],
        "b": ["a"],
        "one": ["two"],
        "two": ["three", "sleeps"],
        "three": ["one"],
        "behind": ["a"],
        "open": ["first"],
        "last": ["sleeps"],
    }
    tasks["sleeps"] = asyncio.create_task(asyncio.sleep(1000), name="sleeps")
    tasks["first"] = asyncio.create_task(waits_for_first(tasks), name="first")
    for name, awaited in edges.items():
        tasks[name] = asyncio.create_task(waits(awaited, tasks), name=name)
    await asyncio.sleep(0.1)
    print("ready", flush=True)
    await asyncio.sleep(1000)


asyncio.run(main())
