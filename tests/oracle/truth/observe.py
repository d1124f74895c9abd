"""Inside GDB: stops the compiled cases everywhere and writes what each stop shows.

Sourced by GDB; the configuration is the JSON file named by JITSCOPE_TRUTH_CONFIG:
{"program", "lines": [..], "functions": {name: first line}, "phases": ["breaks", "step"], "per_line",
 "per_function", "jitscope": bool, "out"}.  No third-party import: this runs in GDB's own Python.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import re
import struct

import gdb

ELEMENTS = 64
FORMATS = {
    "bool": "?", "int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I",
    "int64": "q", "uint64": "Q", "float32": "f", "float64": "d",
}  # fmt: skip

with open(os.environ["JITSCOPE_TRUTH_CONFIG"]) as handle:
    CONFIG = json.load(handle)
BASENAME = os.path.basename(CONFIG["program"])


def label(text):
    return {"t": "label", "text": text}


def scalar(data, dtype):
    value = struct.unpack("<" + FORMATS[dtype], data)[0]
    if dtype == "bool":
        return {"t": "bool", "v": value}
    return {"t": "float", "v": repr(value)} if dtype.startswith("float") else {"t": "int", "v": value}


def array(value):
    """An array by its members; a member that GDB does not have is None."""
    kind = re.search(r"array\((?:\w+\()?(\w+)", str(value.type.name or value.type))
    dtype = kind.group(1) if kind else None
    shape = [leaf(item) for item in elements(value["shape"])]
    strides = [leaf(item) for item in elements(value["strides"])]
    data = leaf(value["data"])
    known = [item.get("v") if item["t"] == "int" else None for item in shape]
    result = {"t": "array", "dtype": dtype, "shape": known, "data": None}
    incomplete = data["t"] != "ptr" or None in known or any(item["t"] != "int" for item in strides)
    if incomplete or dtype not in FORMATS:
        return result
    count = 1
    for size in known:
        count *= max(size, 0)
    items = []
    width = struct.calcsize(FORMATS[dtype])
    for number in range(min(count, ELEMENTS)):
        at, rest = data["v"], number
        for size, stride in zip(reversed(known), reversed(strides)):
            at += (rest % size) * stride["v"]
            rest //= size
        try:
            items.append(scalar(bytes(gdb.selected_inferior().read_memory(at, width)), dtype))
        except (gdb.error, OverflowError):
            items.append({"t": "error"})
    result["data"] = items
    return result


def elements(value):
    kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_ARRAY:
        low, high = kind.range()
        return [value[index] for index in range(low, min(high, low + ELEMENTS) + 1)]
    if kind.code == gdb.TYPE_CODE_STRUCT:
        return [value[field] for field in kind.fields()]
    return [value]


def string(value):
    data, length, kind = (leaf(value[name]) for name in ("data", "length", "kind"))
    if data["t"] != "ptr" or length["t"] != "int" or kind["t"] != "int":
        return label("incomplete string")
    width = kind["v"] if kind["v"] in (1, 2, 4) else 1
    if not 0 <= length["v"] < 10000:
        return {"t": "opaque", "text": f"length {length['v']}"}
    if length["v"] == 0:
        return {"t": "str", "v": ""}
    try:
        raw = bytes(gdb.selected_inferior().read_memory(data["v"], length["v"] * width))
    except gdb.error:
        return {"t": "error"}
    return {"t": "str", "v": raw.decode({1: "latin-1", 2: "utf-16-le", 4: "utf-32-le"}[width], "replace")}


def leaf(value):
    """What GDB shows for `value`: a scalar, an aggregate by members, or a label."""
    try:
        if value.is_optimized_out:
            return label("<optimized out>")
        value.fetch_lazy()
    except (gdb.error, gdb.MemoryError) as error:
        return label(str(error))
    kind = value.type.strip_typedefs()
    code = kind.code
    if code == gdb.TYPE_CODE_BOOL:
        return {"t": "bool", "v": bool(value)}
    if code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR):
        return {"t": "int", "v": int(value)}
    if code == gdb.TYPE_CODE_FLT:
        try:
            return {"t": "float", "v": repr(float(value))}
        except gdb.error as error:
            return {"t": "opaque", "text": str(error)}
    if code == gdb.TYPE_CODE_PTR:
        if "synthetic" in value.format_string(raw=True):
            return label("<synthetic pointer>")
        return {"t": "ptr", "v": int(value)}
    if code == gdb.TYPE_CODE_ARRAY:
        return {"t": "tuple", "v": [leaf(item) for item in elements(value)]}
    if code == gdb.TYPE_CODE_STRUCT:
        names = [field.name for field in kind.fields()]
        if {"data", "shape", "strides"} <= set(names):
            return array(value)
        if {"data", "length", "kind"} <= set(names):
            return string(value)
        if names == ["real", "imag"]:
            parts = [leaf(value[name]) for name in names]
            if any(part["t"] != "float" for part in parts):
                return label("incomplete complex")
            return {"t": "complex", "v": [part["v"] for part in parts]}
        if (kind.name or "").startswith(("Tuple", "UniTuple")) or (names and names[0] == "f0"):
            return {"t": "tuple", "v": [leaf(value[field]) for field in kind.fields()]}
    return {"t": "opaque", "text": value.format_string()}


def shown(frame):
    """Every argument and local of `frame`, as GDB's own symbols give them."""
    result = []
    try:
        block = frame.block()
    except RuntimeError:
        return result
    while block is not None and not block.is_global and not block.is_static:
        for symbol in block:
            if not (symbol.is_variable or symbol.is_argument):
                continue
            try:
                value = symbol.value(frame)
                entry = {"name": symbol.print_name, "value": leaf(value)}
                entry["text"] = value.format_string(max_elements=ELEMENTS)
            except (gdb.error, gdb.MemoryError, RuntimeError, ValueError) as error:
                entry = {"name": symbol.print_name, "value": label(str(error)), "text": f"<error: {error}>"}
            result.append(entry)
        if block.function is not None:
            break
        block = block.superblock
    return result


