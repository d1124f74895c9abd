"""Decompresses files into temporary ones: .gz and .xz by Python's own modules, .zst and .lz4 by their tools.

Sources of the magic bytes: RFC 8878 (zstd), RFC 1952 (gzip); the formats' own pages for lz4 (frame format) and xz."""

from __future__ import annotations

import errno
import gzip
import lzma
import os
import shutil
import stat
import subprocess
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO

from jitscope.debugger import how_to_install

Says = Callable[[str], None]  # shows what is being done
_PERIOD = 0.2  # seconds between two calls of it

BLOCK = 1 << 20  # bytes that are read at a time
HOLE = 1 << 15  # as many zeros in a row are left out of the temporary file
FORMATS = {
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\x04\x22\x4d\x18": "lz4",
    b"\xfd7zXZ\0": "xz",
    b"\x1f\x8b": "gzip",
}
# What the tools say of a file whose end is missing: zstd's "Read error (39)", lz4's error 68.
CUT_OFF = ("premature end", "Unfinished stream")
# --long=31: the tool otherwise refuses what was compressed with a window of more than 128 MiB.
TOOLS = {"zstd": ("zstd", "-dcq", "--long=31"), "lz4": ("lz4", "-dcq")}
_ZEROS = bytes(HOLE)


class Damaged(ValueError):
    """The contents of a compressed file cannot be read to their end; the text is the reason, without the file."""


class CutOff(Damaged):
    """The end of a compressed file is missing, so that what comes before it is sound."""


class OtherContents(ValueError):
    """A compressed file contains something else than what it is to contain."""


def format_of(head: bytes) -> str | None:
    """Return the name of the format that a file with these first bytes has, or None if it is not compressed."""
    return next((name for magic, name in FORMATS.items() if head.startswith(magic)), None)


def decompress(source: BinaryIO, name: str, magic: bytes, says: Says = lambda text: None) -> tuple[int, str] | None:
    """Return a descriptor of a temporary file without a name, which has the decompressed contents and the time of the
    file, and why they end early, or ""; or None if the file is not compressed. Runs of zeros take no space in it.

    Args:
        source: The file.
        name: Its name for messages.
        magic: The first bytes that the contents are to have.
        says: Called now and then with what is done.

    Raises:
        Damaged: The file is damaged, so that what it contains may be wrong; or its end is missing, and so is all else.
        OtherContents: The contents do not begin with `magic`.
        OSError: There is no tool for the format, or no room in TMPDIR.
    """
    status = os.fstat(source.fileno())
    kind = format_of(os.pread(source.fileno(), 8, 0)) if stat.S_ISREG(status.st_mode) else None
    if kind is None:
        return None
    reasons: list[str] = []
    with _reading(kind, source, name) as blocks:
        out = write_temporary(_checked(_until_cut(blocks, reasons), magic), f"decompressing {name}", says)
    if reasons and os.fstat(out).st_size == 0:
        os.close(out)
        raise Damaged(reasons[0])
    os.utime(out, ns=(status.st_atime_ns, status.st_mtime_ns))
    return out, "".join(reasons)


def _until_cut(blocks: Iterator[bytes], reasons: list[str]) -> Iterator[bytes]:
    """Yield the blocks, and append the reason if they end early."""
    try:
        yield from blocks
    except CutOff as error:
        reasons.append(str(error))


def _checked(blocks: Iterator[bytes], magic: bytes) -> Iterator[bytes]:
    first = next(blocks, b"")
    if first and not first.startswith(magic):
        raise OtherContents
    yield first
    yield from blocks


def write_temporary(blocks: Iterator[bytes], what: str, says: Says) -> int:
    """Write the blocks into a temporary file without a name, and return its descriptor. Now and then `says` is called
    with `what` and the size. Raise OSError with one line if there is no room."""
    folder = tempfile.gettempdir()
    said = time.monotonic()
    with tempfile.TemporaryFile(dir=folder) as file:
        size = 0
        try:
            for block in blocks:
                _write_sparsely(file.fileno(), block, size)
                size += len(block)
                if time.monotonic() - said >= _PERIOD:
                    said = time.monotonic()
                    says(f"{what}: {size >> 20} MB")
            os.ftruncate(file.fileno(), size)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
                text = f"there is no room for it in {folder} after {size >> 20} MB: set TMPDIR to a folder with more"
                raise OSError(f"{what} failed: {text}") from None
            raise
        return os.dup(file.fileno())


def _write_sparsely(descriptor: int, block: bytes, offset: int) -> None:
    view = memoryview(block)
    for start in range(0, len(block), HOLE):
        part = view[start : start + HOLE]
        if part == _ZEROS[: len(part)]:
            continue
        place = offset + start
        while part:
            done = os.pwrite(descriptor, part, place)
            part, place = part[done:], place + done


@contextmanager
def _reading(kind: str, source: BinaryIO, name: str) -> Iterator[Iterator[bytes]]:
    """Give the decompressed contents as blocks."""
    tool = TOOLS.get(kind)
    if tool is not None:
        if shutil.which(tool[0]) is None:
            text = f"{name} is compressed, and {tool[0]} is not installed: {how_to_install(tool[0])}"
            raise FileNotFoundError(text)
        with output_of(tool, source) as blocks:
            yield blocks
    elif kind == "xz":
        with lzma.LZMAFile(source) as xz:
            yield _read_by_module(xz.read1)
    else:
        with gzip.GzipFile(fileobj=source) as gz:
            yield _read_by_module(gz.read1)


def _read_by_module(read1: Callable[[int], bytes]) -> Iterator[bytes]:
    """Yield blocks; read1() gives what there is before it fails."""
    try:
        while block := read1(BLOCK):
            yield block
    except EOFError as error:
        raise CutOff(str(error).rstrip(".")) from None
    except (lzma.LZMAError, zlib.error, gzip.BadGzipFile) as error:
        raise Damaged(str(error).rstrip(".")) from None


@contextmanager
def output_of(command: Sequence[str], source: BinaryIO | None = None) -> Iterator[Iterator[bytes]]:
    """Give what a command writes as blocks, with `source` as its standard input. If the command fails, its blocks end
    with Damaged, or CutOff, with the last line of its errors; the command does not outlive the block."""
    with tempfile.TemporaryFile() as errors:
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL if source is None else source,
            stdout=subprocess.PIPE,
            stderr=errors,
        ) as process:
            assert process.stdout is not None
            read = process.stdout.read

            def blocks() -> Iterator[bytes]:
                while block := read(BLOCK):
                    yield block
                if process.wait() != 0:
                    errors.seek(0)
                    line = _last_line(errors.read(1 << 16), command[0])
                    raise (CutOff if any(text in line for text in CUT_OFF) else Damaged)(line)

            try:
                yield blocks()
            except BaseException:
                process.kill()
                raise


def _last_line(text: bytes, tool: str) -> str:
    lines = [line.strip() for line in text.decode("utf-8", "replace").splitlines()]
    line = next((line for line in reversed(lines) if line), f"{tool} failed without a word")
    line = line.removeprefix("/*stdin*\\ : ")  # what zstd calls the file
    return "".join(char for char in line if char.isprintable()).rstrip(".")
