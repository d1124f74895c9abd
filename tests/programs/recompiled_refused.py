"""Functions that a debugger cannot have compiled anew, each for a reason of its own, called in rounds."""

import time
import types as python_types

from llvmlite import ir
from numba import jit, njit, types
from numba.extending import intrinsic


class Slotted:
    __slots__ = ()


FLAG = False
VALUE = Slotted()
LOCALS = {"r": types.float64}
is_asked = []


@intrinsic
def once(typingctx, x):
    def codegen(context, builder, signature, arguments):
        if is_asked:
            raise RuntimeError("the second time")
        return builder.add(arguments[0], ir.Constant(arguments[0].type, 1))

    return x(x), codegen


@njit
def replaced(x):
    r = x + 1
    return r


@njit
def defaulted(x, y=1):
    r = x + y
    return r


@njit
def unkept(x):
    if FLAG:
        return VALUE
    return x + 1


@njit
def came(x):
    if FLAG:
        return LATER  # noqa: F821
    return x + 1


@njit(locals=LOCALS)
def typed(x):
    r = x + 1
    return r


@njit
def failing(x):
    r = once(x)
    return r


@jit(forceobj=True)
def in_object_mode(x):
    r = x + 1
    return r


@njit(cache=True)
def written(x):
    r = x + 1
    return r


@njit
def entangled(depth):
    if depth <= 0:
        return 0
    below = entangled(depth - 1)
    return below + 1


@njit
def entangles(x):
    return entangled(9 % 4) + x


@njit
def last(x):
    return x  # at: last


def main():
    written(1)
    cached = njit(cache=True)(python_types.FunctionType(written.py_func.__code__, globals(), "written"))
    functions = [replaced, defaulted, unkept, came, typed, failing, in_object_mode, cached, entangles]
    for each in functions:
        each(1)
    for compiled in cached.overloads.values():
        del compiled.library._jitscope_record  # as if an older jitscope had written the entry
    last(1)
    replaced.py_func.__code__ = replaced.py_func.__code__.replace(co_name="replaced")
    defaulted.py_func.__defaults__ = (5,)
    globals()["LATER"] = 1
    typed._compiler.locals["r"] = types.complex128
    is_asked.append(True)
    print("ready", flush=True)
    while True:
        assert [each(1) for each in functions] == [2] * len(functions)
        last(1)
        time.sleep(0.02)


main()
