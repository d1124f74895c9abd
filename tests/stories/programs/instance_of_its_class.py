r"""
report: numba/numba#10292
what: An instance made by another instance's __class__ has no data, and printing an attribute ends the program.
then: jit bt
cause: NULL|never set|no data
never: outside axis
"""

import numba as nb
from numba.experimental import jitclass


@jitclass([("rate", nb.float64)])
class Rate:
    def __init__(self):
        self.rate = 1.0


first = Rate()
second = first.__class__()
second.rate = 5
print(second.rate)
