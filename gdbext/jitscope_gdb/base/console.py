"""The output of GDB's own commands as text, and text that is safe on a terminal."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Iterator
from typing import Any, Callable

import gdb
from jitscope_shared.base.escaping import counted, plain  # noqa: F401  (for those that use this module)

STRING = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")  # a string literal of C or of Python
_RECORD = re.compile(r'~"((?:[^"\\]|\\.)*)"\n')
_ERROR = re.compile(r'^\^error,msg="((?:[^"\\]|\\.)*)"', re.M)
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)")
_STYLE = re.compile(r"(\x1b\[[0-9;]*m)")
_LETTERS = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v", b"e": b"\x1b"}


def text_of(command: str, is_styled: bool = False) -> str:
    """Return the command's output. Raise gdb.error where the command fails. GDB 18 under MI gives MI's stream records,
    other versions the text itself. GDB keeps source lines with their colours, which are removed unless `is_styled`."""
    with untraced():
        said: str = gdb.execute(command, False, True)
    records = _RECORD.findall(said)
    if records and not _RECORD.sub("", said):
        said = unescaped("".join(records))
    return said if is_styled else unstyled(said)


def unstyled(text: str) -> str:
    """Return GDB's output without colours."""
    return _STYLE.sub("", text)


def base_name(path: str) -> str:
    """Return a file's name for a message: plain() escapes it, a line break included."""
    return plain(os.path.basename(path))


def shown(text: str) -> str:
    """Return a text of several lines as it may be written to a terminal; plain() has escaped the names in it before."""
    return "\n".join("\t".join(map(plain, line.split("\t"))) for line in text.split("\n"))


def styled(text: str) -> str:
    """Return shown() of GDB's own output, with GDB's colours if the user has not switched them off."""
    if not gdb.parameter("style enabled"):
        return shown(unstyled(text))
    return "".join(each if _STYLE.fullmatch(each) else shown(each) for each in _STYLE.split(text))


def machine_interface(command: str) -> str:
    """Run a command of GDB/MI and return its result record. Raise gdb.error where it fails. The answer is caught at
    file descriptor 1, because GDB 13's interpreter keeps the stream that it was first used with, and the stream of
    text_of lives only for one call."""
    with tempfile.TemporaryFile() as file:
        gdb.flush()
        saved = os.dup(1)
        os.dup2(file.fileno(), 1)
        try:
            gdb.execute(f"interpreter-exec mi {quoted(command)}")
        finally:
            gdb.flush()
            os.dup2(saved, 1)
            os.close(saved)
        file.seek(0)
        said = file.read().decode(errors="replace")
    error = _ERROR.search(said)
    if error:
        raise gdb.error(unescaped(error[1]))
    return said


def quoted(text: str) -> str:
    """Return the text as one quoted argument of a command."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def unescaped(text: str) -> str:
    """Return the text that GDB/MI means by the escaped text between two quotes."""
    return _ESCAPE.sub(_plain, text.encode("utf-8", "surrogateescape")).decode(errors="replace")


@contextlib.contextmanager
def untraced() -> Iterator[None]:
    """Switch off `set trace-commands on` within the `with` block, since GDB would write each command above its
    output."""
    if not gdb.parameter("trace-commands"):
        yield
        return
    gdb.execute("set trace-commands off", False, True)
    try:
        yield
    finally:
        gdb.execute("set trace-commands on", False, True)


def is_machine_interface() -> bool:
    """True if this GDB was started for a front end."""
    return bool(interpreter())


def interpreter() -> str:
    """Return "mi" or "dap" where GDB was started for a front end, else ""."""
    with open("/proc/self/cmdline", "rb") as file:
        words = [word.decode(errors="replace") for word in file.read().split(b"\0")]
    text = " ".join(words)
    match = re.search(r"(^| )--?i(nterpreter)?[= ]?(mi|dap)", text)
    return match[3] if match else ""


def hook(name: str, *called: Callable[[], Any] | str) -> bool:
    """Have GDB call these functions of modules in the hook of its command `name`. Return False if the user has a hook,
    which stays. An error that an expression (such as "$jit_may_step()") raises ends the command with one line and no
    traceback."""
    lines = [
        f"set $_jit_hook = {each}"
        if isinstance(each, str)
        else f'python __import__("{each.__module__}", fromlist=["_"]).{each.__name__}()'
        for each in called
    ]
    try:
        return lines[0] in text_of(f"show user {name}")
    except gdb.error:
        gdb.execute("\n".join([f"define {name}", *lines, "end"]), False, True)
        return True


def _plain(escape: re.Match[bytes]) -> bytes:
    word = escape[1]
    return bytes([int(word, 8) & 0xFF]) if len(word) == 3 else _LETTERS.get(word, word)
