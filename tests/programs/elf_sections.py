"""The bytes of compiled code, as the objects have them that Numba's libraries are made into: 64-bit, little-endian ELF."""

import struct
from collections.abc import Iterator

# Names with numbers that count all functions of the process are in .lrodata.
CONSTANTS = (".rodata", ".lrodata.")
CODE = (".text", ".ltext", *CONSTANTS)
_SYMBOLS, _FUNCTION = 2, 2  # SHT_SYMTAB, STT_FUNC


def _headers(code: bytes) -> list[tuple[int, ...]]:
    """Return name, type, flags, address, offset, size and link of each section."""
    (offset,) = struct.unpack_from("<Q", code, 40)
    size, count = struct.unpack_from("<2H", code, 58)
    return [struct.unpack_from("<IIQQQQI", code, offset + size * each) for each in range(count)]


def _text(code: bytes, at: int) -> str:
    return code[at : code.index(b"\0", at)].decode()


def sections(code: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each section."""
    headers = _headers(code)
    (names,) = struct.unpack_from("<H", code, 62)
    for name, _, _, _, at, length, _ in headers:
        yield _text(code, headers[names][4] + name), code[at : at + length]


def functions(code: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the symbol and the bytes of each function."""
    headers = _headers(code)
    for _, kind, _, _, at, length, link in headers:
        for entry in range(at, at + length, 24) if kind == _SYMBOLS else ():
            name, info, _, section, value, size = struct.unpack_from("<IBBHQQ", code, entry)
            if info & 15 == _FUNCTION and 0 < section < len(headers):
                begin = headers[section][4] + value
                yield _text(code, headers[link][4] + name), code[begin : begin + size]
