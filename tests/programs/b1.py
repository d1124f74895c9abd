import numba
from numba import njit


@njit(debug=True)
def foo(a):
    b = a + 1
    numba.gdb()  # at: gdb
    c = a * 2.34  # at: after
    numba.gdb_breakpoint()  # at: second
    d = (a, b, c)
    print(a, b, c, d)


foo.compile("(int64,)")
print("call", flush=True)
foo(123)  # at: call
