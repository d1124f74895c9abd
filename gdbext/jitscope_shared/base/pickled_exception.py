"""The exception of a compiled `raise`, which Numba pickles at compilation: (type, arguments, (function, file, line)).
The opcodes are read, and none of them is executed."""

from __future__ import annotations

import builtins
import pickletools
from typing import Any

_STEPS = 10000  # opcodes that are read at most
_MARK = object()


class Unknown:
    """A value that is known only when the pickle is executed; shown as an ellipsis."""

    def __repr__(self) -> str:
        return "…"


class Global:
    """A reference to module.name."""

    def __init__(self, module: str, name: str):
        self.module = module
        self.name = name


class Class(Unknown):
    """A user's class that the pickle describes: cloudpickle's _make_skeleton_class(type, name, bases, …)."""

    def __init__(self, name: str, bases: tuple[Any, ...]):
        self.name = name
        self.bases = bases


class Exception_:
    """An exception. `names`: its class's name, then the names of the classes above it as far as they are known."""

    def __init__(self, names: list[str], arguments: tuple[Any, ...] | None, place: tuple[str, int] | None):
        self.names = names
        self.arguments = arguments
        self.place = place  # file and line of the statement; None: it is no statement of the user's

    @property
    def text(self) -> str:
        if self.arguments is None:
            return self.names[0]
        return f"{self.names[0]}({', '.join(map(repr, self.arguments))})"

    def is_a(self, name: str) -> bool:
        return name.rpartition(".")[2] in (known.rpartition(".")[2] for known in self.names)


def read(pickled: bytes) -> Exception_ | None:
    """Return the exception; None if the bytes are no such pickle."""
    try:
        found = _evaluate(pickled)
    except Exception:  # a malformed pickle may raise any exception
        return None
    if not isinstance(found, tuple) or len(found) != 3:
        return None
    kind, arguments, place = found
    names = _names(kind)
    if not names:
        return None
    is_place = isinstance(place, tuple) and len(place) == 3 and isinstance(place[1], str) and isinstance(place[2], int)
    return Exception_(
        names, arguments if isinstance(arguments, tuple) else None, (place[1], place[2]) if is_place else None
    )


def _names(kind: Any) -> list[str]:
    """Return the class's name and the names of the classes above it."""
    if isinstance(kind, Class):
        return [kind.name, *(name for base in kind.bases for name in _names(base))]
    if not isinstance(kind, Global):
        return []
    known = getattr(builtins, kind.name, None) if kind.module == "builtins" else None
    if isinstance(known, type):
        return [each.__name__ for each in known.__mro__ if each is not object]
    return [kind.name]


def _evaluate(pickled: bytes) -> Any:
    """Evaluate the pickle symbolically: a call gives Unknown, except a call that makes a class."""
    stack: list[Any] = []
    memo: dict[int, Any] = {}
    value: Any
    for count, (operation, value, _) in enumerate(pickletools.genops(pickled)):
        if count > _STEPS:
            raise ValueError("too long")
        name = operation.name
        if name == "STOP":
            return stack.pop()
        if name in ("PROTO", "FRAME"):
            continue
        if name == "MEMOIZE":
            memo[len(memo)] = stack[-1]
        elif name in ("PUT", "BINPUT", "LONG_BINPUT"):
            memo[int(value)] = stack[-1]
        elif name in ("GET", "BINGET", "LONG_BINGET"):
            stack.append(memo[int(value)])
        elif name == "MARK":
            stack.append(_MARK)
        elif name == "POP":
            stack.pop()
        elif name == "POP_MARK":
            _popped(stack)
        elif name == "DUP":
            stack.append(stack[-1])
        elif name == "GLOBAL":
            stack.append(Global(*str(value).split(" ", 1)))
        elif name == "STACK_GLOBAL":
            attribute, module = stack.pop(), stack.pop()
            stack.append(Global(module, attribute))
        elif name == "TUPLE":
            stack.append(tuple(_popped(stack)))
        elif name in _CONSTANTS:
            stack.append(_CONSTANTS[name])
        elif name in _TUPLES:
            items = [stack.pop() for _ in range(_TUPLES[name])]
            stack.append(tuple(reversed(items)))
        elif name in ("REDUCE", "NEWOBJ"):
            arguments, function = stack.pop(), stack.pop()
            stack.append(_called(function, arguments))
        elif name == "BUILD":
            stack.pop()
        elif name in ("APPENDS", "SETITEMS", "ADDITEMS"):
            _popped(stack)
        elif name in ("APPEND", "SETITEM"):
            del stack[-1 if name == "APPEND" else -2 :]
        elif not operation.stack_before and len(operation.stack_after) == 1:  # numbers, strings, new containers
            stack.append(value if operation.arg is not None else Unknown())
        else:  # other opcodes that make one object of several
            taken = operation.stack_before
            if pickletools.markobject in taken:
                _popped(stack)
                taken = taken[: taken.index(pickletools.markobject)]
            for _ in taken:
                stack.pop()
            stack.extend(Unknown() for _ in operation.stack_after)
    raise ValueError("no end")


_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False, "EMPTY_TUPLE": ()}
_TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}


def _popped(stack: list[Any]) -> list[Any]:
    """Remove and return the items above the last mark; remove the mark, too."""
    items: list[Any] = []
    while (item := stack.pop()) is not _MARK:
        items.append(item)
    return items[::-1]


def _called(function: Any, arguments: Any) -> Any:
    makes_class = isinstance(function, Global) and function.name == "_make_skeleton_class"
    if makes_class and isinstance(arguments, tuple) and len(arguments) > 2 and isinstance(arguments[1], str):
        return Class(arguments[1], arguments[2] if isinstance(arguments[2], tuple) else ())
    return Unknown()
