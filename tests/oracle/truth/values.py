"""The comparison of a debugger's values with Python's, both as encoded by record.py and observe.py."""

from __future__ import annotations

import ast
import math
import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

Encoded = dict[str, Any]

# CONTENT: elements, items or attributes differ, and the variable itself has the right value.
EXACT, WRONG, CONTENT, LABEL, OPAQUE = "exact", "wrong", "content", "label", "opaque"
_WORST = (WRONG, CONTENT, LABEL, OPAQUE, EXACT)
_NUMBERS = ("bool", "int", "float")


def number(item: Encoded) -> int | float:
    return float(item["v"]) if item["t"] == "float" else item["v"]


def same_number(left: int | float, right: int | float, single: bool = False) -> bool:
    """True if the numbers are equal. `single`: of float32, which is written with the fewest digits that identify it."""
    if single:
        left, right = rounded(left), rounded(right)
    if isinstance(left, float) and math.isnan(left):
        return isinstance(right, float) and math.isnan(right)
    return left == right


def rounded(value: float) -> float:
    """Return the value as float32."""
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def worst(verdicts: list[str]) -> str:
    return next((verdict for verdict in _WORST if verdict in verdicts), EXACT)


def compare(shown: Encoded, truth: Encoded) -> str:
    """Return EXACT, WRONG, CONTENT (only an array's elements differ), LABEL, or OPAQUE (not decoded here)."""
    kind = shown["t"]
    if kind in ("label", "opaque"):
        return kind
    if truth["t"] == "any":  # memory that nothing has written yet
        return EXACT
    if truth["t"] == "date":
        return compare_date(shown, truth)
    if kind == "error":
        return WRONG
    want = truth["t"]
    if want == "other":
        return OPAQUE
    if kind in _NUMBERS and want in _NUMBERS:
        return EXACT if same_number(number(shown), number(truth), "single" in truth) else WRONG
    if kind == "ptr":
        return OPAQUE if want == "none" or shown["v"] else WRONG
    if kind == "members":  # a named tuple's, or an object's
        if want == "tuple":
            return compare({"t": "tuple", "v": list(shown["v"].values())}, truth)
        return compare({**shown, "t": "object"}, truth)
    if kind != want:
        return WRONG
    if kind == "tuple":
        if len(shown["v"]) != len(truth["v"]):
            return WRONG
        return worst([compare(left, right) for left, right in zip(shown["v"], truth["v"])])
    if kind == "array":
        return compare_array(shown, truth)
    if kind in ("list", "set", "dict", "object"):
        return compare_items(shown, truth)
    if kind == "complex":
        pairs = zip(shown["v"], truth["v"])
        single = "single" in truth
        return EXACT if all(same_number(float(a), float(b), single) for a, b in pairs) else WRONG
    return EXACT if shown.get("v") == truth.get("v") else WRONG


def compare_date(shown: Encoded, truth: Encoded) -> str:
    """Return the verdict on a date or duration: as NumPy writes it, np.timedelta64(4,'D'), or, in an array of one unit,
    without that."""
    if shown["t"] in _NUMBERS:  # without the unit: durations in an array, and GDB's form without a printer
        if number(shown) != truth["n"]:
            return WRONG
        return EXACT if truth["v"] == str(truth["n"]) else OPAQUE
    have = str(shown.get("v"))
    if match := re.fullmatch(r"np\.(?:datetime|timedelta)64\('?([^',]*)'?(?:, ?'(\w+)')?\)", have):
        if match[2] not in (None, truth["unit"]):
            return WRONG
        have = match[1]
    return EXACT if have == truth["v"] else WRONG


def is_dtype(shown: str | None, truth: str) -> bool:
    """True if the shown dtype may be Python's: Numba gives a variable one type, so an array of integers that are floats
    elsewhere has floats."""
    is_record = "[" in truth  # Python has the fields' names
    return shown in (None, truth) or is_record or (shown == "float64" and truth == "int64")


def compare_array(shown: Encoded, truth: Encoded) -> str:
    if not is_dtype(shown["dtype"], truth["dtype"]):
        return WRONG
    if shown["shape"] is not None:
        if len(shown["shape"]) != len(truth["shape"]):
            return WRONG
        if any(have not in (None, want) for have, want in zip(shown["shape"], truth["shape"])):
            return WRONG
    if shown["data"] is None:
        return LABEL
    if {"t": "opaque", "text": "..."} in shown["data"]:
        return OPAQUE
    if len(shown["data"]) != len(truth["data"]):
        return WRONG
    return within(compare(left, right) for left, right in zip(shown["data"], truth["data"]))


def within(verdicts: Iterable[str]) -> str:
    """Return the verdict on a container, by its items' verdicts."""
    found = worst(list(verdicts))
    return CONTENT if found == WRONG else found


def compare_items(shown: Encoded, truth: Encoded) -> str:
    have, want = shown["v"], truth["v"]
    if shown["t"] == "object":
        if shown["class"] != truth["class"]:
            return WRONG
        return within(compare(item, want[name]) if name in want else WRONG for name, item in have.items())
    if any(item == {"t": "opaque", "text": "..."} for item in have):
        return OPAQUE
    if shown.get("n", truth["n"]) != truth["n"] or len(have) != len(want):
        return CONTENT
    if shown["t"] == "dict":
        flat = zip([each for pair in have for each in pair], [each for pair in want for each in pair])
        return within(compare(left, right) for left, right in flat)
    if shown["t"] == "set":
        left = list(have)
        for item in want:
            same = next((one for one in left if compare(one, item) != WRONG), None)
            if same is None:
                return CONTENT
            left.remove(same)
        return EXACT
    return within(compare(left, right) for left, right in zip(have, want))


