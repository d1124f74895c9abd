"""Threads that call and count: `busy.py THREADS DEPTH`. Each line of input is answered by the sum of the counts."""

import os
import sys
import threading

counts = [0] * int(sys.argv[1])


def deep(number, depth):
    if depth:
        return deep(number, depth - 1)
    for _ in range(100):
        counts[number] += 1
    return depth


def work(number):
    while True:
        deep(number, int(sys.argv[2]))


for each in range(len(counts)):
    threading.Thread(target=work, args=(each,), daemon=True).start()
print("ready", os.getpid(), flush=True)
for _ in sys.stdin:
    print(sum(counts), flush=True)
