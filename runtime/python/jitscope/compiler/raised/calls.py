"""Calls from Python that raise, and what their arguments say of the ways by which the exception has come."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from jitscope.compiler.followed import values
from jitscope.compiler.raised import arguments, chains, machine_code, replay
from jitscope.compiler.raised.chains import Chain, Way
from jitscope.compiler.raised.machine_code import Code
from jitscope.compiler.raised.sites import Key, Sites

_MOST = 64  # different arguments that are followed, which takes 0.1 ms to some milliseconds each
_GIVEN_UP = 7  # how many of them count for one that is followed for too long, which takes up to 0.1 s


class Call:
    """What is known of the calls that raise one exception at one place of a wrapper."""

    def __init__(self, sites: Mapping[str, Sites], entry: str, key: Key, wrapper: Code, address: int) -> None:
        self._entry, self._wrapper, self._address = entry, wrapper, address
        self._replay = replay.Replay(sites, key)
        self._left = _MOST

    def arguments(self) -> tuple[Any, ...]:
        """Return those arguments of the call that has just raised that are followed, `...` in place of others. Elements
        of arrays are what they were in the call if no compiled function writes to arrays, and no other thread runs
        Python, which cannot have begun or ended meanwhile."""
        found = arguments.of(self._wrapper, self._address) if self._left >= 0 else None
        has_content = self._replay.keeps_arrays and len(sys._current_frames()) == 1
        return tuple(values.known(each, has_content) for each in found or ())

    def chain(self, passed: tuple[Any, ...], known: Chain) -> Chain | None:
        """Return the frames of the exception with these arguments; None: they say nothing. `known`: what is known of
        the frames without them."""
        ways = self._replay.ways(self._entry, passed)
        self._left -= 1 + (0 if ways is not None else _GIVEN_UP)
        fitting = [way for way in ways or () if _fits(way, known)]
        found = chains.of_ways(fitting, known.reason or "") if fitting else None
        return found if found is not None and (not found.reason or _count(found) > _count(known)) else None


def _count(chain: Chain) -> int:
    return len(chain.outer) + len(chain.inner)


def _fits(way: Way, known: Chain) -> bool:
    """True if the way has the frames that are known. What is None in it may be several frames."""
    if None in way:
        first, last = way.index(None), way[::-1].index(None)
        outer, inner = way[:first], way[len(way) - last :]
        return all(one == other for one, other in zip(outer, known.outer)) and all(
            one == other for one, other in zip(inner[::-1], known.inner[::-1])
        )
    ends = way[: len(known.outer)], way[len(way) - len(known.inner) :]
    return len(way) >= _count(known) and ends == (known.outer, known.inner)


def of(sites: Mapping[str, Sites], entry: str, key: Key, wrapper: int) -> Call | None:
    """Return what is known of calls of a function by a wrapper, with the address `wrapper` where it raises; None:
    nothing."""
    code = machine_code.code_with(wrapper)
    return Call(sites, entry, key, code, wrapper) if code is not None else None
