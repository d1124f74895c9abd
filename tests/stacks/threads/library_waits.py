"""A program whose threads wait for what modules of the library make: the name of each says for what."""

import concurrent.futures
import json
import multiprocessing
import os
import queue
import sys
import threading
import time

mp = multiprocessing.get_context("fork")
lock, rlock, counted, event, condition = mp.Lock(), mp.RLock(), mp.Semaphore(2), mp.Event(), mp.Condition()
empty, polled, full, undone, simple = mp.Queue(), mp.Queue(), mp.Queue(1), mp.JoinableQueue(), mp.SimpleQueue()
full.put(1), undone.put(1)
lock.acquire(), counted.acquire(), counted.acquire()
process_barrier, barrier, semaphore = mp.Barrier(2), threading.Barrier(2), threading.Semaphore(0)
items, futures = queue.SimpleQueue(), concurrent.futures.ThreadPoolExecutor(1)
future = futures.submit(time.sleep, 10000)
pool = mp.Pool(1)
asynchronous = pool.map_async(time.sleep, [10000])
is_held = threading.Event()


def enters(what):
    with what:
        pass


def holds():
    with rlock:
        is_held.set()
        time.sleep(10000)


WAITS = {
    "an item of a queue": [items.get, empty.get, empty.get, simple.get],
    "an item of a queue, with a timeout": [lambda: items.get(timeout=10000), lambda: polled.get(timeout=10000)],
    "room in a queue": [lambda: full.put(2)],
    "the tasks of a queue to be done": [undone.join],
    "a lock of multiprocessing whose owner is not known": [lock.acquire, lambda: enters(lock), lambda: enters(rlock)],
    "a lock of multiprocessing whose owner is not known, with a timeout": [lambda: lock.acquire(timeout=10000)],
    "a semaphore of multiprocessing": [counted.acquire],
    "a notification": [event.wait, lambda: condition.acquire() and condition.wait()],
    "the other threads of a barrier": [process_barrier.wait, barrier.wait],
    "a semaphore": [semaphore.acquire, lambda: enters(semaphore)],
    "a semaphore, with a timeout": [lambda: semaphore.acquire(timeout=10000)],
    "the result of a pool": [asynchronous.get],
    "the results of futures": [
        lambda: concurrent.futures.wait([future]),
        lambda: list(concurrent.futures.as_completed([future])),
    ],
}
threading.Thread(target=holds, daemon=True).start()
is_held.wait()
truth = {}
for waits, functions in WAITS.items():
    for function in functions:
        thread = threading.Thread(target=function, daemon=True)
        thread.start()
        truth[thread.native_id] = waits
        time.sleep(0.02)  # so that get() of the first one has taken the lock for which the next one waits
time.sleep(0.5)
print("ready", flush=True)
sys.stdin.readline()
print(json.dumps(truth), flush=True)
sys.stdin.readline()
os._exit(0)
