"""Tasks that wait for locks of asyncio, and what asyncio itself says of them: `python task_locks.py FILE [release]`
writes, for each task that waits for a lock, the task that holds it, which each one notes when it acquires and releases.
With `release`, the program has code that releases a lock for another task."""

import asyncio
import json
import sys
import threading
import time


class State(threading.local):
    """What the tasks of one loop have noted."""

    def __init__(self):
        self.holders = {}  # by lock: the name of the task that has it
        self.waits = {}  # by the name of a task: the lock that it waits for


STATE = State()


def me():
    return asyncio.current_task().get_name()


class Noted:
    """Notes who has a lock, around the statement itself, which is asyncio's own."""

    def __init__(self, lock):
        self.lock = lock

    def __enter__(self):
        STATE.waits.pop(me(), None)
        STATE.holders[self.lock] = me()

    def __exit__(self, *error):
        STATE.holders.pop(self.lock, None)


async def holds(lock, inner):
    STATE.waits[me()] = lock
    async with lock:
        with Noted(lock):
            await inner


async def forever():
    await asyncio.sleep(100000)


async def after(event, inner):
    await event.wait()
    await inner


async def generated(lock, inner):
    STATE.waits[me()] = lock
    async with lock:
        with Noted(lock):
            yield 1
            await inner


async def iterates(lock):
    async for _ in generated(lock, forever()):
        pass


async def notified(condition):
    async with condition:
        STATE.waits[me()] = condition._lock
        await condition.wait()
        await forever()


async def notifies(condition):
    async with condition:
        with Noted(condition._lock):
            condition.notify(1)
            await forever()


async def plainly(lock):
    """Keep a lock without a `with` statement."""
    await lock.acquire()
    await forever()


async def ends(lock):
    """End with the lock."""
    await lock.acquire()


async def timed(lock):
    await asyncio.wait_for(holds(lock, forever()), 100000)


async def main():
    loop, kept = asyncio.get_running_loop(), []

    def create(coroutine, name):
        kept.append(loop.create_task(coroutine))
        kept[-1].set_name(name)

    lock, one, two, three, own, cancelled, generator = (asyncio.Lock() for _ in range(7))
    condition, taken, ended, go = asyncio.Condition(), asyncio.Lock(), asyncio.Lock(), asyncio.Event()
    create(holds(lock, forever()), "has it")
    create(holds(lock, forever()), "waits")
    create(timed(lock), "waits until a time")
    for name, first, second in (("a", one, two), ("b", two, three), ("c", three, one)):
        create(holds(first, after(go, holds(second, forever()))), name)
    create(holds(own, after(go, holds(own, forever()))), "itself")
    create(iterates(generator), "generates")
    create(holds(generator, forever()), "waits for a generator")
    create(plainly(taken), "takes")
    create(ends(ended), "ends")
    create(notified(condition), "notified")
    create(notified(condition), "not notified")
    create(holds(cancelled, forever()), "has the cancelled one")
    create(holds(cancelled, forever()), "is cancelled")
    await asyncio.sleep(0.05)
    kept[-1].cancel()
    await asyncio.sleep(0.05)
    go.set()
    create(holds(taken, forever()), "waits for one that was taken")
    create(holds(ended, forever()), "waits for one whose holder ended")
    create(holds(cancelled, forever()), "waits after a cancelled one")
    create(notifies(condition), "notifies")
    if len(sys.argv) > 2:
        import releasing_tasks

        await releasing_tasks.begin(create, holds, plainly, forever)
    await asyncio.sleep(0.3)
    return kept


def told(loop):
    """Return who has the lock that each task waits for, by asyncio's own objects; None: none that a statement shows."""
    found = {}
    for task in asyncio.all_tasks(loop):
        lock = STATE.waits.get(task.get_name())
        if lock is not None and task._fut_waiter in (lock._waiters or ()) and not task._fut_waiter.done():
            assert lock.locked()
            found[task.get_name()] = STATE.holders.get(lock)
    return found


def run(number, results):
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    kept = loop.run_until_complete(main())
    results.append((told(loop), threading.get_native_id(), kept))
    if number == 0:
        while len(results) < 2:
            time.sleep(0.01)
        with open(sys.argv[1], "w") as stream:
            json.dump({thread: waits for waits, thread, _ in results}, stream)
        loop.call_later(0.2, lambda: print("ready", flush=True))
    loop.run_forever()


results = []
threading.Thread(target=run, args=(1, results), daemon=True).start()
run(0, results)
