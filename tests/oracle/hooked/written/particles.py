"""A jitclass whose methods call each other."""

import numpy as np
from numba import float64, int64, njit
from numba.experimental import jitclass


@jitclass([("x", float64[:]), ("v", float64[:]), ("turns", int64)])
class Particles:
    def __init__(self, n):
        self.x = np.linspace(0.0, 1.0, n)
        self.v = np.ones(n)
        self.turns = 0

    def bounce(self, i):
        if self.x[i] > 1.0:
            self.x[i] = 2.0 - self.x[i]
            self.v[i] = -self.v[i]

    def step(self, dt):
        for i in range(self.x.shape[0]):
            self.x[i] += dt * self.v[i]
            self.bounce(i)
        self.turns += 1


@njit(debug=True)
def simulate(n, turns):
    p = Particles(n)
    for t in range(turns):
        p.step(0.25)
        energy = (p.v**2).sum()
    return p.x.sum() + energy, p.turns


CALLS = [lambda: simulate(3, 2)]
