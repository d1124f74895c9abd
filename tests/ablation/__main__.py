"""What each rule for stock code gains: figures with it and without it, of generated programs, of those in which
something false was found before, and of functions of packages.

Values, lines and labels of older elements are counted in the code, where statements begin; nothing runs. With
--oracle N the oracle then runs N of the programs for which the library's answers change, and counts what is false
while the rule is off."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.interpreters import first_gdb, newest_python
from tests.oracle.hooked.run import Options, run_all
from tests.packages.__main__ import PACKAGES

from .corpora import Corpus, Waiting, compiled, found_programs, generated_programs, package
from .rules import ROOT, Rule, rules
from .variants import made


def change(figures: dict[str, Any], whole: dict[str, Any]) -> str:
    """Return the changes in percent of the figures with all rules. If statements begin elsewhere, values are weighed by
    the length of the code in which they are shown."""
    if figures["digest"] == whole["digest"]:
        return "="
    values = "values" if figures["statements"] == whole["statements"] else "bytes"
    shown = {"values": values, "statements": "statements", "lines": "lines", "older": "older"}
    told = [
        f"{name} {100 * (figures[figure] - whole[figure]) / max(whole[figure], 1):+.2f}"
        for name, figure in shown.items()
        if figures[figure] != whole[figure]
    ]
    return ", ".join(told) or "labels"


def changed(figures: dict[str, Any], whole: dict[str, Any]) -> list[str]:
    """Return the programs for which the library's answers change."""
    return [name for name, digest in figures["programs"].items() if digest != whole["programs"].get(name)]


def judged(library: Path, texts: dict[str, str], python: str, opt: str) -> dict[str, Any]:
    """Return the values that the oracle finds false."""
    options = Options(python, first_gdb(), "stock", opt, jobs=1)
    options.extra = {"JITSCOPE_INSPECT_LIBRARY": str(library)}
    tally = run_all(texts, options)
    false: dict[str, Any] = {kind: count for kind, count in tally.false().items() if count}
    where = sorted({str(found["program"]) for found in [*tally.lies, *tally.misplaced]})
    return {**false, **({"broken": tally.broken[0][:200]} if tally.broken else {}), "in": where}


def is_of_elements(rule: Rule) -> bool:
    return rule.file.startswith("elements/")


def measure(rule: Rule | None, library: Path, corpora: list[Waiting], is_older: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"rule": rule.name if rule else "-", "file": rule.file if rule else "-"}
    for waiting in corpora:
        try:
            found[waiting.corpus.name] = waiting.figures(library, is_older)
        except RuntimeError as error:
            found[waiting.corpus.name] = None
            print(f"{found['rule']}: {waiting.corpus.name}: {error}", file=sys.stderr)
    return found


def row(found: dict[str, Any], whole: dict[str, Any], corpora: list[Waiting]) -> str:
    cells = [found["rule"], found["file"].removeprefix("validity/")]
    for waiting in corpora:
        name = waiting.corpus.name
        cells.append(change(found[name], whole[name]) if found[name] else "fails")
    false = found.get("false")
    told = "" if false is None else ", ".join(f"{value} {kind}" for kind, value in false.items() if kind != "in")
    cells.append("" if false is None else f"{told or 'none'} of {found['tried']}")
    return "| " + " | ".join(cells) + " |"


def oracle(found: dict[str, Any], whole: dict[str, Any], library: Path, corpora: list[Waiting], most: int) -> None:
    """Add to a rule's figures the values that are false without it: in programs in which something false was found
    first."""
    texts: dict[str, str] = {}
    for waiting in sorted(corpora, key=lambda each: each.corpus.name != "found"):
        figures, own = found[waiting.corpus.name], waiting.corpus.texts
        names = changed(figures, whole[waiting.corpus.name]) if figures and own else []
        texts |= {name: own[name] for name in names if name in own}
    texts = dict(list(texts.items())[:most])
    found["tried"] = len(texts)
    found["false"] = judged(library, texts, corpora[0].corpus.python, corpora[0].corpus.opt) if texts else {}


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/ablation", description=__doc__)
    parser.add_argument("--opt", default="3")
    parser.add_argument("--programs", type=int, default=40, help="generated ones")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--numba", default=newest_python(), help="the interpreter that compiles the programs")
    parser.add_argument("--package", action="append", choices=PACKAGES, help="as scripts/packages installs them")
    parser.add_argument("--python", default=str(ROOT / ".venvs/packages/bin/python"), help="has the packages")
    parser.add_argument("--rule", action="append", help="the name of one, else all")
    parser.add_argument("--oracle", type=int, default=0, metavar="N", help="programs of a rule that it runs")
    parser.add_argument("--kept", type=float, default=100, help="no oracle for a rule that gives so many %% of values")
    parser.add_argument("--json", type=Path, help="where to write all figures")
    return parser.parse_args()


def most_lost(found: dict[str, Any], whole: dict[str, Any], corpora: list[Waiting]) -> float:
    """Return the lost values in percent, in the corpus that loses most."""
    names = [waiting.corpus.name for waiting in corpora if found[waiting.corpus.name]]
    return max((100 * (1 - found[name]["values"] / max(whole[name]["values"], 1)) for name in names), default=0.0)


def all_compiled(made_of: list[Corpus], folder: Path, stack: contextlib.ExitStack) -> list[Waiting]:
    """Return the corpora that could be compiled; print a line for each that could not."""
    corpora = []
    for each in made_of:
        try:
            corpora.append(stack.enter_context(compiled(each, folder / each.name)))
        except AssertionError as error:
            print(f"{each.name}: left out: {error}", file=sys.stderr)
    return corpora


def main() -> int:
    given = parsed()
    chosen = [rule for rule in rules() if not given.rule or rule.name in given.rule]
    made_of = [generated_programs(given.programs, given.seed, given.opt), found_programs(given.opt)]
    for programs in made_of:
        programs.python = given.numba
    made_of += [package(name, given.opt, os.path.abspath(given.python)) for name in given.package or ()]
    with tempfile.TemporaryDirectory() as place, contextlib.ExitStack() as stack:
        folder = Path(place)
        corpora = all_compiled(made_of, folder, stack)
        library = made(folder / "all", None)
        wholes = {older: measure(None, library, corpora, older) for older in {is_of_elements(rule) for rule in chosen}}
        for waiting in corpora:
            figures = wholes[max(wholes)][waiting.corpus.name]
            told = {name: value for name, value in figures.items() if name != "programs"}
            print(f"{waiting.corpus.name}: {told}")
        names = [waiting.corpus.name for waiting in corpora]
        print(f"\n| rule | file | {' | '.join(names)} | false |\n|{'---|' * (len(names) + 3)}", flush=True)
        results = list(wholes.values())
        for number, rule in enumerate(chosen):
            library, whole = made(folder / str(number), rule), wholes[is_of_elements(rule)]
            found = measure(rule, library, corpora, is_of_elements(rule))
            if given.oracle and most_lost(found, whole, corpora) < given.kept:
                oracle(found, whole, library, corpora, given.oracle)
            print(row(found, whole, corpora), flush=True)
            results.append(found)
            library.unlink()
            if given.json:
                given.json.write_text(json.dumps(results), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
