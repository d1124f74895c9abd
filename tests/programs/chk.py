from numba import njit


@njit(debug=True)
def foo(a):
    b = a + 1
    c = a * 2.34  # at: stop
    d = (a, b, c)
    print(a, b, c, d)  # at: print


r = foo(123)  # at: call
