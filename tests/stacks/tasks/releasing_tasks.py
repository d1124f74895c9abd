"""Tasks of task_locks.py whose statement no longer says who has the lock, because other code has released it."""

import asyncio


async def gives(lock, forever):
    async with lock:
        await asyncio.create_task(frees(lock))
        await forever()


async def frees(lock):
    lock.release()


async def frees_here(lock, forever):
    async with lock:
        lock.release()
        await forever()


async def begin(create, holds, plainly, forever):
    given, here = asyncio.Lock(), asyncio.Lock()
    create(gives(given, forever), "gives")
    create(frees_here(here, forever), "frees here")
    await asyncio.sleep(0.05)
    for name, lock in (("given", given), ("here", here)):
        create(plainly(lock), "takes " + name)
        await asyncio.sleep(0.05)
        create(holds(lock, forever()), "waits for " + name)
