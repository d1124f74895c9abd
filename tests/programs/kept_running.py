import time

from numba import njit

import jitscope


@njit(debug=True)
def foo(a):
    jitscope.breakpoint()
    return a + 1


foo(1)
jitscope.attach()
print("waiting", flush=True)
for _ in range(30):
    time.sleep(0.1)


@njit(debug=True)
def late(a):
    return foo(a) * 2


print(f"result {late(20)}", flush=True)
