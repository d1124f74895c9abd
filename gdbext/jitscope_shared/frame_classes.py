"""The class of a native frame. A Python programmer does not want to see those of the interpreter, the dispatcher and
the pools."""

from __future__ import annotations

import os

from .base import native

# js_frame_class of stacks/folding.h, in its order.
CLASSES = USER, EVALUATION, INTERPRETER, DISPATCHER, POOL, RUNTIME = (
    "native", "evaluation", "interpreter", "dispatcher", "pool", "runtime",
)  # fmt: skip


def class_of(path: str | None, name: str | None) -> str:
    """Return the class of a frame of this file and function; each is None where it is not known."""
    encoded = None if path is None else os.fsencode(path)
    return CLASSES[native.library.js_frame_classify(encoded, None if name is None else name.encode())]


def is_asking_file(path: str) -> bool:
    """True for the file of a Python function that asks for a stop on behalf of its caller."""
    return bool(native.library.js_frame_asks(os.fsencode(path)))


def is_asking_function(name: str) -> bool:
    """True for a compiled function that does, which is made for an interpreted call."""
    return bool(native.library.js_numba_asks(name.encode()))


def layer_of(path: str | None) -> str | None:
    """Return the threading layer that the code of this file belongs to, or None."""
    if path is None:
        return None
    found = native.library.js_numba_layer(os.fsencode(path))
    return None if found is None else str(found.decode())
