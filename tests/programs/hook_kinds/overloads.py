"""Implementations that Numba chooses by type, and what emits its own code."""

from numba import njit, types
from numba.extending import intrinsic

from tests.programs.hook_kinds.standins import IS_INTERPRETED, array, overload, overload_method


@njit(debug=True)
def measured(x):
    m = magnitude(x)
    t = twice(m)
    return t + 1


@njit(debug=True)
def spreading(a):
    s = a.spread()
    return s + magnitude(s)


def magnitude(x):
    return abs(x)


@overload(magnitude)
def magnitude_of(x):
    def measure(x):
        size = x * x
        return size

    return measure


@overload_method(types.Array, "spread")
def spread_of(a):
    def spread(a):
        low = a[0]
        high = a[-1]
        return high - low

    return spread


if IS_INTERPRETED:

    def python_twice(x):
        return x + x

    twice = python_twice

else:

    @intrinsic
    def twice(typingctx, x):
        def codegen(context, builder, sig, args):
            return builder.fadd(args[0], args[0])

        return x(x), codegen


CALLS = [lambda: measured(7.0), lambda: spreading(array(4))]
