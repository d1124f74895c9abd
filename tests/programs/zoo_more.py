"""More values, of what programs hold: containers in containers, instances in dicts, optional everything."""

import collections
import enum
import typing

import numba
import numpy as np
from numba import njit, types
from numba.experimental import jitclass, structref
from numba.typed import Dict, List


class Side(enum.IntEnum):
    LEFT = -1
    RIGHT = 1


class Level(enum.Enum):
    LOW = 1.5
    HIGH = 2.5


class Tree(typing.NamedTuple):
    depth: int
    leaves: tuple


Edge = collections.namedtuple("Edge", ["source", "target", "weight"])

pairs = types.UniTuple(types.float64, 2)


@jitclass
class Particle:
    position: pairs
    mass: types.float32
    tags: types.ListType(types.unicode_type)
    alive: types.boolean

    def __init__(self, x, mass):
        self.position = (x, -x)
        self.mass = mass
        self.tags = List.empty_list(types.unicode_type)
        self.tags.append("new")
        self.alive = x > 0


@jitclass
class World:
    particles: types.ListType(Particle.class_type.instance_type)
    names: types.DictType(types.unicode_type, types.int64)
    best: types.optional(types.float64)
    grid: types.Array(types.int16, 2, "C")

    def __init__(self):
        self.particles = List.empty_list(particle_type)
        self.names = Dict.empty(types.unicode_type, types.int64)
        self.names["a"] = 1
        self.best = None
        self.grid = np.zeros((2, 2), np.int16)


particle_type = Particle.class_type.instance_type


@structref.register
class NodeType(types.StructRef):
    def preprocess_fields(self, fields):
        return tuple((name, types.unliteral(kind)) for name, kind in fields)


class Node(structref.StructRefProxy):
    def __new__(cls, *args):
        return structref.StructRefProxy.__new__(cls, *args)


structref.define_proxy(Node, NodeType, ["label", "children", "at"])


@njit(debug=True)
def inspect(thing):
    kept = thing
    return 1  # at: inspect


@njit
def grow(world, count):
    for i in range(count):
        world.particles.append(Particle(float(i), 0.5))
        world.names[str(i)] = i * i
    world.best = 2.5
    world.grid[1, 0] = -7


link_type = numba.deferred_type()


@jitclass
class Link:
    value: types.int64
    after: types.optional(link_type)

    def __init__(self, value):
        self.value = value
        self.after = None


link_type.define(Link.class_type.instance_type)


def chain():
    made = Link(1)
    made.after = Link(2)
    return made


def world_of(count):
    made = World()
    grow(made, count)
    return made


def table(kind, value, items):
    made = Dict.empty(kind, value)
    for key, item in items:
        made[key] = item
    return made


def churned():
    made = Dict.empty(types.int64, types.int64)
    for i in range(1000):
        made[i] = i
    for i in range(990):
        made.pop(i)
    for i in range(3):
        made[-i] = i
    return made


def popped():
    made = List(range(100))
    for _ in range(95):
        made.pop()
    made.insert(0, -1)
    return made


def particle(x):
    made = Particle(x, 0.25)
    return made


TIMES = np.dtype([("when", "M8[s]"), ("took", "m8[ms]"), ("ok", "?"), ("name", "U4"), ("at", "f4", (3,))])


def events():
    made = np.zeros(2, TIMES)
    made[0] = (np.datetime64("2021-03-04T05:06:07"), np.timedelta64(12, "ms"), True, "héy", (1, 2, 3))
    return made


P = "Particle(position=(1.5, -1.5), mass=0.25, tags=ListType[unicode_type]([new]), alive=True)"
Q = "Particle(position=({0}, -{0}), mass=0.5, tags=ListType[unicode_type]([new]), alive={1})"
PARTICLES = ", ".join((Q.format("0.0", False), Q.format("1.0", True)))
PARTICLE_NAME = str(particle_type)
NODE = Node("root", List(["x", "y"]), (1, 2))
NODE_SHOWN = "NodeType(label='root', children=ListType[unicode_type]([x, y]), at=(1, 2))"

