"""The promises of each level, as bounds on the figures of a run."""

from __future__ import annotations

from .tally import Tally


def broken(tally: Tally, level: str, opt: str, plain: bool) -> list[str]:
    """Return the promises that these figures break, one in each line."""
    surface = "gdb" if plain else "json"
    lies = {where: tally.lied(where) for where in ("gdb", "json")}
    shown = max(tally.shown("gdb"), 1)
    lines = 100 * tally.stopped / max(tally.lines, 1)
    bounds: list[tuple[bool, str]] = [(not tally.broken, "every stop answers"), (tally.stops > 0, "stops")]
    bounds.append((not tally.others, "the results are those without the hook, to the bit"))
    if level == "exact" and plain:
        bounds.append((lies["gdb"] <= 0.005 * shown, "at most 0.5 % lies in GDB alone"))
    else:
        bounds.append((not any(lies.values()), "no lies"))
    if level == "steps":
        bounds += [
            (tally.share(surface, "all") >= 98, "98 % of assigned variables"),
            (lines >= 98, "98 % of executed lines"),
            (tally.counts == tally.lines, "hit counts are Python's"),
        ]
    if level == "recompiled" and not tally.refused():  # Numba removes assignments that nothing reads, and their lines
        bounds += [
            (tally.share(surface, "all") >= 98, "98 % of assigned variables"),
            (lines >= 96, "96 % of executed lines"),
            (tally.counts == tally.stopped, "hit counts of lines that stop are Python's"),
        ]
    if level == "exact":
        bounds += [
            (tally.share(surface, "argument") >= 95, "95 % of arguments"),
            (tally.share(surface, "local") >= 60, "60 % of locals"),
        ]
    if level == "stock" and opt == "3":
        bounds += [
            (tally.share(surface, "entry") >= 90, "90 % of arguments at entry"),
            (tally.share(surface, "all") >= 40, "40 % of assigned variables"),
        ]
    if level == "stock" and opt == "0":
        bounds.append((tally.share(surface, "all") >= 80, "80 % of assigned variables"))
    return [text for kept, text in bounds if not kept]
