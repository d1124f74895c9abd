"""A program of random tasks that wait, written by a seed, and what the interpreter itself says of them. It runs by
itself on every CPython: `python random_tasks.py SEED KIND LOOPS FILE`, where KIND is the class of its tasks."""

import gc
import json
import random
import sys
import threading
import time

SEED, KIND, LOOPS = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
if KIND == "python":  # asyncio without its C module
    sys.modules["_asyncio"] = None

import asyncio  # noqa: E402

VERSION = sys.version_info[:2]


class Own(asyncio.Task):
    """A subclass."""


def factory(kind):
    if kind == "own":
        return lambda loop, coro, **more: Own(coro, loop=loop, **more)
    return asyncio.eager_task_factory if kind == "eager" else None


class Awaitable:
    def __init__(self, inner):
        self.inner = inner

    def __await__(self):
        yield from self.inner.__await__()
        return 1


class Manager:
    def __init__(self, inner=None, on_exit=None):
        self.inner, self.on_exit = inner, on_exit

    async def __aenter__(self):
        if self.inner:
            await self.inner

    async def __aexit__(self, *error):
        if self.on_exit:
            await self.on_exit


class Iterator:
    def __init__(self, inner):
        self.inner = inner

    def __aiter__(self):
        return self

    async def __anext__(self):
        await self.inner