def query():
    """`jit locals -json`, where there is one."""
    try:
        return json.loads(gdb.execute("jit locals -json", to_string=True))
    except (gdb.error, ValueError) as error:
        return {"error": str(error)}


def function_of(frame):
    """(name in the source, is it a wrapper)"""
    full = frame.name() or ""
    path = re.sub(r"\[abi:[^]]*\]", "", full).split("(")[0]
    return re.split(r"::|\.", path)[-1], path.startswith(("cpython::", "cfunc."))


class Entry(gdb.Breakpoint):
    """Counts the calls of a function, and never stops."""

    def __init__(self, address, name, calls):
        super().__init__(f"*{address}", internal=True)
        self.name = name
        self.calls = calls

    def stop(self):
        self.calls[self.name] = self.calls.get(self.name, 0) + 1
        return False


def entries(name):
    """The first addresses of a function's copies, wrappers left out."""
    found = set()
    with contextlib.suppress(gdb.error):
        for place in gdb.decode_line(f"{BASENAME}:{name}")[1] or ():
            block = gdb.block_for_pc(place.pc)
            while block is not None and block.function is None:
                block = block.superblock
            if block is not None and "cpython" not in block.function.name and "cfunc" not in block.function.name:
                found.add(block.start)
    return found


class Observer:
    """Drives the inferior and keeps the stops."""

    def __init__(self):
        self.stops = []
        self.signal = None
        self.calls = {}  # of this phase, by function
        self.called = []  # what GDB ran in the program of its own accord
        gdb.events.stop.connect(self.on_stop)
        gdb.events.inferior_call.connect(self.on_call)

    def on_stop(self, event):
        self.signal = event.stop_signal if isinstance(event, gdb.SignalEvent) else None

    def on_call(self, event):
        self.called.append(gdb.execute(f"info symbol {event.address}", to_string=True).strip())

    def alive(self):
        return bool(gdb.selected_inferior().pid) and bool(gdb.selected_inferior().threads())

    def here(self):
        """The innermost frame if it is in the program's file, else None."""
        frame = gdb.newest_frame()
        table = frame.find_sal().symtab
        return frame if table is not None and os.path.basename(table.filename) == BASENAME else None

    def note(self, phase):
        frame = self.here()
        if frame is None:
            return None
        name, wrapper = function_of(frame)
        stop = {"phase": phase, "function": name, "wrapper": wrapper, "line": frame.find_sal().line}
        stop["pc"], stop["call"] = frame.pc(), self.calls.get(name, 0)
        stop["shown"] = shown(frame)
        if CONFIG["jitscope"]:
            stop["json"] = query()
        self.stops.append(stop)
        return name

    def resume(self, command):
        self.signal = None
        gdb.execute(command, to_string=True)
        return self.alive()

    def breaks(self):
        """Breakpoints on all lines, at all their locations."""
        points = []
        for line in CONFIG["lines"]:
            with contextlib.suppress(gdb.error):
                points.append(gdb.Breakpoint(f"{BASENAME}:{line}"))
        counts = {}
        while self.resume("continue") and self.signal is None:
            name = self.note("breaks")
            counts[name] = counts.get(name, 0) + 1
            for point in points:
                if point.is_valid() and point.enabled and point.hit_count >= CONFIG["per_line"]:
                    point.enabled = False
        for point in points:
            point.delete()

    def step(self):
        """A breakpoint on each function, then `next` until it is left."""
        points = []
        for name in CONFIG["functions"]:
            with contextlib.suppress(gdb.error):
                points.append(gdb.Breakpoint(f"-source {BASENAME} -function {name}"))
        counts = {}
        while self.resume("continue") and self.signal is None:
            name = self.note("step")
            while name is not None and counts.get(name, 0) < CONFIG["per_function"]:
                counts[name] = counts.get(name, 0) + 1
                if not self.resume("next") or self.signal is not None:
                    return
                name = self.note("step")
            for point in points:
                if point.is_valid() and point.enabled and point.hit_count >= CONFIG["per_function"]:
                    point.enabled = False
        for point in points:
            point.delete()

    def run(self):
        self.resume("run")
        for phase in CONFIG["phases"]:
            if not self.alive() or self.signal != "SIGUSR1":
                break
            self.calls.clear()
            counters = [Entry(at, name, self.calls) for name in CONFIG["functions"] for at in entries(name)]
            getattr(self, phase)()
            for stop in self.stops:
                if stop["phase"] == phase:
                    stop["calls"] = self.calls.get(stop["function"], 0)
            for counter in counters:
                counter.delete()
        if self.alive():
            gdb.execute("kill", to_string=True)


gdb.execute("handle SIGUSR1 stop print nopass", to_string=True)
for setting in (
    "pagination off", "confirm off", "width 0", "auto-load no", "breakpoint pending off",
    f"print elements {ELEMENTS}", "print repeats unlimited",
):  # fmt: skip
    gdb.execute("set " + setting, to_string=True)
with contextlib.suppress(gdb.error):  # a GDB without debuginfod
    gdb.execute("set debuginfod enabled off", to_string=True)
observer = Observer()
try:
    observer.run()
finally:
    pathlib.Path(CONFIG["out"]).write_text(json.dumps({"stops": observer.stops, "called": observer.called}))
