"""Functions whose names or files are shared."""

import first.same
import parts
import second.same
from numba import njit


@njit(debug=True)
def foo(a):
    c = a + 7  # at: own
    return c


print("own", foo(1))
print("calls", parts.calls(3))
print("foo", parts.foo(5))
print("inner", parts.outer(3)(4))
print("add", parts.Counter(4).add(5))
print("consumes", parts.consumes(3))
print("counting", list(parts.counting(2)))
print("wrapped", parts.wrapped(2))
print("shared", first.same.shared(1), second.same.shared(1))


@njit(debug=True)
def foo(a):
    c = a + 8  # at: again
    return c


print("again", foo(1))
