"""Compare the tracebacks of generated programs with the interpreter's:
python -m tests.oracle.raised --programs 24 [--first SEED], from seed 100000 on with more kinds of raises"""

from __future__ import annotations

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from typing import Any

from tests.oracle.raised.generate import Program

_BROKEN = "Unreachable condition reached"  # where Numba compiles a handler that raises, up to 0.68
_NUMBA = "/site-packages/numba/"  # Numba itself shows where its own library raises
_BATCH = 12  # programs of one process


def calls(paths: list[pathlib.Path], environment: Mapping[str, str], **more: str) -> list[Any] | None:
    """Return what the programs' calls do; None: the process was killed by a signal."""
    child = pathlib.Path(__file__).with_name("child.py")
    done = subprocess.run(
        [sys.executable, str(child), *map(str, paths)],
        env={**environment, **more},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode > 0:
        raise RuntimeError(f"{[path.name for path in paths]}: {done.stderr[-2000:]}")
    return [json.loads(line) for line in done.stdout.splitlines()] if not done.returncode else None


def run(paths: list[pathlib.Path], environment: Mapping[str, str]) -> list[tuple[Any, Any]]:
    """Return what each call does, compiled and interpreted. A program is left out if Numba alone crashes in it, too."""
    compiled = calls(paths, environment, NUMBA_DISABLE_JIT="0")
    if compiled is None and len(paths) > 1:
        return [pair for path in paths for pair in run([path], environment)]
    if compiled is None:
        if calls(paths, environment, NUMBA_DISABLE_JIT="0", JITSCOPE="0") is not None:
            raise RuntimeError(f"{paths[0]} crashes")
        return []
    interpreted = calls(paths, environment, NUMBA_DISABLE_JIT="1")
    if interpreted is None or len(interpreted) != len(compiled):
        raise RuntimeError(f"{[path.name for path in paths]}: the interpreter makes other calls")
    return list(zip(compiled, interpreted))


def values(compiled: Any, interpreted: Any) -> Iterator[tuple[str, str, str | None]]:
    """Yield name and value of each variable in compiled frames, and the interpreter's value, None if it has none."""
    for own, true in zip(compiled["variables"], interpreted["variables"]):
        for name, value in (own or {}).items():
            yield name, value, true.get(name)


def wrong_values(compiled: Any, interpreted: Any) -> list[tuple[str, str, str | None]]:
    return [each for each in values(compiled, interpreted) if each[1] != each[2]]


def judge(compiled: Any, interpreted: Any) -> str:
    """Return what is true of a call: `returned`, `equal`, `context` (equal, but for the exception that was handled
    meanwhile, which Numba does not keep), `partial`, `bare` (no frame of the program), `other` (the program raises
    another exception or none, as Numba's code does not do what Python does), or `false`: an entry or a value is."""
    if not isinstance(compiled, dict) or not isinstance(interpreted, dict):
        return "returned" if isinstance(compiled, str) and isinstance(interpreted, str) else "other"
    found, true = compiled["entries"], interpreted["entries"]
    if compiled["type"] != interpreted["type"] or _BROKEN in compiled["arguments"]:
        return "other"
    if found == true and wrong_values(compiled, interpreted):
        return "false"
    if found == true and compiled["arguments"] == interpreted["arguments"]:
        return "equal" if compiled["text"] == interpreted["text"] else "context"
    if found == true:
        return "equal"
    if all(_NUMBA in file for _, file, _, _ in found):
        return "bare"
    rest = iter(true)
    return "partial" if all(each in rest for each in found) else "false"


def compare(
    seeds: range, folder: pathlib.Path, environment: Mapping[str, str]
) -> tuple[collections.Counter[str], list[Any]]:
    """Return how many calls of the programs are what judge() says, with the number of variables that were compared
    (`values`), and all that are not equal."""
    paths = []
    for seed in seeds:
        path = folder / f"raised_{seed}.py"
        path.write_text(Program(seed).text())
        paths.append(path)
    counts: collections.Counter[str] = collections.Counter()
    odd = []
    for start in range(0, len(paths), _BATCH):
        batch = paths[start : start + _BATCH]
        for one, two in run(batch, environment):
            assert one[:3] == two[:3]
            verdict = judge(one[3], two[3])
            counts[verdict] += 1
            if verdict in ("equal", "context"):
                counts["values"] += sum(1 for _ in values(one[3], two[3]))
            if verdict not in ("equal", "context", "returned"):
                odd.append((verdict, *one[:3], one[3], two[3]))
    return counts, odd


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=24)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--list", action="store_true", help="list all that is not equal")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = asked.folder or pathlib.Path(made)
        counts, odd = compare(range(asked.first, asked.first + asked.programs), folder, os.environ)
    reasons: collections.Counter[str] = collections.Counter()
    for verdict, path, index, x, compiled, interpreted in odd:
        reasons[f"{verdict}: {compiled['reason'] if isinstance(compiled, dict) else 'it returns'}"] += 1
        if asked.list or verdict == "false":
            print(f"{verdict}: {path} f{index}(x={x})\n  compiled    {compiled}\n  interpreted {interpreted}")
    print(dict(counts))
    print(dict(reasons))
    return 1 if counts["false"] else 0


if __name__ == "__main__":
    sys.exit(main())
