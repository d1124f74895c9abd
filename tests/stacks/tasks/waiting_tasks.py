"""A program with one task for each thing that a task can wait for; the task's name says what."""

import asyncio
import sys
import time


async def locked(lock):
    async with lock:
        pass


async def notified(condition):
    async with condition:
        await condition.wait()


async def awaits(what):
    await what


async def grouped():
    async with asyncio.TaskGroup() as group:
        group.create_task(asyncio.sleep(1000), name="member")


async def main():
    def create(coroutine, name):
        return asyncio.create_task(coroutine, name=name)

    lock, full = asyncio.Lock(), asyncio.Queue(1)
    await lock.acquire()
    full.put_nowait(1)
    server = await asyncio.start_server(lambda reader, writer: asyncio.sleep(1000), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    streams = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
    for _, writer in streams[1:]:
        writer.write(b"x" * 20_000_000)
    streams[2][1].close()
    process = await asyncio.create_subprocess_exec("sleep", "1000")
    inner = create(asyncio.sleep(1000), "sleep()")
    kept = [
        create(locked(lock), "a lock whose owner is not known"),
        create(asyncio.Event().wait(), "an event"),
        create(notified(asyncio.Condition()), "a notification"),
        create(asyncio.Semaphore(0).acquire(), "a semaphore"),
        create(asyncio.BoundedSemaphore(1).acquire(), "ends"),
        create(asyncio.PriorityQueue().get(), "an item of a queue"),
        create(full.put(2), "room in a queue"),
        create(full.join(), "the tasks of a queue"),
        create(asyncio.wait([inner]), "asyncio.wait()"),
        create(
            asyncio.wait_for(inner, 1000),
            "task 'sleep()', with a timeout",
        ),
        create(asyncio.to_thread(time.sleep, 1000), "a call in a thread"),
        create(streams[0][0].readline(), "data of a stream"),
        create(streams[1][1].drain(), "a stream to drain"),
        create(streams[2][1].wait_closed(), "a stream to close"),
        create(process.wait(), "the end of a process"),
        create(server.serve_forever(), "the end of a server"),
        create(awaits(inner), "task 'sleep()'"),
        create(awaits(asyncio.gather(inner, asyncio.Event().wait())), "gather() of 2"),
        create(awaits(asyncio.get_running_loop().create_future()), "a future"),
    ]
    if sys.version_info >= (3, 11):
        kept += [create(grouped(), "the tasks of a TaskGroup"), create(asyncio.Barrier(2).wait(), "a barrier")]
    await asyncio.sleep(0.3)
    kept.append(create(asyncio.sleep(1000), "is ready to run"))
    print("ready", flush=True)
    time.sleep(1000)


asyncio.run(main())
