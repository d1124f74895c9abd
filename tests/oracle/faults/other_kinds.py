"""Functions with faults of other kinds, which follow those of programs.py: an unsigned index, and an array that is
longer than its memory."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

from tests.oracle.faults.programs import Fault

_HEAD = '''\
import ctypes
import mmap

from numba import carray, cfunc, farray, types
from numba.extending import intrinsic

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
PAGE, AFTER = mmap.PAGESIZE, 64


def memory(pages, end):
    """Return the address of the pages; `end`: what their end is."""
    address = libc.mmap(None, (pages + AFTER) * PAGE, 3, 0x22, -1, 0)
    kept.append(address)
    past = address + pages * PAGE
    if end == "unmapped":
        libc.munmap(past, AFTER * PAGE)
    elif end == "gone":
        libc.mprotect(address, (pages + AFTER) * PAGE, 0)
    else:
        libc.mprotect(past, AFTER * PAGE, {"protected": 0, "read-only": 1}[end])
    return address


@intrinsic
def pointer_of(typing, address):
    def make(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], context.get_value_type(types.voidptr))

    return types.voidptr(types.intp), make


def attempt_short(name, function, pages, end, offset, *arguments):
    """Call a function with memory that ends within its array. What it needs is compiled before."""
    is_callback = hasattr(function, "ctypes")
    call = function.ctypes if is_callback else function
    whole = memory(1000, "protected")
    call(whole, *arguments)
    address = memory(pages, end) + offset
    try:
        if call(address, *arguments) == 0 and is_callback:
            return
    except SystemError:
        return
    print("no fault in", name, flush=True)


def attempt_unsigned(name, function, index_of, arguments, indices):
    """Call a function, and say which index it uses."""
    print(name, "has index", index_of(*indices), flush=True)
    attempt(name, function, *arguments, *indices)
'''
_NAMES = ("a", "b", "view", "samples", "values")
_LIMIT = 1 << 64


class _Made(NamedTuple):
    text: str
    access: str  # begins the line of the fault
    call: str
    fault: Callable[[int], Fault]  # gets the line


def program(seed: int, functions: int, lines: int) -> tuple[str, list[Fault]]:
    """Return the text that follows a program with this number of lines, and its faults in their order."""
    chance = random.Random(f"other kinds {seed}")
    text, calls = _HEAD, ""
    faults = []
    for number in range(functions):
        made = (_unsigned if chance.random() < 0.5 else _short)(chance, number)
        line = lines + text.count("\n") + 3
        line += next(n for n, each in enumerate(made.text.splitlines()) if made.access in each)
        text += f"\n\n{made.text}"
        calls += made.call
        faults.append(made.fault(line))
    return f"{text}\n\n{calls}", faults


# -- unsigned indices


def _unsigned(chance: random.Random, number: int) -> _Made:
    name, array, other = f"unsigned{number}", f"{chance.choice(_NAMES)}{number}", f"more{number}"
    kind = chance.choice(("uint64", "uint64", "uint32"))
    expression = chance.choice(("-i", "-i", "i - k", "-i - k", "i * k", "k * -i", "i", "i + k"))
    shape = tuple(chance.randint(12, 40) for _ in range(chance.choice((1, 1, 2))))
    values = _unsigned_values(chance, kind)
    axis = chance.randrange(len(shape))
    place = chance.choice(("1", "q"))
    used, before = expression, ""
    if chance.random() < 0.3:
        used, before = "at", f"at = {expression}"
    index = ", ".join(used if n == axis else place for n in range(len(shape)))
    read = f"{array}[{index}]"
    access = chance.choice((f"total += {read} + {other}[q]", f"{read} = {other}[q]", f"total += {other}[q] * {read}"))
    body = [*([before] if before else []), "total = 0.0"]
    body += (
        ["for q in range(2):", f"    {access}", "    total += q"]
        if chance.random() < 0.5
        else [f"q = {chance.randint(0, 3)}", access]
    )
    definition = [f"def {name}({array}, {other}, i, k):", *(f"    {each}" for each in (*body, "return total"))]
    probe = f"@njit\ndef {name}_index(i, k):\n    return {expression}\n"
    text = "@njit\n" + "\n".join(definition) + f"\n\n\n{probe}"
    item = chance.choice(("f8", "f4", "i8", "u1", "u2"))
    given = f"(np.ones({shape}, {item!r}), np.ones(9))"
    call = (
        f'attempt_unsigned("{name}", {name}, {name}_index, {given}, (np.{kind}({values[0]}), np.{kind}({values[1]})))\n'
    )
    return _Made(text, access, call, lambda line: Fault(name, line, array, axis, None, shape[axis], None))


def _unsigned_values(chance: random.Random, kind: str) -> tuple[int, int]:
    if kind == "uint32":
        return chance.choice((7 * 10**8, 1 << 31, 10**9 + 7)), chance.choice((2, 3, 10**9))
    large = chance.choice((10**9, 10**10, 2**40 + 3, 2**63 + 10**9, 2**61 + 10**9, chance.randrange(1, _LIMIT)))
    return large, chance.choice((1, 3, 10**11))


# -- arrays that are longer than their memory


def _short(chance: random.Random, number: int) -> _Made:
    name, array = f"short{number}", f"{chance.choice(_NAMES)}{number}"
    item, size = chance.choice((("float64", 8), ("float32", 4), ("int32", 4), ("uint8", 1), ("int16", 2)))
    pages, offset = chance.randint(1, 3), chance.choice((0, 0, 8, 64, 1000)) // 8 * 8
    end = chance.choice(("protected", "protected", "unmapped", "read-only", "gone"))
    count = (4096 * pages - offset) // size  # elements that have memory
    is_fortran = chance.random() < 0.5
    if chance.random() < 0.6:
        shape: tuple[int, ...] = (count + chance.randint(1, 2000),)
        axes = ["i"]
    else:
        rows = chance.randint(20, 60)
        shape = (rows, count // rows + chance.randint(2, 30))
        axes = ["i", "j"]
    flat = chance.randint(count, _product(shape) - 1)
    if (is_loop := len(shape) == 1 and chance.random() < 0.5) or end == "gone":
        flat = count
    flat = 0 if end == "gone" and is_loop else flat
    element = _element(flat, shape, is_fortran)
    maker = "farray" if is_fortran else "carray"
    indices = ["q"] if is_loop else axes
    read = f"{array}[{', '.join(indices)}]"
    is_helper = not is_loop and end != "read-only" and chance.random() < 0.3
    if end == "read-only":
        access = f"{read} = 3"
    else:
        first = f"{array}[{', '.join('0' * len(axes))}]"
        access = f"total += {read}" + chance.choice(
            ("", f" + {first}", " * 2", " + more[3]", f" * more[{indices[0]} % 9]")
        )
    dimensions = ", ".join(map(str, shape))
    shown = array
    loop = f"for q in range({shape[0]}):" if is_loop else "for n in range(2):"
    body = ["total = 0.0", "more = np.ones(9)", loop, f"    {access}", "    total += 1.0"]
    text = ""
    if is_helper:
        shown = f"given{number}"
        access = f"return {read.replace(array, shown)} * 2"
        text = f"@njit\ndef pick{number}({', '.join([shown, *axes])}):\n    {access}\n\n\n"
        body[3] = f"    total += pick{number}({', '.join([array, *axes])})"
    parameters = "address, i, j"
    whole = (*element, 0)[:2]
    is_callback = chance.random() < 0.4
    view = f"{array} = {maker}({'address' if is_callback else 'pointer_of(address)'}, ({dimensions},), np.{item})"
    if is_callback:
        text += f"@cfunc(types.intp(types.voidptr, types.intp, types.intp))\ndef {name}({parameters}):\n"
    else:
        text += f"@njit\ndef {name}_inner({parameters}):\n"
    returned = "return int(total) + 7" if is_callback else "return total"
    text += "".join(f"    {each}\n" for each in (view, *body, returned))
    if not is_callback:
        text += f"\n\n@njit\ndef {name}({parameters}):\n    return {name}_inner({parameters}) + 1.0\n"
    call = f'attempt_short("{name}", {name}, {pages}, "{end}", {offset}, {whole[0]}, {whole[1]})\n'
    memory = {"protected": str(count), "unmapped": str(count), "read-only": "read-only", "gone": ""}[end]
    return _Made(
        text, access, call, lambda line: Fault(name, line, shown, 0, None, _product(shape), None, (element, memory))
    )


def _product(shape: tuple[int, ...]) -> int:
    return shape[0] * (shape[1] if len(shape) > 1 else 1)


def _element(flat: int, shape: tuple[int, ...], is_fortran: bool) -> tuple[int, ...]:
    if len(shape) == 1:
        return (flat,)
    return (flat % shape[0], flat // shape[0]) if is_fortran else (flat // shape[1], flat % shape[1])
