"""Call frame information of a compiled function, as sections of the file that `perf inject` makes of it. Source of the
formats: LSB 5.0, 10.6 (.eh_frame and .eh_frame_hdr); DWARF 5, 6.4; of their places, linux/tools/perf/util/genelf.c."""

from __future__ import annotations

import struct
from typing import NamedTuple

from jitscope.profile.live_names import Rules

PCREL_SDATA4, ABSOLUTE, UDATA4, DATAREL_SDATA4 = 0x1B, 0x00, 0x03, 0x3B  # DW_EH_PE_…
MOST = 1 << 28  # bytes of a function


class Sections(NamedTuple):
    """.eh_frame with .eh_frame_hdr behind it, for code that ends where they begin, up to 8 bytes before."""

    content: bytes
    header_size: int


def aligned(size: int) -> int:
    return (size + 7) & ~7


def _uleb(value: int) -> bytes:
    out = bytearray()
    while True:
        byte, value = value & 0x7F, value >> 7
        out.append(byte | (0x80 if value else 0))
        if not value:
            return bytes(out)


def _sleb(value: int) -> bytes:
    out = bytearray()
    while True:
        byte, value = value & 0x7F, value >> 7
        is_last = (value == 0 and not byte & 0x40) or (value == -1 and byte & 0x40)
        out.append(byte if is_last else byte | 0x80)
        if is_last:
            return bytes(out)


def _entry(content: bytes) -> bytes:
    """Return a CIE or an FDE with its length, padded by DW_CFA_nop."""
    content += bytes(-(len(content) + 4) % 8)
    return struct.pack("=I", len(content)) + content


def _cie(rules: Rules, encoding: int) -> bytes:
    return _entry(
        struct.pack("=IB", 0, 1)
        + b"zR\0"
        + _uleb(rules.code_alignment)
        + _sleb(rules.data_alignment)
        + bytes([rules.return_register])
        + b"\x01"
        + bytes([encoding])
        + rules.initial
    )


def room_for(rules: Rules, size: int) -> int:
    """Return as much as `size` bytes of code take with their sections, or some bytes more."""
    return aligned(size) + 2 * (len(rules.initial) + len(rules.rows)) + 192


def sections(rules: Rules, low: int, size: int, copy: int) -> Sections | None:
    """Return the sections for `size` bytes of code at `low`, where the address `copy` below has the same code with the
    sections behind it; None if a number does not fit, as it does in what a compiler makes.

    There are two FDEs. The address of one is relative to where it stands: libdw asks for places in the file. The other
    has the address `low`: libunwind asks for it, and reads the sections at the addresses of the copy."""
    base = aligned(size)  # from the code to .eh_frame
    skipped, length = rules.low - low, rules.high - rules.low
    if max(size, abs(skipped), length) >= MOST or rules.return_register > 0x7F:
        return None
    relative_cie, absolute_cie = _cie(rules, PCREL_SDATA4), _cie(rules, ABSOLUTE)
    at = len(relative_cie)
    relative = _entry(struct.pack("=IiIB", at + 4, skipped - (base + at + 8), length, 0) + rules.rows)
    other_cie = at + len(relative)
    other_at = other_cie + len(absolute_cie)
    absolute = _entry(struct.pack("=IQQB", other_at + 4 - other_cie, rules.low, length, 0) + rules.rows)
    frame = relative_cie + relative + absolute_cie + absolute + bytes(8)  # a length of 0 ends the entries
    header = base + len(frame)
    if not 0 <= rules.low - (copy + header) < 1 << 31:
        return None
    found = (
        struct.pack("=BBBBiI", 1, PCREL_SDATA4, UDATA4, DATAREL_SDATA4, base - (header + 4), 2)
        + struct.pack("=ii", skipped - header, base + at - header)
        + struct.pack("=ii", rules.low - (copy + header), base + other_at - header)
    )
    return Sections(frame + found, len(found))
