"""The comparison of the commands and front ends at one stop: all must show the same.

Each has its texts by the variables' names. This runs in GDB's own Python, too."""

import re

GDB = ("info", "print", "mi", "bt -full", "symbol", "dap")
JITSCOPE = ("jit locals", "json", "jit print", "jit bt -full")
OUT = "<optimized out>"
# These list every variable that their debugger has.
LISTING = (GDB[:3], JITSCOPE[:3])


def whole(text):
    """Return "optimized out" for a text in which all members are: MI writes a value in this form if GDB's commands call
    it optimized out as a whole."""
    return OUT if re.fullmatch(rf"(?:[{{}}, ]|\w+ = |{OUT})+", text) and OUT in text else text


def is_label(text):
    return re.fullmatch(r"<.*>", text) is not None


def disagreements(texts):
    """Return [name, {surface: text}] where two surfaces show different values, or one a value and the other, of the
    same debugger, a label; if GDB shows a value, jitscope does, too."""
    result = []
    listing = [[surface for surface in all_of if surface in texts] for all_of in LISTING]
    for name in sorted({name for each in texts.values() for name in each}):
        shown = {surface: whole(each[name]) for surface, each in texts.items() if name in each}
        missing = [s for all_of in listing if not shown.keys().isdisjoint(all_of) for s in all_of if s not in shown]
        if shown.get("info") == OUT:  # MI leaves out a variable that has no place anywhere in the function
            missing = [surface for surface in missing if surface != "mi"]
        of_gdb = [s for s in GDB if s in shown and not is_own(s, shown)]
        plain = {shown[s] for s in of_gdb}
        own = {"label" if s == "jit print" and is_refused(shown[s]) else shown[s] for s in JITSCOPE if s in shown}
        labels = {text for text in own if text == "label" or is_label(text)}
        values = {text for text in own - labels if "<" not in text}
        behind = {text for text in plain if "<" not in text}
        if missing or len(plain) > 1 or (labels and own - labels) or len(own - labels) > 1:
            result.append([name, shown])
        elif behind and (behind != values and values or labels):
            result.append([name, shown])
    return result


def is_own(surface, shown):
    """True if `print` has jitscope's label, which it has if GDB reads the name as a word of C, such as `char`."""
    text = shown[surface]
    return surface == "print" and text != OUT and is_label(text) and text == shown.get("jit print")


def is_refused(text):
    return is_label(text) or text.startswith("jit print: ")
