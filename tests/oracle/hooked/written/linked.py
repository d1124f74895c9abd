"""A list of nodes that are linked (a jitclass of itself), and a structref."""

import numpy as np
from numba import deferred_type, int64, njit, optional, types
from numba.experimental import jitclass, structref

kind = deferred_type()


@jitclass([("value", int64), ("next", optional(kind))])
class Node:
    def __init__(self, value):
        self.value = value
        self.next = None


kind.define(Node.class_type.instance_type)


@njit(debug=True)
def chain(n):
    head = Node(0)
    tail = head
    for i in range(1, n):
        node = Node(i)
        tail.next = node
        tail = node
    total = 0
    at = head
    while at.next is not None:
        total += at.value
        following = at.next
        at = following
    return total + at.value


@structref.register
class PairType(types.StructRef):
    def preprocess_fields(self, fields):
        return tuple((name, types.unliteral(of)) for name, of in fields)


class Pair(structref.StructRefProxy):
    def __new__(cls, a, b):
        return structref.StructRefProxy.__new__(cls, a, b)


structref.define_proxy(Pair, PairType, ["a", "b"])


@njit(debug=True)
def pairs(n):
    p = Pair(1, np.zeros(3))
    q = p
    for i in range(n):
        q.a += i
        p.b[i % 3] += p.a
        if i == 4:
            q = Pair(100, p.b)
    return p.a, q.a, q.b


CALLS = [lambda: chain(7), lambda: chain(1), lambda: pairs(8), lambda: pairs(0)]
