import numba

import jitscope


class Walker:
    def inner(self, v):
        jitscope.breakpoint_if(v == 4)  # at: inner
        w = v
        return w

    def go(self, x):
        y = x * 2
        numba.gdb_breakpoint()  # at: numba
        return [self.inner(v) for v in (y,)]  # at: call


def main():
    n = 1
    jitscope.breakpoint()  # at: main
    return Walker().go(n + 1)  # at: walk


print(main())  # at: module
