"""E2: the crash of scenario C, from its core."""

from __future__ import annotations

import dataclasses

from .c import INSPECT, facts
from .model import Check, Scenario


def build(same: int) -> Scenario:
    program, _, checks = facts(same)
    checks = [dataclasses.replace(k, command="frame 0") if k.command == "@stop" else k for k in checks]
    why = [k for k in checks if k.title == "one line says why"]
    rest = [k for k in checks if k not in why]
    explained = Check(why[0].title, None, why[0].want)  # at the core's opening, wherever that is printed
    return Scenario(
        "e2",
        "the same crash from its core",
        program,
        ("frame 0", *INSPECT),
        (explained, *rest),
        how="core",
        env=(("NUMBA_BOUNDSCHECK", "0"),),
        same=same,
    )
