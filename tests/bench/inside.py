"""Commands `bench` inside GDB, which sources this file: they time one GDB command, and jitscope's work in it.

bench time COMMAND    one line of JSON: seconds, processor (GDB's own time of that), text (its first 400
                      characters), lines, characters,
                      read (bytes that GDB's process read from files, the target's memory among them),
                      wanted (bytes that jitscope asked of the target; null without jitscope)
bench feed            counts the work of jitscope's reader from now on
bench fed             the counts: objects, seconds
"""

import json
import re
import sys
import time

import gdb


def _wanted():
    module = sys.modules.get("jitscope_gdb.target.target")
    if module is None:
        return None
    native = sys.modules["jitscope_shared.base.native"]
    import ctypes

    wanted = native.library.js_bytes_wanted
    wanted.restype, wanted.argtypes = ctypes.c_uint64, [ctypes.c_void_p]
    return wanted(module.current().memory)


def _read():
    with open("/proc/self/io") as file:
        return int(file.readline().split()[1])


class Bench(gdb.Command):
    def __init__(self):
        super().__init__("bench", gdb.COMMAND_USER, gdb.COMPLETE_NONE, True)


class Time(gdb.Command):
    def __init__(self):
        super().__init__("bench time", gdb.COMMAND_USER)

    def invoke(self, argument, from_tty):
        wanted, read = _wanted(), _read()
        start, own = time.perf_counter(), time.process_time()
        text = gdb.execute(argument, to_string=True)
        seconds, own = time.perf_counter() - start, time.process_time() - own
        read = _read() - read
        after = _wanted()
        found = {
            "seconds": seconds,
            "processor": own,
            "text": text[:400],
            "lines": text.count("\n"),
            "characters": len(text),
            "frames": len(re.findall(r"^#\d+", text, re.M)),
            # py-bt: `  File "deep.py", line 12, in f`; jit bt: `#1  f (left=2, flag=…) at deep.py:12 [py]`
            "python_frames": len(re.findall(r"^  File .*, in f$|^#\d+\s*f \(.*\) at ", text, re.M)),
            "commas": text.count(","),
            "read": read,
            "wanted": None if wanted is None else after - wanted,
        }
        gdb.write(json.dumps(found) + "\n")


class Feed(gdb.Command):
    """The time spent in the reader's callback: decoding, correcting, writing, add-symbol-file."""

    def __init__(self):
        super().__init__("bench feed", gdb.COMMAND_USER)
        self.depth = 0

    def invoke(self, argument, from_tty):
        from jitscope_gdb.target import object_feed

        Feed.seconds, Feed.processor, Feed.most, Feed.taken = 0.0, 0.0, 0.0, 0
        for name in ("take", "flush"):
            setattr(object_feed.Feed, name, self.timed(name, getattr(object_feed.Feed, name)))

    def timed(self, name, function):
        def wrapper(*arguments, **named):
            self.depth += 1
            start, processor = time.perf_counter(), time.process_time()
            try:
                return function(*arguments, **named)
            finally:
                self.depth -= 1
                if self.depth == 0:
                    spent = time.perf_counter() - start
                    Feed.seconds += spent
                    Feed.processor += time.process_time() - processor
                    if name == "take":
                        Feed.taken += 1
                        Feed.most = max(Feed.most, spent)

        return wrapper


class Fed(gdb.Command):
    def __init__(self):
        super().__init__("bench fed", gdb.COMMAND_USER)

    def invoke(self, argument, from_tty):
        target = sys.modules["jitscope_gdb.target.target"].current()
        found = {"objects": len(target.feed.objects), "taken": Feed.taken, "most": Feed.most}
        found |= {"seconds": Feed.seconds, "processor": Feed.processor}
        gdb.write(json.dumps(found) + "\n")


for make in (Bench, Time, Feed, Fed):
    make()
