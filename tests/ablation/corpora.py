"""The corpora for which the rules are tried: programs and packages, compiled by Numba alone in processes that wait
until all variants of the library have looked at them."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.interpreters import NO_SCIPY, ROOT
from tests.oracle import jit_objects
from tests.oracle.hooked.run import generated

FOUND = ROOT / "tests" / "oracle" / "hooked" / "found"
SECONDS = 900  # the time in which a variant must have looked at a corpus


@dataclasses.dataclass
class Corpus:
    name: str
    opt: str = "3"
    texts: dict[str, str] = dataclasses.field(default_factory=dict)  # the texts of programs; none for a package
    python: str = ""  # the interpreter that compiles it; "": that of the newest Numba


def generated_programs(number: int, seed: int, opt: str) -> Corpus:
    return Corpus("generated", opt, generated(number, seed))


def found_programs(opt: str) -> Corpus:
    """Return the programs for stock code in which the oracle has found something false before."""
    files = [file for folder in ("stock", "both") for file in sorted((FOUND / folder).glob("*.py"))]
    return Corpus("found", opt, {file.stem: file.read_text("utf-8") for file in files})


def package(name: str, opt: str, python: str) -> Corpus:
    return Corpus(name, opt, {}, python)


@dataclasses.dataclass
class Waiting:
    """A process that has compiled a corpus."""

    corpus: Corpus
    pid: int
    folder: Path

    def figures(self, library: Path, is_older: bool = False) -> dict[str, Any]:
        """Return the library's figures. `is_older`: also count older elements, which takes most of the time."""
        command = [sys.executable, "-m", "tests.ablation.figures"]
        command += [str(library), str(self.pid), str(self.folder), str(int(is_older))]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=SECONDS, check=False)
        if done.returncode:
            raise RuntimeError(f"{library}: status {done.returncode}: {done.stderr[-500:]}")
        found: dict[str, Any] = json.loads(done.stdout)
        return found


@contextlib.contextmanager
def compiled(corpus: Corpus, folder: Path) -> Iterator[Waiting]:
    folder.mkdir(parents=True)
    files = []
    for name, text in corpus.texts.items():
        files.append(folder / f"{name}.py")
        files[-1].write_text(text, "utf-8")
    given = [corpus.name if not files else "", *map(str, files)]
    path = [str(ROOT), str(ROOT / "tests" / "oracle" / "hooked"), *([str(NO_SCIPY)] if files else [])]
    own = {
        "JITSCOPE": "0",
        "NUMBA_DEBUGINFO": "1",
        "NUMBA_OPT": corpus.opt,
        "NUMBA_NUM_THREADS": "2",
        "NUMBA_CACHE_DIR": str(folder / "cache"),
        "PYTHONPATH": os.pathsep.join(path),
    }
    source = f"from tests.ablation.compiled import main\nmain(*{given!r})\n"
    with jit_objects.run(source, folder / "run_corpus.py", corpus.python, **own) as program:
        for number, image in enumerate(program.images):
            (folder / f"{number:05}.o").write_bytes(image)
        yield Waiting(corpus, program.pid, folder)