def possible(shown: Encoded, truths: Sequence[Encoded]) -> bool:
    """True if each element of an array has a value that it has in one of these states of the array."""
    same = [one["data"] for one in truths if one["t"] == "array" and compare_array(shown, one) in (EXACT, CONTENT)]
    return all(any(compare(item, data[n]) == EXACT for data in same) for n, item in enumerate(shown["data"]))


def from_json(value: Any, type_name: str = "") -> Encoded:
    """Return an encoded value from the "value" of `jit locals -json`, or from a printer's output."""
    if isinstance(value, bool):
        return {"t": "bool", "v": value}
    if isinstance(value, int):
        return {"t": "int", "v": value}
    if isinstance(value, float):
        return {"t": "float", "v": repr(value)}
    if isinstance(value, complex):
        return {"t": "complex", "v": [repr(value.real), repr(value.imag)]}
    if isinstance(value, bytes):
        return {"t": "bytes", "v": value.decode("latin-1")}
    if value is None:
        return {"t": "none"}
    if isinstance(value, str):
        if re.match(r"(?:readonly )?bytes\(", type_name):  # in JSON they are as Python writes them
            return from_json(ast.literal_eval(value))
        if value.startswith("<pyobject at 0x"):
            return {"t": "opaque", "text": value}
        # a pointer to a type whose members the debug information lacks
        if match := re.fullmatch(r"\(.*\*\) (0x[0-9a-f]+)", value):
            return {"t": "ptr", "v": int(match[1], 16)}
        if value in ("nan", "inf", "-inf") and "unicode" not in type_name:
            return {"t": "float", "v": value}
        return {"t": "str", "v": value}
    if isinstance(value, (list, tuple)):
        return {"t": "tuple", "v": [from_json(item) for item in value]}
    if value is ...:
        return {"t": "opaque", "text": "..."}
    if "shape" in value:
        data = flatten(value["data"])
        return {
            "t": "array",
            "dtype": value.get("dtype"),
            "shape": value["shape"],
            "data": [from_json(item) for item in data[:64]],
        }
    if "tuple" in value:
        return {"t": "tuple", "v": [from_json(item) for item in value["tuple"]]}
    for kind in ("list", "set"):
        if set(value) == {kind, "length"}:
            return {"t": kind, "n": value["length"], "v": [from_json(item) for item in value[kind]]}
    if set(value) == {"dict", "length"}:
        pairs = [[from_json(key), from_json(item)] for key, item in value["dict"]]
        return {"t": "dict", "n": value["length"], "v": pairs}
    if set(value) == {"class", "attributes"}:
        attributes = {name: from_json(item) for name, item in value["attributes"].items()}
        return {"t": "object", "class": value["class"], "v": attributes}
    if set(value) == {"re", "im"}:
        return {"t": "complex", "v": [repr(float(value["re"])), repr(float(value["im"]))]}
    return {"t": "opaque", "text": str(value)}


def flatten(data: Any) -> list[Any]:
    if not isinstance(data, list):
        return [data]
    return [leaf for item in data for leaf in flatten(item)]


AGE = "may be older"  # in a label of elements that are shown


def without_age(text: str) -> str:
    return re.sub(r"\s*<?[^<>()\[\]{}]*" + AGE + r"[^<>]*>?", "", text)


def parsed(text: str) -> Encoded | None:
    """Return a printer's text, read as Python; None if that fails, or if there is a label in it."""
    if re.search(r"\b0x[0-9a-f]", text):  # an address
        return None
    nested = r"\[(?:[^][]|\[(?:[^][]|\[[^][]*\])*\])*\]"
    body = re.sub(rf"(?:DictType|ListType){nested}(?:<iv=[^>]*>)?\(", "(", without_age(text))
    try:
        return from_tree(ast.parse(body, mode="eval").body)
    except (ValueError, SyntaxError):
        return None


def from_tree(tree: ast.expr) -> Encoded:
    if isinstance(tree, (ast.List, ast.Set, ast.Tuple)):
        kind = type(tree).__name__.lower()
        return {"t": kind, "v": [from_tree(item) for item in tree.elts]}
    if isinstance(tree, ast.Dict):
        pairs = zip(tree.keys, tree.values)
        return {"t": "dict", "v": [[from_tree(key), from_tree(item)] for key, item in pairs if key is not None]}
    if isinstance(tree, ast.Name) or isinstance(tree, ast.UnaryOp) and isinstance(tree.operand, ast.Name):
        return {"t": "float", "v": repr(float(ast.unparse(tree)))}
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name):
        name = tree.func.id
        if name == "array":
            data = tree.args[0]
            return {"t": "array", "dtype": None, "shape": None, "data": list(leaves(data))}
        if name == "set":
            return {"t": "set", "v": []}
        if tree.keywords and not tree.args:  # a named tuple, or an object
            members = {word.arg or "": from_tree(word.value) for word in tree.keywords}
            return {"t": "members", "class": name, "v": members}
        raise ValueError(name)
    if re.match(r"np\.(?:datetime|timedelta)64\(", ast.unparse(tree)):
        return {"t": "str", "v": ast.unparse(tree)}
    return from_json(ast.literal_eval(tree))


def leaves(tree: ast.expr) -> Iterator[Encoded]:
    for item in tree.elts if isinstance(tree, ast.List) else ():
        if isinstance(item, ast.List):
            yield from leaves(item)
        else:
            yield from_tree(item)


def compare_text(text: str, truth: Encoded) -> str:
    """Return the verdict on a printer's text if it can be read as Python; OPAQUE if it cannot."""
    found = parsed(text)
    if found is not None:
        return compare(found, truth)
    text = re.sub(r", dtype=\[.*\]\)$|<iv=[^>]*>", "", text)  # for records and containers: without labels
    return LABEL if "<" in text else OPAQUE
