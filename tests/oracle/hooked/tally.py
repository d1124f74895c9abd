"""The figures of a run, and its lies."""

from __future__ import annotations

import collections
import dataclasses
import json
import pathlib
from typing import Any

from tests.oracle.truth.values import CONTENT, EXACT, LABEL, OPAQUE

from .align import Matched
from .bindings import function_at
from .judge import KERNEL, LIES, OLDER, VERSION, base_name

SURFACES = ("gdb", "json")
DONE = "steps  done"  # what `jit level` says of a request that was served


def _is_expression(stop: dict[str, Any], functions: dict[str, Any]) -> bool:
    """True if the stop is in the kernel of an array expression, for which Python has no event. Stencils have kernels on
    their own lines, and functions that a loop calls may be inlined."""
    name = stop["frame"].partition(".")[0]
    is_own = name not in functions or function_at(functions, stop["line"]) == name
    return KERNEL.search(stop["frame"]) is not None and is_own


@dataclasses.dataclass
class Tally:
    programs: int = 0
    left_out: collections.Counter[str] = dataclasses.field(default_factory=collections.Counter)
    stops: int = 0
    stray: int = 0
    faults: int = 0
    expected_faults: int = 0
    elsewhere: int = 0
    lines: int = 0  # lines that were executed
    stopped: int = 0  # lines that stopped
    counts: int = 0  # lines that stopped as often as Python was there
    calls: int = 0
    same: int = 0  # calls that stopped at Python's lines in Python's order
    verdicts: collections.Counter[tuple[str, str]] = dataclasses.field(default_factory=collections.Counter)
    # By group: argument, local, and entry: arguments at a call's first stop.
    assigned: collections.Counter[str] = dataclasses.field(default_factory=collections.Counter)
    # Assigned variables that are labelled: (surface, label, program, function, name).
    labels: collections.Counter[tuple[str, ...]] = dataclasses.field(default_factory=collections.Counter)
    available: collections.Counter[tuple[str, str]] = dataclasses.field(default_factory=collections.Counter)
    # What came of the requests to compile functions anew, as `jit level` lists it.
    levels: collections.Counter[str] = dataclasses.field(default_factory=collections.Counter)
    differing: list[dict[str, Any]] = dataclasses.field(default_factory=list)  # commands that show other values
    lies: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    misplaced: list[dict[str, Any]] = dataclasses.field(default_factory=list)  # stops with a false line or function
    misses: list[dict[str, Any]] = dataclasses.field(default_factory=list)  # lines whose hits are not Python's
    others: list[dict[str, Any]] = dataclasses.field(default_factory=list)  # results that are not Python's
    broken: list[str] = dataclasses.field(default_factory=list)
    seconds: float = 0.0  # the time of the stops

    def lied(self, surface: str) -> int:
        return sum(count for (where, what), count in self.verdicts.items() if where == surface and what in LIES)

    def false(self) -> dict[str, int]:
        """Return the number of false displays by their kind."""
        elements = sum(count for (_, what), count in self.verdicts.items() if what == CONTENT)
        return {
            "values": len(self.lies) - elements,
            "elements": elements,
            "places": len(self.misplaced),
            "surfaces that differ": len(self.differing),
            "results": len(self.others),
        }

    def refused(self) -> list[str]:
        """Return the requests to compile a function anew that had another end."""
        return [said for said in self.levels if said != DONE]

    def older(self) -> int:
        """Return the number of arrays that differ, and are labelled."""
        return self.verdicts[("json", OLDER)]

    def shown(self, surface: str) -> int:
        found = {what: count for (where, what), count in self.verdicts.items() if where == surface}
        return sum(found.get(what, 0) for what in (EXACT, CONTENT, OLDER, "wrong"))

    def share(self, surface: str, group: str) -> float:
        """Return the percentage of a group's assigned variables (argument, local, entry, all) that are shown right."""
        groups = ("argument", "local") if group == "all" else (group,)
        whole = sum(self.assigned[name] for name in groups)
        return 100 * sum(self.available[(surface, name)] for name in groups) / whole if whole else 100.0

    def add(self, program: str, matched: Matched, function: dict[str, Any], first: bool) -> None:
        self.stops += 1
        self.stray += matched.stray
        right: dict[str, set[str]] = {surface: set() for surface in SURFACES}
        for item in matched.values:
            self.verdicts[(item.surface, item.verdict)] += 1
            if item.verdict == LABEL and item.truth != "no value":
                self.labels[(item.surface, item.text[:60], program, matched.function, item.name)] += 1
            if item.verdict == EXACT:
                right[item.surface].add(base_name(item.name))
            if item.verdict in LIES:
                found = {
                    "program": program,
                    "line": matched.stop["line"],
                    "call": matched.stop["call"],
                    "function": matched.function,
                    "frame": matched.stop["frame"],
                    "pc": hex(matched.stop["pc"]),
                    "surface": item.surface,
                    "name": item.name,
                    "expected": item.truth,
                    "shown": item.text,
                    "verdict": item.verdict,
                    "stray": matched.stray,
                }
                self.lies.append(found)
        if matched.stray or matched.state is None:
            return
        for name in matched.state.known & set(matched.state.values) - matched.state.lenient:
            argument = name in function["arguments"]
            for group in ("argument", *(["entry"] if first else [])) if argument else ("local",):
                self.assigned[group] += 1
                for surface in SURFACES:
                    self.available[(surface, group)] += name in right[surface]

    def add_lines(
        self, program: str, functions: dict[str, Any], calls: list[dict[str, Any]], stops: list[dict[str, Any]]
    ) -> None:
        """Add how often each line was executed, and how often it stopped."""
        loops = [loop for function in functions.values() for loop in function["parallel"]]
        header = {loop["header"] for loop in loops}
        executed = collections.Counter(e[1] for call in calls for e in call["events"] if e[1] not in header)
        body = {n for loop in loops for n in range(loop["first"], loop["last"] + 1)}
        hits = collections.Counter(s["line"] for s in stops if s["line"] in body or not _is_expression(s, functions))
        self.lines += len(executed)
        self.stopped += sum(line in hits for line in executed)
        self.counts += sum(hits[line] == count for line, count in executed.items())
        self.misses += [
            {"program": program, "line": line, "executed": count, "stopped": hits[line]}
            for line, count in sorted(executed.items())
            if hits[line] != count
        ]

    def merge(self, other: Tally) -> None:
        for field in dataclasses.fields(self):
            mine, others = getattr(self, field.name), getattr(other, field.name)
            if isinstance(mine, collections.Counter):
                mine.update(others)
            else:
                setattr(self, field.name, mine + others)

    def figures(self) -> dict[str, Any]:
        said: collections.Counter[str] = collections.Counter()
        for (surface, text, *_), count in self.labels.items():
            said[f"{surface}: {text}"] += count
        result: dict[str, Any] = {
            "programs": self.programs,
            "left out": dict(self.left_out),
            "stops": self.stops,
            "stops/s": round(self.stops / self.seconds, 1) if self.seconds else None,
            "stray": self.stray,
            "faults": f"{self.faults}/{self.expected_faults}",
            "elsewhere": self.elsewhere,
            "lines": f"{self.stopped}/{self.lines} ({100 * self.stopped / max(self.lines, 1):.1f} %)",
            "hit counts": f"{self.counts}/{self.lines} ({100 * self.counts / max(self.lines, 1):.1f} %)",
            "calls in order": f"{self.same}/{self.calls}",
            "false": self.false(),
            "labels of assigned": dict(said.most_common(6)),
            "broken": self.broken,
        }
        if self.levels:
            result["compiled anew"] = dict(self.levels.most_common(8))
        for surface in SURFACES:
            if any(where == surface for where, _ in self.verdicts):
                result[surface] = {
                    "shown": self.shown(surface),
                    "lies": self.lied(surface),
                    "content": self.verdicts[(surface, CONTENT)],  # a part of the lies
                    "older": self.verdicts[(surface, OLDER)],
                    "labels": self.verdicts[(surface, LABEL)],
                    "versions": self.verdicts[(surface, VERSION)],
                    "opaque": self.verdicts[(surface, OPAQUE)],
                    **{group: f"{self.share(surface, group):.1f} %" for group in ("argument", "entry", "local", "all")},
                }
        return result

    def keep(self, folder: pathlib.Path, texts: dict[str, str]) -> None:
        """Write the files that are needed to see each lie again."""
        folder.mkdir(parents=True, exist_ok=True)
        for kind in ("lies", "misplaced", "misses", "differing", "others"):
            found = getattr(self, kind)
            (folder / f"{kind}.json").write_text(json.dumps(found, indent=1, ensure_ascii=False))
            for entry in found[:2000]:
                (folder / f"{entry['program']}.py").write_text(texts[entry["program"]])

        found = [[*key, count] for key, count in self.labels.most_common()]
        (folder / "labels.json").write_text(json.dumps(found, indent=1, ensure_ascii=False))
        for _, _, program, *_ in found:
            (folder / f"{program}.py").write_text(texts[program])

    def listing(self, limit: int = 20) -> str:
        seen: collections.Counter[str] = collections.Counter()
        for lie in self.lies:
            stray = " (stray stop)" if lie["stray"] else ""
            seen[
                f"{lie['program']}:{lie['line']}{stray} {lie['function']} [{lie['surface']}] {lie['name']}: "
                f"shown {lie['shown'][:80]}, expected {lie['expected'][:80]} — {lie['verdict']}"
            ] += 1
        lines = [text + (f"  ×{count}" if count > 1 else "") for text, count in seen.items()]
        more = [f"… and {len(lines) - limit} more"] if len(lines) > limit else []
        return "\n".join(lines[:limit] + more)
