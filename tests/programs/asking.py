from numba import njit

import jitscope


@njit(debug=True)
def foo(n):
    total = 0
    for i in range(n):
        jitscope.breakpoint_if(i == 613)  # at: if
        total += i
    return total


jitscope.attach("-batch", "-ex", "info locals", "-ex", "jit bt", stop=False)
print(foo(1000))
