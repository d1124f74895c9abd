"""What the subscripts and the divisors of a source line are where the program has stopped: the value of each index,
which indices are outside of their arrays, which key is in no dict, and which divisor is 0."""

from __future__ import annotations

from typing import Any

from jitscope_source.statements import divisors, index_operands, keys

from ..frames import frames
from ..target import sources, target

_COUNTED = ("name", "constant", "expression")  # kinds of an index (docs/schema/subscripts.json) that take one element


def integer(debuggee: target.Target, at: frames.NativeFrame, text: str) -> int | None:
    """Return the value of an expression; None if it is not known, or no integer."""
    value = _value(debuggee, at, text)
    return value if type(value) is int else None


def of_index(debuggee: target.Target, at: frames.NativeFrame, text: str) -> int | None:
    """Return the value that the expression of an index has in compiled code; None if it is not known."""
    value = integer(debuggee, at, text)
    operands = index_operands.of_expression(text)
    if value is None or operands is None:
        return None
    return index_operands.compiled(
        value,
        operands,
        lambda operand: str(evaluated(debuggee, at, operand).get("type") or ""),
        lambda step: _value(debuggee, at, step),
    )


def zero_divisor(debuggee: target.Target, frame: Any) -> str:
    """Return the text of the only divisor of the frame's line that is 0, if all its divisors are known numbers."""
    place = frame.find_sal()
    path = sources.find(debuggee, place.symtab.fullname()) if place.symtab else None
    texts = divisors.of_line(path, place.line, sources.born(debuggee)) if path else None
    at = frames.NativeFrame(frame, debuggee.memory)
    values = [(text, _value(debuggee, at, text)) for text in texts or ()]
    if any(isinstance(value, bool) or not isinstance(value, (int, float)) for _, value in values):
        return ""
    zeros = [text for text, value in values if value == 0]
    return zeros[0] if len(zeros) == 1 else ""


def missing_key(debuggee: target.Target, frame: Any) -> str:
    """Return a sentence about the only key of the frame's line that is not in its dict, as the variables are now; "" if
    there is none, or if the key or the dict is not known exactly."""
    place = frame.find_sal()
    path = sources.find(debuggee, place.symtab.fullname()) if place.symtab else None
    found = keys.of_line(path, place.line, sources.born(debuggee)) if path else None
    at = frames.NativeFrame(frame, debuggee.memory)
    sentences = []
    for container, key, kind in found or ():
        shown = evaluated(debuggee, at, key)
        if shown.get("state") != "exact" or shown.get("error"):
            continue
        error = evaluated(debuggee, at, f"{container}[{key}]").get("error") or ""  # a list has another error
        if not error.startswith("KeyError") or _value(debuggee, at, f"({key}) in {container}") is not False:
            continue
        text = shown["text"]
        named = {"name": f"`{key}` = {text}", "constant": f"key {text}"}.get(kind, f"key {text} (`{key}`)")
        sentences.append(f"{named} is not in `{container}`")
    return sentences[0] if len(sentences) == 1 else ""


def _value(debuggee: target.Target, at: frames.NativeFrame, text: str) -> Any:
    """Return the value of an expression; None if it is not exact."""
    found = evaluated(debuggee, at, text)
    return found.get("value") if found.get("state") == "exact" and not found.get("error") else None


def evaluated(debuggee: target.Target, at: frames.NativeFrame, text: str) -> dict[str, Any]:
    """Return what js_program_print says of an expression; nothing where it cannot be evaluated."""
    return debuggee.evaluated(at.pointer, text, frames.render_options())


def outside(debuggee: target.Target, frame: Any, items: bool = False) -> list[str]:
    """Return a sentence for each index on the frame's line that is outside of its array or list, as the variables are
    now. `items`: only of lists and tuples, whose bounds Numba always checks."""
    place = frame.find_sal()
    path = place.symtab.fullname() if place.symtab else None
    found = sources.subscripts(debuggee, path, place.line) if path else None
    at = frames.NativeFrame(frame, debuggee.memory)
    subscripts = [subscript for subscript in found or () if subscript["array"]]
    texts = [text for subscript in subscripts for text in _of_one(debuggee, at, subscript, items)]
    return list(dict.fromkeys(texts))


def _of_one(debuggee: target.Target, at: frames.NativeFrame, subscript: dict[str, Any], items: bool) -> list[str]:
    """Return the sentences for one subscript. An item of a list, a tuple or a dict, and a field of an array of records,
    are arrays themselves: the first indices name them."""
    array, indices = subscript["array"], list(subscript["indices"])
    while indices and integer(debuggee, at, f"{array}.ndim") is None:
        index = indices.pop(0)
        value = of_index(debuggee, at, index["text"]) if index["kind"] in _COUNTED else None
        if value is None:
            return []
        if (size := _length_if_short(debuggee, at, array, value)) is not None:
            return [f"{_shown(index, value)} is outside of `{array}` ({size} item{'' if size == 1 else 's'})"]
        array = f"{array}[{value}]"
    if indices and indices[0]["text"][:1] in ("'", '"'):
        array += f"[{indices.pop(0)['text']}]"
    if items or any(index["kind"] == "other" for index in indices):
        return []
    sentences = (
        _outside(debuggee, at, array, axis, index) for axis, index in enumerate(indices) if index["kind"] in _COUNTED
    )
    return [text for text in sentences if text]


def _length_if_short(debuggee: target.Target, at: frames.NativeFrame, array: str, index: int) -> int | None:
    """Return the length of a list or a tuple that has no such item; None for others, a dict for example."""
    error = evaluated(debuggee, at, f"{array}[{index}]").get("error") or ""
    return integer(debuggee, at, f"len({array})") if error.startswith("IndexError") else None


def _shown(index: dict[str, str], value: int) -> str:
    named = {"name": f"`{index['text']}` = {value}", "constant": f"index {value}"}
    return named.get(index["kind"], f"index {value} (`{index['text']}`)")


def _outside(debuggee: target.Target, at: frames.NativeFrame, array: str, axis: int, index: dict[str, str]) -> str:
    size, value = integer(debuggee, at, f"{array}.shape[{axis}]"), of_index(debuggee, at, index["text"])
    if size is None or value is None or -size <= value < size:
        return ""
    return f"{_shown(index, value)} is outside axis {axis} of `{array}` ({size} element{'' if size == 1 else 's'})"
