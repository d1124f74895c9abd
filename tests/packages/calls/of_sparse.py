"""Operations on sparse's COO and GCXS arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import sparse


def dense(dtype: str, *shape: int) -> np.ndarray:
    """Return an array, a third of whose elements are not zero."""
    random = np.random.default_rng(5)
    found = (random.normal(size=shape) * 10).astype(dtype)
    found[random.random(shape) < 0.67] = 0
    return found


def in_numba() -> dict[str, Callable[[], Any]]:
    """Return compiled code that takes and gives COO arrays."""
    import numba

    @numba.njit
    def unpack(array: Any) -> Any:
        return array.coords, array.data, array.shape, array.fill_value

    @numba.njit
    def pack(coords: Any, data: Any, shape: Any) -> Any:
        return sparse.COO(coords, data, shape)

    array = sparse.COO(dense("float64", 3, 4))
    return {"unpack": partial(unpack, array), "pack": partial(pack, array.coords, array.data, array.shape)}


def calls() -> Iterator[tuple[str, Callable[[], Any]]]:
    for dtype in ("float64", "int64"):
        whole, right, cube = dense(dtype, 6, 5), dense(dtype, 5, 4), dense(dtype, 3, 4, 5)
        for kind in (sparse.COO, sparse.GCXS):
            made = kind.from_numpy
            a, b, c = made(whole), made(right), made(cube)
            steps: dict[str, Callable[[], Any]] = {
                "from_numpy": partial(made, cube),
                "matmul sparse": lambda: a @ b,
                "matmul right": lambda: a @ right,
                "matmul left": lambda: whole @ b,
                "matmul stack": lambda: c @ b,
                "matmul wrong": lambda: a @ a,
                "dot vector": lambda: sparse.dot(a, right[:, 0]),
                "tensordot": lambda: sparse.tensordot(c, c, axes=([1, 2], [1, 2])),
                "einsum": lambda: sparse.einsum("ij,jk->ik", a, b),
                "kron": lambda: sparse.kron(a, b),
                "add": lambda: a + a * 2,
                "multiply broadcast": lambda: c * c[0],
                "subtract dense": lambda: a - 3.5 * whole,
                "greater": lambda: a > 0,
                "sum": lambda: c.sum(axis=1),
                "sum all": lambda: c.sum(),
                "prod": lambda: c.prod(axis=(0, 2)),
                "max": lambda: c.max(axis=0),
                "mean": lambda: c.mean(axis=2),
                "std": lambda: sparse.std(c, axis=0),
                "index row": lambda: c[1],
                "index number": lambda: c[1, 2, 3],
                "index slice": lambda: c[::2, 1:3, ::-1],
                "index list": lambda: c[[0, 2]],
                "index lists": lambda: c[[0, 2], [1, 3]],
                "index last": lambda: c[..., [0, 3]],
                "index none": lambda: c[:, None, 2:4],
                "index wrong": lambda: c[7],
                "reshape": lambda: c.reshape((6, 10)),
                "reshape wrong": lambda: c.reshape((7, 10)),
                "transpose": lambda: c.transpose((2, 0, 1)),
                "concatenate": lambda: sparse.concatenate([a, a], axis=1),
                "stack": lambda: sparse.stack([a, a], axis=1),
                "todense": lambda: c.todense(),
                "pad": lambda: sparse.pad(a, 2),
                "broadcast_to": lambda: sparse.broadcast_to(a, (2, 6, 5)),
            }
            for name, call in steps.items():
                yield f"{kind.__name__}.{name} {dtype}", call
        a, c = sparse.COO(whole), sparse.COO(cube)
        more: dict[str, Callable[[], Any]] = {
            "diagonal": lambda: sparse.diagonal(c, offset=1),
            "diagonalize": lambda: sparse.diagonalize(a),
            "sort": lambda: sparse.sort(c, axis=1),
            "sort down": lambda: sparse.sort(c, axis=-1, descending=True),
            "argmax": lambda: sparse.argmax(c, axis=1),
            "argmin": lambda: sparse.argmin(c, axis=2, keepdims=True),
            "unique_values": lambda: sparse.unique_values(c),
            "unique_counts": lambda: sparse.unique_counts(c),
            "take": lambda: sparse.take(c, np.array([1, 3]), axis=1),
            "roll": lambda: sparse.roll(c, 2, axis=1),
            "tril": lambda: sparse.tril(c),
            "where": lambda: sparse.where(c > 0, c, 2 * c),
            "nansum": lambda: sparse.nansum(c, axis=0),
            "flip": lambda: sparse.flip(c, axis=1),
            "outer": lambda: sparse.outer(a[0], a[1]),
            "asformat": lambda: c.asformat("gcxs", compressed_axes=(1,)),
            "change_compressed_axes": lambda: sparse.GCXS(c).change_compressed_axes((2,)),
            "clip": lambda: sparse.clip(a, -1, 4),
            "interp": lambda: sparse.interp(a, [-1.0, 0.0, 2.0], [0.0, 1.0, 5.0]),
            "vecdot": lambda: sparse.vecdot(a, a),
            "DOK": lambda: sparse.DOK(c)[1, 2:4, 3].to_coo(),
            "repeat": lambda: sparse.repeat(a, 2, axis=0),
        }
        for name, call in more.items():
            yield f"{name} {dtype}", call
    for size, density in ((30, 0.1), (30, 0.7)):
        yield f"random {density}", partial(sparse.random, (size, size), density=density, random_state=3)
    for name, call in in_numba().items():
        yield f"COO.{name}", call
