"""A program with greenlets in several threads: `python switched.py FILE`. It writes the frames of those that are
switched out into the file before they have been asked for their frames, which changes them (gr_frame)."""

import json
import os
import sys
import threading
import time

import greenlet

hubs, made, frames, ready = {}, [], {}, []


class Own(greenlet.greenlet):
    """A subclass."""


def note(name):
    """Keep the frames of this greenlet; each is in the line after the call of note(), or in that of its call."""
    frame, found = sys._getframe(1), []
    while frame is not None:
        found.append([frame.f_code.co_name, frame.f_lineno + (not found)])
        frame = frame.f_back
    frames[name] = found


def leaf(name):
    note(name)
    hubs[threading.get_ident()].switch()


def recursive(name, depth):
    if depth:
        recursive(name, depth - 1)
    else:
        leaf(name)


def through_c(name, depth):
    return sorted([1], key=lambda _: recursive(name, depth))


def generates(name, depth):
    yield 1
    recursive(name, depth)


def through_generator(name, depth):
    for _ in generates(name, depth):
        pass


class Made:
    def __init__(self, name, depth):
        through_c(name, depth)


def through_class(name, depth):
    Made(name, depth)


def run(number):
    hubs[threading.get_ident()] = greenlet.getcurrent()
    for place, function in enumerate([recursive, through_c, through_generator, through_class] * 5):
        made.append((Own if place % 2 else greenlet.greenlet)(function))
        made[-1].switch((threading.get_native_id(), place), place % 4)
    made.append(greenlet.greenlet(int))  # it has ended
    made[-1].switch()
    made.append(greenlet.greenlet(leaf))  # it has not begun
    ready.append(number)
    if number:
        time.sleep(1000)


for number in (1, 2):
    threading.Thread(target=run, args=(number,), daemon=True).start()
run(0)
while len(ready) < 3:
    time.sleep(0.01)


def inside():
    with open(sys.argv[1], "w") as stream:
        json.dump([[name[0], found] for name, found in frames.items()], stream)
    os.write(1, b"ready\n")
    time.sleep(1000)


def main():
    frame = sys._getframe()
    frames[threading.get_native_id(), "hub"] = [["main", frame.f_lineno + 1], ["<module>", frame.f_back.f_lineno]]
    greenlet.greenlet(inside).switch()


main()
