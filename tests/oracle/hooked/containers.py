"""Programs that also write lists, sets, dicts, records and an object's attributes, at random places in a function."""

from __future__ import annotations

import ast
import random

from .faults import places

BOX = """
@jitclass([("n", int64), ("v", float64[:])])
class Box:
    def __init__(self, n):
        self.n = n
        self.v = np.zeros(2)
"""
BOXES = ["from numba import float64, int64", "from numba.experimental import jitclass", BOX]
PAIR = 'PAIR = np.dtype([("a", np.int64), ("b", np.float64)])'
# For each kind: the lines that the module needs, the statement that makes one, and the statements that use it.
KINDS: tuple[tuple[list[str], str, tuple[str, ...]], ...] = (
    ([], "items = [4, 7]", ("items.append(len(items))", "items[0] += 3", "items[-1] = items[0] * 2")),
    ([], "reals = [0.5]", ("reals.append(reals[0] * 0.5)", "reals[0] = reals[-1] - 1.5")),
    ([], "seen = {5}", ("seen.add(len(seen) * 3)", "seen.discard(5)")),
    ([], "table = {1: 0.5}", ("table[len(table)] = 2.5", "table[1] += 0.25")),
    ([], "nest = [np.zeros(2), np.ones(3)]", ("nest[0][1] += 2.0", "nest[1] = nest[0] + 1.0")),
    ([], "both = (np.zeros(2), [1.5])", ("both[0][0] += 1.0", "both[1][0] = 2.5")),
    ([PAIR], "rec = np.zeros(2, PAIR)", ('rec[0]["a"] += 3', 'rec[1]["b"] = 0.5')),
    (BOXES, "box = Box(3)", ("box.n += 2", "box.v[1] = box.n * 0.5")),
)


def with_containers(text: str, source: random.Random) -> str:
    """Return the program with two of them in one of its functions."""
    tree = ast.parse(text)
    works = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("work")]
    if not works:
        return text
    work, head = source.choice(works), tree.body.index(next(n for n in tree.body if isinstance(n, ast.FunctionDef)))
    for needed, made, done in source.sample(KINDS, 2):
        for line in source.choices(done, k=3):
            block, place = source.choice([*places(work.body, within_try=True)])
            block.insert(place, ast.parse(line).body[0])
        work.body.insert(0, ast.parse(made).body[0])
        tree.body[head:head] = [statement for part in needed for statement in ast.parse(part).body]
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"
