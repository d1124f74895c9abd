"""The sites of functions from Numba's cache, which are kept with their code."""

from __future__ import annotations

import base64
import functools
import hashlib
import os
import pickle
import zlib

from jitscope.compiler.base import cached_text
from jitscope.compiler.raised import sites
from jitscope.compiler.raised.sites import Function, Sites
from jitscope.compiler.slots.kept_values import Kept

_MARK = "\n# jitscope raises, with stamps of files: "


@functools.lru_cache(maxsize=1024)
def _digest(file: str, *_: int) -> str:
    with open(file, "rb") as opened:
        return hashlib.sha256(opened.read()).hexdigest()


def _stamp(file: str) -> str | None:
    """Return what differs when a file has other contents; None if there is none of this name."""
    try:
        found = os.stat(file)
        return _digest(file, found.st_mtime_ns, found.st_size)
    except (OSError, ValueError):
        return None


def _text(known: dict[str, Sites]) -> str:
    """Return the sites as a line of text. Tuples hold them, so that no class of jitscope's has to be found when it is
    read."""
    functions: dict[Function, int] = {}

    def number(function: Function | None) -> int | None:
        return None if function is None else functions.setdefault(function, len(functions))

    plain = [
        (
            symbol,
            number(its.function),
            *its[1:4],
            its.program,
            [tuple(each) for each in its.variables],
            [[(number(one), line) for one, line in way] for way in its.inlined],
        )
        for symbol, its in known.items()
    ]
    stamps = {each.file: _stamp(each.file) for each in functions}
    packed = pickle.dumps(([tuple(each) for each in functions], plain, stamps))
    return base64.b85encode(zlib.compress(packed)).decode()


def _sites(text: str) -> dict[str, Sites]:
    """Return the sites. Functions whose files have other contents by now have no lines: Numba compares the file of the
    cached function only, and not those of the functions that its code contains."""
    listed, plain, stamps = pickle.loads(zlib.decompress(base64.b85decode(text)))
    is_same = {file: _stamp(file) == stamp for file, stamp in stamps.items()}
    functions: list[Function] = [Function(*each) for each in listed]
    functions = [each if is_same[each.file] else each._replace(lines=frozenset()) for each in functions]

    def function(number: int | None) -> Function | None:
        return None if number is None else functions[number]

    found = {}
    for symbol, own, *rest, program, variables, ways in plain:
        inlined = tuple(tuple((function(one), line) for one, line in way) for way in ways)
        kept = tuple(Kept(*each) for each in variables)
        found[symbol] = Sites(function(own), *rest)._replace(variables=kept, inlined=inlined, program=program)
    return found


def install() -> None:
    """Keep the sites with cached functions, once for each process, after cached_text.check()."""
    cached_text.keep(
        _MARK,
        lambda library: _text(sites.of(library)),
        lambda library, text: sites.set_known(library, _sites(text)),
    )
