"""What `jitscope stack --watch` shows on a terminal: the newest stacks alone, and how long each thread has been where
it is."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Callable
from typing import Any, TextIO

from jitscope.cli.terminal import is_terminal, wants_colours

CLEAR = "\033[H\033[2J"
_FEWEST_LINES = 2


class View:
    """Shows lists of lines that follow each other. A context manager.

    A terminal shows the newest list, cut to its height, on a screen of its own, so that what was there before comes
    back; the last list is then written whole. rich draws that; without rich the screen is cleared each time. Where
    there is no terminal the lists are written one after the other."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._is_terminal = is_terminal(stream)
        self._lines: list[str] = []
        self._draw: Callable[[list[str]], None] = self._clear_and_write
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> View:
        if self._is_terminal:
            with contextlib.suppress(ImportError):
                self._begin_rich()
        return self

    def __exit__(self, *error: object) -> None:
        with self._stack:
            pass
        if self._is_terminal and self._draw != self._clear_and_write:
            self._write(self._lines)

    def _begin_rich(self) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.text import Text

        console = Console(file=self._stream, highlight=False, no_color=not wants_colours(self._stream))
        live = self._stack.enter_context(Live(console=console, screen=True, auto_refresh=False))

        def draw(lines: list[str]) -> None:
            text = Text.from_ansi("\n".join(lines), no_wrap=True, overflow="ellipsis")
            live.update(text, refresh=True)

        self._draw = draw

    def show(self, lines: list[str]) -> None:
        """Show the lines in place of those before."""
        self._lines = lines
        if self._is_terminal:
            self._draw(cut(lines, shutil.get_terminal_size().lines))
        else:
            self._write(lines)

    def _clear_and_write(self, lines: list[str]) -> None:
        self._stream.write(CLEAR)
        self._write(lines)

    def _write(self, lines: list[str]) -> None:
        if lines:
            self._stream.write("\n".join(lines) + "\n")
            self._stream.flush()


def cut(lines: list[str], height: int) -> list[str]:
    """Return what fits of the lines, in which empty ones part the threads: of each thread the first lines, of all as
    many, with the number of those that are left out."""
    room = max(height, _FEWEST_LINES) - 1
    blocks: list[list[str]] = [[]]
    for line in lines:
        if line:
            blocks[-1].append(line)
        else:
            blocks.append([])
    longest = max(map(len, blocks))
    while longest > 1 and sum(min(len(block), longest) + 1 for block in blocks) - 1 > room:
        longest -= 1
    shown: list[str] = []
    for block in blocks:
        shown.extend([""] if shown and longest > 1 else [])
        shown.extend(block if len(block) <= longest else block[: longest - 1] or block[:1])
        if 1 < longest < len(block):
            shown.append(f"… {len(block) - longest + 1} more lines")
    if len(shown) <= room:
        return shown
    return [*shown[: room - 1], f"… {len(shown) - room + 1} more lines"]


class Ages:
    """Since when each thread has been at its place whenever its stack was taken. It may have left it in between."""

    def __init__(self) -> None:
        self._places: dict[tuple[int, int], tuple[list[Any], float]] = {}

    def note(self, taken: dict[str, Any]) -> None:
        """Add to what each thread does how long it has been seen at the same place, from the second time on."""
        now = time.monotonic()
        for thread in taken["threads"]:
            key = (taken["pid"], thread["native_id"])
            place = [(frame["kind"], frame.get("name"), frame.get("line")) for frame in thread["frames"]]
            before, since = self._places.get(key, ([], now))
            since = since if place == before else now
            self._places[key] = (place, since)
            if now > since and place:
                does = thread["does"] or "at the same place"
                thread["does"] = f"at each look for {now - since:.0f} s: {does}"