class World:
    """What the tasks of one loop wait for, and how they were made."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lock, self.event, self.condition = asyncio.Lock(), asyncio.Event(), asyncio.Condition()
        self.semaphore, self.queue, self.full = asyncio.Semaphore(0), asyncio.Queue(), asyncio.Queue(1)
        self.full.put_nowait(1)
        self.tasks, self.coroutines = [], []

    # what is awaited at the end

    async def sleeps(self):
        await asyncio.sleep(100000)

    async def locked(self):
        async with self.lock:
            raise AssertionError

    async def event_of(self):
        await self.event.wait()

    async def notified(self):
        async with self.condition:
            await self.condition.wait()

    async def semaphored(self):
        await self.semaphore.acquire()

    async def gets(self):
        await self.queue.get()

    async def puts(self):
        await self.full.put(2)

    async def joins(self):
        await self.full.join()

    async def future(self):
        await asyncio.get_running_loop().create_future()

    async def task_of(self):
        waiting = [task for task in self.tasks if not task.done()]
        await (self.random.choice(waiting) if waiting else asyncio.sleep(100000))

    # what awaits something else

    async def plain(self, depth):
        await self.some(depth)

    async def held(self, depth):
        inner = self.some(depth)
        x = [1, 2, await inner]
        return x

    async def waits_for(self, depth):
        await asyncio.wait_for(self.some(depth), 100000)

    async def shielded(self, depth):
        await asyncio.shield(self.some(depth))

    async def gathered(self, depth):
        await asyncio.gather(*[self.some(depth) for _ in range(self.random.randrange(1, 4))])

    async def several(self, depth):
        await asyncio.wait([asyncio.ensure_future(self.some(depth)) for _ in range(self.random.randrange(1, 3))])

    async def generates(self, depth):
        yield 1
        await self.some(depth)
        yield 2

    async def iterates(self, depth):
        async for _ in self.generates(depth):
            pass

    async def sends(self, depth):
        generator = self.generates(depth)
        await generator.__anext__()
        await generator.asend(None)

    async def comprehends(self, depth):
        return [x async for x in self.generates(depth)]

    async def iterates_object(self, depth):
        async for _ in Iterator(self.some(depth)):
            pass

    async def enters(self, depth):
        async with Manager(self.some(depth)):
            pass

    async def leaves(self, depth):
        async with Manager(on_exit=self.some(depth)):
            pass

    async def awaitable(self, depth):
        await Awaitable(self.some(depth))

    async def wrapped(self, depth):
        await Awaitable(Awaitable(self.some(depth)))

    async def caught(self, depth):
        try:
            await self.event_of_cancelled()
        finally:
            await self.some(depth)

    async def event_of_cancelled(self):
        await asyncio.sleep(0)

    async def grouped(self, depth):
        async with asyncio.TaskGroup() as group:
            for _ in range(self.random.randrange(1, 3)):
                group.create_task(self.some(depth))

    async def timed(self, depth):
        async with asyncio.timeout(100000):
            await self.some(depth)

    def some(self, depth):
        """Return a coroutine that waits."""
        ends = [self.sleeps, self.locked, self.event_of, self.notified, self.semaphored, self.gets, self.puts,
                self.joins, self.future, self.task_of]  # fmt: skip
        inner = [self.plain, self.held, self.waits_for, self.shielded, self.gathered, self.several, self.iterates,
                 self.sends, self.comprehends, self.iterates_object, self.enters, self.leaves, self.awaitable,
                 self.wrapped, self.caught]  # fmt: skip
        if VERSION >= (3, 11):
            inner += [self.grouped, self.timed]
        if depth <= 0 or self.random.random() < 0.1:
            return self.random.choice(ends)()
        return self.random.choice(inner)(depth - 1)

    async def main(self):
        await self.lock.acquire()
        create = asyncio.get_running_loop().create_task
        for number in range(25):
            task = create(self.some(self.random.randrange(6)))
            if number % 3 == 0 and hasattr(task, "set_name"):
                task.set_name(f"task é {number}\n")
            self.tasks.append(task)
            if number % 5 == 0:
                await asyncio.sleep(0)
        for _ in range(20):
            await asyncio.sleep(0)
        for task in self.random.sample(self.tasks, 4):
            try:
                task.cancel()
            except RecursionError:
                pass  # tasks that await each other in a circle
        for _ in range(20):
            await asyncio.sleep(0)
        self.tasks.append(create(self.plain(3)))  # it has not begun
        if KIND != "eager":
            self.tasks[-1].set_name("new")


def frames_of(coroutine):
    """Return the frames of what awaits each other, innermost first."""
    found, at = [], coroutine
    while at is not None:
        frame = None
        if hasattr(at, "cr_frame"):
            frame, after = at.cr_frame, at.cr_await
        elif hasattr(at, "gi_frame"):
            frame, after = at.gi_frame, at.gi_yieldfrom
        elif hasattr(at, "ag_frame"):
            frame, after = at.ag_frame, at.ag_await
        elif type(at).__name__ in ("coroutine_wrapper", "async_generator_asend"):
            after = gc.get_referents(at)[0]
        else:
            break
        if frame is not None:
            found.append([frame.f_code.co_name, frame.f_code.co_filename, frame.f_lineno])
        at = after
    return found[::-1]


def told(task, native_id):
    waiter = task._fut_waiter
    waits = waiter is not None and not waiter.done()
    names = [one.get_name() for one in asyncio.all_tasks(task.get_loop()) if awaits(one, task)]
    return {"name": task.get_name(), "thread": native_id, "state": "waiting" if waits else "ready",
            "frames": frames_of(task.get_coro()), "awaited_by": sorted(names)}  # fmt: skip


def awaits(one, other):
    """True if it waits for the other task by `await` or by gather()."""
    waiter = one._fut_waiter
    return waiter is not None and not waiter.done() and (waiter is other or other in getattr(waiter, "_children", ()))


def run(number, loops):
    loop = asyncio.new_event_loop()
    loop.set_task_factory(factory(KIND))
    asyncio.set_event_loop(loop)

    async def made():
        return World(SEED * 100 + number)

    world = loop.run_until_complete(made())
    loop.create_task(world.main())
    loops.append((loop, threading.get_native_id(), world))
    if number == 0:
        loop.call_later(0.5, finish, loops)
    loop.run_forever()


def finish(loops):
    while len(loops) < LOOPS:
        time.sleep(0.01)
    time.sleep(0.7)
    gc.collect()  # tasks that nothing refers to must not end between what is said and what is seen
    gc.disable()
    tasks = [told(task, thread) for loop, thread, _ in loops for task in asyncio.all_tasks(loop)]
    with open(sys.argv[4], "w") as stream:
        json.dump(tasks, stream)
    print("ready", flush=True)


loops = []
for number in range(1, LOOPS):
    threading.Thread(target=run, args=(number, loops), daemon=True).start()
run(0, loops)
