"""Numba and another JIT in one process: the other describes its function by libjitscope.so, loaded by ctypes."""

import ctypes
import mmap
import sys

from numba import njit

ARGUMENT, STATEMENT, BODY, FRAME_POINTER, IN_REGISTER, AT_FRAME = 1, 1, 2, 1, 1, 3  # jitscope.h
CODE = bytes.fromhex("55 4889e5 48897df8 4801ff 4889f8 5d c3")  # push, mov, mov %rdi,-8(%rbp), add, mov, pop, ret


class Location(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64), ("kind", ctypes.c_uint32)]
    _fields_ += [("reg", ctypes.c_uint32), ("offset", ctypes.c_int64)]


class Variable(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("type", ctypes.c_char_p), ("line", ctypes.c_uint32)]
    _fields_ += [("flags", ctypes.c_uint32), ("locations", ctypes.POINTER(Location))]
    _fields_ += [("nlocations", ctypes.c_uint32), ("location_size", ctypes.c_uint32)]


class Line(ctypes.Structure):
    _fields_ = [("address", ctypes.c_uint64), ("file", ctypes.c_char_p), ("line", ctypes.c_uint32)]
    _fields_ += [("flags", ctypes.c_uint32)]


class Function(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("kind", ctypes.c_uint32), ("low", ctypes.c_uint64)]
    _fields_ += [("high", ctypes.c_uint64)]
    _fields_ += [
        (name, ctypes.c_char_p) for name in ("name", "linkage_name", "signature", "file", "directory", "result")
    ]
    _fields_ += [("line", ctypes.c_uint32), ("unwind", ctypes.c_uint32), ("eh_frame", ctypes.c_void_p)]
    _fields_ += [("eh_frame_size", ctypes.c_uint64), ("variables", ctypes.POINTER(Variable))]
    _fields_ += [("nvariables", ctypes.c_uint32), ("variable_size", ctypes.c_uint32)]
    _fields_ += [("lines", ctypes.POINTER(Line)), ("nlines", ctypes.c_uint32), ("line_size", ctypes.c_uint32)]


@njit(debug=True)
def foo(a):
    b = a + 1
    return b  # at: foo


def register(library, low):
    """`twice`, whose source is this file."""
    lines = (Line * 2)(Line(low, None, 60, STATEMENT), Line(low + 8, None, 61, STATEMENT | BODY))
    places = (Location * 2)(
        Location(low, low + 8, IN_REGISTER, 5, 0), Location(low + 8, low + len(CODE) - 1, AT_FRAME, 0, -24)
    )
    variables = (Variable * 1)(Variable(b"x", b"int64", 60, ARGUMENT, places, 2, 0))
    function = Function(ctypes.sizeof(Function), 0, low, low + len(CODE), b"twice", None, b"(int64)", __file__.encode())
    function.line, function.unwind, function.result = 60, FRAME_POINTER, b"int64"
    function.variables, function.nvariables, function.variable_size = variables, 1, ctypes.sizeof(Variable)
    function.lines, function.nlines, function.line_size = lines, 2, ctypes.sizeof(Line)
    handle = ctypes.c_uint64()
    assert library.jitscope_function_register(ctypes.byref(function), ctypes.byref(handle)) == 0
    return handle


# def twice(x):
#     return x + x


print(foo(1), flush=True)
page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(CODE)
address = ctypes.addressof(ctypes.c_char.from_buffer(page))
library = ctypes.CDLL(sys.argv[1])
handle = register(library, address)
twice = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(address)
print(twice(21), flush=True)  # at: twice
print(foo(5), flush=True)
library.jitscope_function_unregister(handle)
print(foo(2.5), flush=True)