MORE = [
    (Side.LEFT, None),
    ((Side.RIGHT, 2.5), None),
    (Tree(3, (1.5, "x")), None),
    (Edge(1, 2, 0.5), None),
    ((Edge(1, 2, 3), Edge(4, 5, 6)), None),
    (([1, 2], "x"), None),
    ((np.arange(2), (np.ones(1), {3})), None),
    ((List([1]), table(types.int64, types.boolean, [(1, True)])), None),
    (particle(1.5), P),
    (
        world_of(2),
        "World(particles=ListType["
        + PARTICLE_NAME
        + f"]([{PARTICLES}]), names=DictType[unicode_type,int64]<iv=None>({{a: 1, 0: 0, 1: 1}}), best=2.5, grid=array([[0, 0], [-7, 0]], dtype=int16))",
    ),  # fmt: skip # noqa: E501
    (
        World(),
        f"World(particles=ListType[{PARTICLE_NAME}]([]), names=DictType[unicode_type,int64]<iv=None>({{a: 1}}), best=None, grid=array([[0, 0], [0, 0]], dtype=int16))",
    ),  # fmt: skip # noqa: E501
    (table(types.int64, particle_type, [(7, particle(1.5))]), f"DictType[int64,{PARTICLE_NAME}]<iv=None>({{7: {P}}})"),
    (NODE, NODE_SHOWN),
    (List([NODE]), f"{str(numba.typeof(List([NODE])))}([{NODE_SHOWN}])"),
    (churned(), None),
    (popped(), None),
    (table(types.unicode_type, types.ListType(types.int64), [("a", List([1, 2])), ("", List([3]))]), None),
    (table(pairs, types.unicode_type, [((1.5, 2.0), "é"), ((-0.0, 1.0), "日本")]), None),
    (table(types.UniTuple(types.unicode_type, 2), types.int8, [(("a", "b"), 3)]), None),
    (table(types.boolean, types.float32, [(True, 0.1), (False, 2)]), None),
    (table(types.int64, types.Array(types.float64, 2, "C"), [(1, np.eye(2))]), None),
    (table(types.float64, types.complex128, [(1.5, 2j)]), None),
    (List([List([List([1])])]), None),
    (List([(True, "x", 1.5), (False, "", -1.0)]), None),
    (List(["😀", "日本"]), None),
    (List(["\n\x1b", "a\\b"]), "ListType[unicode_type]([\\n\\x1b, a\\b])"),
    (List([np.uint8(200)]), None),
    (List([b"ab", b"cd"]), None),
    ([True, False], None),
    ([(1, ("a", 2.5))], None),
    ({(1, 2)}, None),
    (events(), None),
    (events()[0:1], None),
    (np.arange(24).reshape(2, 3, 4), None),
    (np.asfortranarray(np.arange(6.0).reshape(2, 3)), None),
    (np.arange(10)[::-3], None),
    (np.array([1.5, np.nan, -np.inf]), None),
    (np.array([1 + 2j, -1j], "c8"), None),
    (np.array([], "i4"), None),
    (np.array([5, -3], "m8[h]"), None),
    (np.array(["é", ""]), None),
    (np.array([[True], [False]]), None),
    (np.zeros((3, 0, 2)), None),
    (np.array([255, 0], "u1"), None),
    ("a" * 300, "'" + "a" * 200 + "'..."),
    ('it\'s "quoted" \\ \u200b', None),
    (bytearray(b"'\"\x00"), None),
    (float("-inf"), None),
    (5e-324, None),
    (-(2**63), None),
    (np.float32(1e10), "10000000000.0"),
    (complex(-0.0, float("nan")), None),
    (slice(None, None, -1), None),
    (slice(2, None), None),
    (chain(), "Link(value=1, after=Link(value=2, after=None))"),
    (Level.HIGH, None),
    (grow, None),
    (np.dtype("int32"), None),
]


def main():
    for value, shown in MORE:
        print("EXPECT", ascii(repr(value) if shown is None else shown), flush=True)
        inspect(value)


if __name__ == "__main__":
    main()
