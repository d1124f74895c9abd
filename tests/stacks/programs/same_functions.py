"""Threads that all run the same functions. What the variables hold says which lines have run. Argument: the number of
threads beside the main one."""

import sys
import threading

lock = threading.Lock()


def stage(step):
    x = None
    x = step * 10 + 1  # x: 1
    x = step * 10 + 2  # x: 2
    for _ in range(200):
        x = step * 10 + 3  # x: 3
    x = step * 10 + 4  # x: 4
    return x


def count():
    n = m = 0
    while True:
        n = n + 1  # n
        m = n  # m
        yield m


shared = count()


def resume():
    with lock:
        got = next(shared)  # next
    return got


def work(number):
    while True:
        a = b = c = d = None
        a = stage(0)  # step: 0
        b = stage(1)  # step: 1
        d = resume()  # resume
        c = stage(2)  # step: 2
        assert a < b < c and d


if __name__ == "__main__":
    for number in range(1, int(sys.argv[1]) + 1):
        threading.Thread(target=work, args=(number,), name=f"worker {number}", daemon=True).start()
    print("ready", flush=True)
    work(0)
