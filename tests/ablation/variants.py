"""The library with one rule switched off, and with functions that count its answers (probe.c)."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path

from .rules import PROGRAM, ROOT, Rule

BUILD = ROOT / "build"
LIBRARY = "runtime/inspect/libjitscope-inspect.so"
PROBE = Path(__file__).parent / "probe.c"


def switched_off(text: str, rule: Rule) -> str:
    """Return the source of the rule's file, in which the function begins with the rule's body."""
    definition = re.compile(rf"^[a-z][^;{{}}()]*\b{rule.function}\([^;{{}}]*\)\n{{\n", re.M)
    found = definition.findall(text)
    if len(found) != 1:
        raise ValueError(f"{rule.file} has {len(found)} definitions of {rule.function}")
    return definition.sub(lambda match: f"{match[0]}    {rule.body}\n", text)


def flags(source: Path) -> list[str]:
    """Return the compiler's arguments for the source in BUILD, without the names of the source and the output."""
    for entry in json.loads((BUILD / "compile_commands.json").read_text("utf-8")):
        if (BUILD / entry["file"]).resolve() == source:
            words = shlex.split(entry["command"])
            left_out = {"-MQ", "-MF", "-o", "-c"}
            return [
                word
                for before, word in zip(["", *words], words)
                if word not in {*left_out, "-MD", "-g"} and before not in left_out
            ]
    raise ValueError(f"nothing in {BUILD} is made of {source}")


def compiled(source: Path, like: Path, output: Path) -> Path:
    """Compile `source` with the arguments for the product's file `like`."""
    command = [*flags(like), "-w", "-iquote", str(like.parent), "-c", str(source), "-o", str(output)]
    subprocess.run(command, cwd=BUILD, check=True)
    return output


def linked(objects: list[Path], output: Path) -> Path:
    """Link the product with these objects before its own, since the first definition of a function is taken."""
    told = subprocess.run(
        ["ninja", "-C", str(BUILD), "-t", "commands", LIBRARY], check=True, capture_output=True, text=True
    )
    words = shlex.split(told.stdout.splitlines()[-1])
    words[words.index("-o") + 1] = str(output)
    at = words.index(str(output)) + 1
    words[at:at] = ["-Wl,--allow-multiple-definition", *map(str, objects)]
    subprocess.run(words, cwd=BUILD, check=True)
    return output


def made(folder: Path, rule: Rule | None) -> Path:
    """Return the library with the rule switched off; None: with all rules."""
    folder.mkdir(parents=True, exist_ok=True)
    probe = folder.parent / "probe.o"
    if not probe.exists():
        compiled(PROBE, PROGRAM / "elements" / "stores_of_code.c", probe)
    objects = [probe]
    if rule:
        source = folder / Path(rule.file).name
        source.write_text(switched_off((PROGRAM / rule.file).read_text("utf-8"), rule), "utf-8")
        objects.append(compiled(source, PROGRAM / rule.file, folder / "rule.o"))
    return linked(objects, folder / Path(LIBRARY).name)
