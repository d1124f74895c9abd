"""A function and a method of one's own with overload, and an intrinsic."""

import numpy as np
from numba import njit, types
from numba.core import errors
from numba.extending import intrinsic, overload, overload_method, register_jitable


def spread(a):
    return a.max() - a.min() if isinstance(a, np.ndarray) else 0.0


@overload(spread)
def _spread(a):
    if isinstance(a, types.Array):

        def of_array(a):
            low = high = a[0]
            for x in a:
                low = min(low, x)
                high = max(high, x)
            return high - low

        return of_array
    if isinstance(a, types.Number):
        return lambda a: 0.0
    raise errors.TypingError("spread of what?")


@overload_method(types.Array, "second")
def _second(a):
    def second(a):
        if a.size < 2:
            raise IndexError("no second")
        return a.flat[1]

    return second


@intrinsic
def rotated(typingctx, x):
    def codegen(context, builder, signature, args):
        (value,) = args
        return builder.or_(builder.shl(value, value.type(3)), builder.lshr(value, value.type(value.type.width - 3)))

    return x(x), codegen


@register_jitable
def helper(x, y=2):
    z = x * y
    return z + 1


@njit(debug=True)
def uses(a, n):
    total = spread(a) + spread(3)
    k = 1
    for i in range(n):
        k = rotated(k) + helper(i)
        total += helper(total, 3) if i % 2 else a.second()
    return total, k


CALLS = [
    lambda: uses(np.array([3.0, 1.0, 8.0]), 40),
    lambda: uses(np.array([3.0]), 1),
    lambda: uses(np.array([3.0]), 0),
]
