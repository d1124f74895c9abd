"""Inside GDB: what each command and front end says of the variables of one moment, and where two disagree.

No third-party import.
"""

import json
import re

import gdb

GDB = ("info", "print", "mi", "bt -full", "symbol")
JITSCOPE = ("jit locals", "json", "jit print", "jit bt -full")
ASSIGNED = re.compile(r"^ *(\w+) = (.*)$", re.M)
IN_MI = re.compile(r'name="(\w+)",(?:arg="1",)?value="((?:[^"\\]|\\.)*)"')


def said(command):
    try:
        return gdb.execute(command, to_string=True)
    except (gdb.error, gdb.MemoryError) as error:
        return f"<error: {error}>"


def unescaped(text):
    """A string of MI's."""
    octal = re.sub(rb"\\(\d{3}|.)", lambda m: one_byte(m.group(1)), text.encode())
    return octal.decode("utf-8", "replace")


def one_byte(text):
    return bytes([int(text, 8)]) if len(text) == 3 else {b"n": b"\n", b"t": b"\t"}.get(text, text)


def surfaces(names):
    """By surface and name, the texts; names: those that GDB has once in the selected frame."""
    rows = json.loads(gdb.execute("jit locals -json", to_string=True))
    listed = [row["name"] for row in rows]
    mi = said('interpreter-exec mi3 "-stack-list-variables --all-values"')
    return {
        "info": found(said("info locals") + said("info args"), names),
        "print": {name: said(f"print {name}").partition(" = ")[2].rstrip("\n") for name in names},
        "bt -full": found(said("bt -full 1"), names),
        "mi": {name: unescaped(text) for name, text in IN_MI.findall(mi) if name in names},
        "jit locals": found(said("jit locals"), listed),
        "json": {row["name"]: row["text"] for row in rows},
        "jit print": {name: said(f"jit print {name}").rstrip("\n") for name in listed},
        "jit bt -full": found(said("jit bt -full 1"), listed),
    }


def found(text, names):
    return {name: value for name, value in ASSIGNED.findall(text) if name in names}


def is_label(text):
    return re.fullmatch(r"<.*>", text) is not None


def disagreements(texts):
    """[name, {surface: text}] where two surfaces show other values, or one a value and the other, of the same
    debugger, a label; where GDB shows a value, jitscope does."""
    result = []
    for name in sorted({name for each in texts.values() for name in each}):
        shown = {surface: each[name] for surface, each in texts.items() if name in each}
        missing = [s for s in GDB[:3] if s not in shown and any(g in shown for g in GDB)]
        missing += [s for s in JITSCOPE[:3] if s not in shown and any(j in shown for j in JITSCOPE)]
        plain = {shown[s] for s in GDB if s in shown}
        own = {"label" if s == "jit print" and is_refused(shown[s]) else shown[s] for s in JITSCOPE if s in shown}
        labels = {text for text in own if text == "label" or is_label(text)}
        values = {text for text in own - labels if "<" not in text}
        behind = {text for text in plain if "<" not in text}
        if missing or len(plain) > 1 or (labels and own - labels) or len(own - labels) > 1:
            result.append([name, shown])
        elif behind and (behind != values and values or labels):
            result.append([name, shown])
    return result


def is_refused(text):
    return is_label(text) or text.startswith("jit print: ")


def heads_differ():
    """The innermost frame's line, where `bt` and `jit bt` have another."""
    heads = [said(command).partition("\n")[0] for command in ("bt 1", "jit bt 1")]
    plain = [re.sub(r"^#0 +(?:0x[0-9a-f]+ in )?|(?<=\)), \w+ = .*(?= at )", "", head) for head in heads]
    return [] if plain[0] == plain[1] else [["bt", {"bt": heads[0], "jit bt": heads[1]}]]
