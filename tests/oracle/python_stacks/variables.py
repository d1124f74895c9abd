"""A program whose threads wait in frames of each kind, and the interpreter's values of their variables."""

from __future__ import annotations

PROGRAM = r'''
import collections, dataclasses, decimal, enum, inspect, json, os, sys, threading, types

arrived = threading.Semaphore(0)
pipe = os.pipe()
frames = {}
kept = []


def block():
    frames[threading.current_thread().name] = sys._getframe(1), threading.get_native_id(), threading.get_ident()
    arrived.release()
    os.read(pipe[0], 1)


class Plain:
    def __init__(self):
        self.x = 1


class Told:
    def __repr__(self):
        raise SystemExit("no code of the program may run")


@dataclasses.dataclass
class Order:
    name: str
    count: int = 3


class Colour(enum.Enum):
    RED = 1


def scalars(a, b=2.5, *rest, key="é", **more):
    small, wide, negative, huge = 0, 2**62 + 1, -(2**31), 7**90
    yes, nothing, dots, z = True, None, ..., 1e300 - 2j
    nan, zero, inf = float("nan"), -0.0, -float("inf")
    block()


def texts(ascii="it's \"x\"\n\x00\x1b[31m\x7f", latin="naïve\x85", wide="日本", astral="😀\u200b", empty=""):
    data, mutable, long, lone = b"ab\xff'\n", bytearray(b"xy"), "x" * 150, "\udcff"
    block()


def containers():
    items, nested = [1, [2, ["x"]]], {"a": {"b": (1,)}, 2: {3}, None: frozenset({4})}
    empty = [], (), {}, set()
    loop = [0]
    loop.append(loop)
    queue, ordered = collections.deque([1, 2], maxlen=3), collections.OrderedDict(a=1)
    counted = collections.Counter("aab")
    block()


def instances():
    plain, told, order, colour = Plain(), Told(), Order("n"), Colour.RED
    cls, function, builtin, module, method = Plain, instances, len, json, kept.append
    error, number = ValueError("no", 1), decimal.Decimal("1.50")
    generator, names = (i for i in range(3)), types.SimpleNamespace(a=1)
    block()


def unassigned(flag=False):
    first = 1
    if flag:
        never = 2
    gone = 3
    del gone
    block()
    after = 4


def closures(argument, other=5):
    inner_only, shared, deleted = 1, [argument], 3
    late = None

    def inner(own):
        nonlocal deleted, late
        del deleted
        late = argument, shared
        block()
        return argument, shared, deleted, late, own, never_yet

    inner("own")
    never_yet = 1


def outer_of_closure(argument, plain=1):
    made = [argument]
    del plain

    def inner():
        return argument, made, unbound

    block()
    unbound = 3


def generator(n=3):
    for i in range(n):
        squares = [i * i]
        block()
        yield squares


def runs_generator():
    list(generator())


async def coroutine(n):
    text = "waited %d" % n
    if n:
        await coroutine(n - 1)
    block()


def runs_coroutine():
    coroutine(2).send(None)


def comprehension(rows=2):
    x = "outer"
    return [[block() for y in range(2)] for x in range(rows)]


def in_class():
    captured = 1

    class Body:
        attribute, other = captured, "é"

        def method(self):
            pass

        block()
        later = 1


def executed():
    exec(compile("a = 1\nb = [a]\nblock()\nlater = 2", "<made>", "exec"), {"block": block, "__name__": "made"})


class Custom(dict):
    pass


class Meta(type):
    @classmethod
    def __prepare__(cls, name, bases):
        return Custom(given=1)


def in_prepared():
    class Body(metaclass=Meta):
        attribute = 2
        block()


def deep(n=3, trail=()):
    if n:
        deep(n - 1, trail + (n,))
    else:
        block()


def many():
    exec("def wide(%s):\n    block()\nwide(%s)" % (
        ", ".join("a%d" % i for i in range(40)), ", ".join(map(str, range(40)))), {"block": block})


functions = [lambda: scalars(1, 3, 4, "five", key=[6], seven=8), texts, containers, instances, unassigned,
             lambda: closures("argument"), lambda: outer_of_closure("argument"), runs_generator, runs_coroutine,
             comprehension, in_class, executed, in_prepared, deep, many]
names = ["scalars", "texts", "containers", "instances", "unassigned", "closures", "outer_of_closure",
         "generator", "coroutine", "comprehension", "in_class", "executed", "in_prepared", "deep", "many"]
for function, name in zip(functions, names):
    threading.Thread(target=function, name=name, daemon=True).start()
for _ in functions:
    arrived.acquire()


def shown(value):
    if isinstance(value, Told):
        return "<__main__.Told object at 0x%x>" % id(value)
    if isinstance(value, types.GeneratorType) and value.gi_frame:
        states = {"GEN_CREATED": "not started", "GEN_RUNNING": "running", "GEN_SUSPENDED": "suspended"}
        state = states[inspect.getgeneratorstate(value)]
        file = os.path.basename(value.gi_code.co_filename)
        return f"<generator {value.__qualname__} at {file}:{value.gi_frame.f_lineno}, {state}>"
    return repr(value)


def truth(frame):
    """Each frame's variables, innermost first, but for those of this program's own thread functions."""
    while frame and frame.f_code.co_filename != threading.__file__:
        code = frame.f_code
        count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
        own = code.co_varnames + code.co_cellvars + code.co_freevars
        held = dict(frame.f_locals)
        yield {
            "function": code.co_name,
            "arguments": list(code.co_varnames[:count]),
            "declared": [name for name in own if name not in held] if code.co_flags & 1 else [],
            "held": {name: shown(value) for name, value in held.items()
                     if not (name.startswith("__") and name.endswith("__"))},
        }
        frame = frame.f_back


import time
time.sleep(0.2)
module = sys._getframe()
said = {}
for name, (frame, native, ident) in frames.items():
    said[name] = [native, ident, [each for each in truth(frame) if each["function"] != "block"]]
said["main"] = [threading.get_native_id(), threading.get_ident(), []]
print(json.dumps(said), flush=True)
os.read(0, 1)
'''
