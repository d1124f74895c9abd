"""The texts of each command and front end about the variables of one moment; runs inside GDB, without third-party
imports."""

import contextlib
import json
import re

import gdb

ASSIGNED = re.compile(r"^ *(\w+) = (.*)$", re.M)
OUTSIDE = "--- of the function that started the loop"  # the lines after this one are not about the frame
IN_MI = re.compile(r'name="(\w+)",(?:arg="1",)?value="((?:[^"\\]|\\.)*)"')
PART = re.compile(r"  \[this worker's own part\]$")


def said(command):
    try:
        return gdb.execute(command, to_string=True)
    except (gdb.error, gdb.MemoryError) as error:
        return f"<error: {error}>"


def unescaped(text):
    """Return a string of MI's without escapes."""
    octal = re.sub(rb"\\(\d{3}|.)", lambda m: one_byte(m.group(1)), text.encode())
    return octal.decode("utf-8", "replace")


def one_byte(text):
    return bytes([int(text, 8)]) if len(text) == 3 else {b"n": b"\n", b"t": b"\t"}.get(text, text)


def surfaces(names):
    """Return the texts by surface and name. `names`: those that GDB has once in the selected frame."""
    rows = [row for row in json.loads(gdb.execute("jit locals -json", to_string=True)) if "thread" not in row]
    listed = [row["name"] for row in rows]
    texts = {
        "info": found(own("info locals") + said("info args"), names),
        "print": {name: printed(said(f"print {name}")) for name in names},
        "bt -full": found(said("bt -full 1"), names),
        "jit locals": found(own("jit locals"), listed),
        "json": {row["name"]: row["text"] for row in rows},
        "jit print": {name: said(f"jit print {name}").rstrip("\n") for name in listed},
        "jit bt -full": found(said("jit bt -full 1"), listed),
    }
    with contextlib.suppress(UnicodeDecodeError):  # MI escapes some bytes of a character and not others
        mi = said('interpreter-exec mi3 "-stack-list-variables --all-values"')
        texts["mi"] = {name: unescaped(text) for name, text in IN_MI.findall(mi) if name in names}
    return texts


def own(command):
    """Return the command's output about the frame itself."""
    return said(command).partition(OUTSIDE)[0]


def printed(text):
    """Return the text that `print` shows. An expression without a value is not kept, and has no number."""
    return re.sub(r"^\$\d+ = ", "", text).rstrip("\n")


def found(text, names):
    """Return the values by name, without the note on a parallel loop's reduction."""
    return {name: PART.sub("", value) for name, value in ASSIGNED.findall(text) if name in names}


def heads_differ():
    """Return the innermost frame's line, if `bt` and `jit bt` have different ones."""
    heads = [said(command).partition("\n")[0] for command in ("bt 1", "jit bt 1")]
    # `jit bt` also has the index of a parallel loop, and the iterations that the worker was given.
    without = [re.sub(r", iterations [^/]*$", "", head) for head in heads]
    plain = [re.sub(r"^#0 +(?:0x[0-9a-f]+ in )?|(?<=\)), \w+ = .*(?= at )", "", head) for head in without]
    return [] if plain[0] == plain[1] else [["bt", {"bt": heads[0], "jit bt": heads[1]}]]
