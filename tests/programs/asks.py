import sys

from numba import jit, njit, prange

import jitscope


@njit(debug=True)
def compiled(a):
    b = a + 1
    jitscope.attach()  # at: attach
    c = a * 2.34  # at: after
    jitscope.breakpoint()  # at: second
    for i in range(1000):
        jitscope.breakpoint_if(i == 613)  # at: if
        c += i
    return b + c


@jit(forceobj=True, debug=True)
def objects(a):
    b = [a, None]
    jitscope.attach()  # at: objects
    for _ in range(2):  # at: loop
        b.append(str(a))  # at: lifted
    jitscope.breakpoint()  # at: object again
    return b  # at: returned


def interpreted(a):
    b = a + 1
    jitscope.attach()  # at: interpreted
    jitscope.attach()  # at: again
    return b


@njit(debug=True, parallel=True)
def parallel(n):
    counter = 0
    for i in prange(n):
        if i > 3 and i < 6:
            jitscope.attach()  # at: parallel
        counter += i
    return counter


def main():
    ask = {"compiled": compiled, "objects": objects, "interpreted": interpreted, "parallel": parallel}[sys.argv[1]]
    if hasattr(ask, "compile") and ask is not objects:
        ask.compile("(int64,)")
    print("call", flush=True)
    print(f"result {ask(int(sys.argv[2]))}", flush=True)  # at: main


main()  # at: module
