"""Object mode: what each variable refers to; Python says how it reads."""

import dataclasses
import datetime

import numba
import numpy as np


class Foo:
    def __init__(self):
        self.x = 1


@dataclasses.dataclass
class Item:
    name: str
    price: float = 0.1


@numba.jit(forceobj=True, debug=True, looplift=False)
def loose(a, d, s):
    b = [a, "x"]
    c = {"k": b, 2: d}
    f = Foo()
    big = 2**100
    array = np.arange(4).reshape(2, 2)
    empty = set()
    many = {1: (True, False, None), "é": b"\xff", 2.5: 1j}
    item = Item("é")
    when = datetime.datetime(2020, 1, 2, 3, 4)
    half = np.float32(0.5)
    bad = ValueError("no", 1)
    typed = numba.typed.List([1.5, 2.5])
    n = len(b)
    n = n + 1.5
    for i in range(3):
        t = i * 2
    say(b=b, c=c, f=f, big=big, array=array, empty=empty, many=many, n=n, t=t, s=s)
    say(item=item, when=when, half=half.item(), bad=bad, typed=typed)
    here = 0  # at: here
    return a, b, c, d, f, big, array, empty, many, n, t, s, item, when, half, bad, typed, here


def say(**values):
    for name, value in values.items():
        print("EXPECT", name, ascii(repr(value)), flush=True)


if __name__ == "__main__":
    for argument in (3, "three"):
        loose(argument, (1, None), {7})
