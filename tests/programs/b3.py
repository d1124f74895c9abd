from numba import njit

import jitscope


@njit(debug=True)
def foo(n):
    total = 0
    for i in range(n):
        jitscope.breakpoint_if(i == 613)  # at: if
        total += i
    return total


foo.compile("(int64,)")
print("call", flush=True)
jitscope.attach(stop=False)
print(f"result {foo(1000)}", flush=True)
