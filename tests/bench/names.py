"""Names for each second on the corpus of thirteen Numbas' symbols: against libstdc++'s demangler, and against
c++filt."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from tests.interpreters import ROOT

from .measure import Figure, NotMeasured, compare, in_turn

CORPUS = ROOT / "tests" / "oracle" / "names_corpus.txt"
SOURCE = pathlib.Path(__file__).with_name("names_rate.c")
LIBRARY = pathlib.Path(
    os.environ.get("JITSCOPE_INSPECT_LIBRARY") or ROOT / "build" / "runtime" / "inspect" / "libjitscope-inspect.so"
)
AT_LEAST = 1e6  # names in a second
IN_LIBRARY, IN_FILE = 300_000, 200_000  # names in a round


def symbols() -> list[str]:
    lines = CORPUS.read_text("utf-8").splitlines()
    return [line.split("\t")[2] for line in lines if line and not line.startswith("#")]


def measure(rounds: int) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        return [in_library(pathlib.Path(folder), rounds), in_batch(pathlib.Path(folder), rounds)]


def in_library(folder: pathlib.Path, rounds: int) -> Figure:
    listed, program = folder / "names.txt", folder / "names_rate"
    listed.write_text("\n".join(symbols()) + "\n", "utf-8")
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise NotMeasured("a C compiler is needed")
    compile_it = [compiler, "-O2", f"-I{ROOT / 'runtime' / 'inspect'}", str(SOURCE), "-o", str(program), str(LIBRARY)]
    subprocess.run([*compile_it, f"-Wl,-rpath,{LIBRARY.parent}", "-ldl"], check=True)
    command = [str(program), str(listed), str(rounds), str(IN_LIBRARY)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    lines = [line.split() for line in done.stdout.splitlines()]
    count = int(lines[0][2])
    ours, theirs = ([float(line[column]) / count for line in lines] for column in (0, 1))
    if not all(theirs):
        raise NotMeasured("libstdc++.so.6 is not here")
    title = "one linkage name, in the library"
    figure = compare("names.library", title, "µs", ours, theirs, "__cxa_demangle", scale=1e6)
    rate = 1 / (figure.ours.median / 1e6)
    figure.goal, figure.met = "≥ 1 M/s", rate >= AT_LEAST
    figure.notes = [f"{rate / 1e6:.2f} M names a second; {len(symbols())} different names"]
    return figure


def in_batch(folder: pathlib.Path, rounds: int) -> Figure:
    filt = shutil.which("c++filt")
    if filt is None:
        raise NotMeasured("c++filt is not here (on Debian: apt-get install binutils)")
    names = symbols()
    text = ("\n".join(names) + "\n") * (IN_FILE // len(names) + 1)
    listed = folder / "many.txt"
    listed.write_text(text, "utf-8")
    count = text.count("\n")
    env = {**os.environ, "PYTHONPATH": str(ROOT / "runtime" / "python"), "JITSCOPE_INSPECT_LIBRARY": str(LIBRARY)}

    def once(command: list[str]) -> float:
        with listed.open() as source:
            start = time.perf_counter()
            subprocess.run(command, stdin=source, stdout=subprocess.DEVNULL, env=env, check=True)
            return (time.perf_counter() - start) / count

    ours, theirs = [sys.executable, "-m", "jitscope", "filt"], [filt]
    samples = in_turn({"ours": lambda: once(ours), "theirs": lambda: once(theirs)}, rounds)
    title = f"one name of {count} piped through `jitscope filt`"
    return compare("names.filt", title, "µs", samples["ours"], samples["theirs"], "c++filt", scale=1e6)
