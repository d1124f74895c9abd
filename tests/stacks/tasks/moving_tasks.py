"""A program whose tasks run all the time, for stops at any instant: each awaits a known chain of coroutines."""

import asyncio
import sys

TASKS = int(sys.argv[1])


async def level0(number):
    await level1(number)  # at: level0


async def level1(number):
    async for _ in level2(number):  # at: level1
        pass


async def level2(number):
    for _ in range(3):
        await level3(number)  # at: level2
        yield number  # at: level2


async def level3(number):
    total = sum(range(number * 10))  # at: level3
    await asyncio.sleep(0)  # at: level3
    await asyncio.sleep(0.0001 * (number % 3))  # at: level3
    return total  # at: level3


async def worker(number):
    while True:
        await level0(number)  # at: worker


async def main():
    tasks = [asyncio.create_task(worker(number), name=f"worker {number}") for number in range(TASKS)]
    print("ready", flush=True)
    await asyncio.gather(*tasks)


asyncio.run(main())
