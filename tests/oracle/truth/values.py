"""Is what a debugger shows what Python has?  Both sides as encoded by record.py and observe.py."""

from __future__ import annotations

import ast
import math
import re
from typing import Any

Encoded = dict[str, Any]

EXACT, WRONG, CONTENT, LABEL, OPAQUE = "exact", "wrong", "content", "label", "opaque"
_WORST = (WRONG, CONTENT, LABEL, OPAQUE, EXACT)
_NUMBERS = ("bool", "int", "float")


def number(item: Encoded) -> int | float:
    return float(item["v"]) if item["t"] == "float" else item["v"]


def same_number(left: int | float, right: int | float) -> bool:
    if isinstance(left, float) and math.isnan(left):
        return isinstance(right, float) and math.isnan(right)
    return left == right


def worst(verdicts: list[str]) -> str:
    return next((verdict for verdict in _WORST if verdict in verdicts), EXACT)


def compare(shown: Encoded, truth: Encoded) -> str:
    """EXACT, WRONG, CONTENT (of an array only elements differ), LABEL, or OPAQUE (not decoded here)."""
    kind = shown["t"]
    if kind in ("label", "opaque"):
        return kind
    if kind == "error":
        return WRONG
    want = truth["t"]
    if want == "other":
        return OPAQUE
    if kind in _NUMBERS and want in _NUMBERS:
        return EXACT if same_number(number(shown), number(truth)) else WRONG
    if kind == "ptr":
        return OPAQUE if want == "none" or shown["v"] else WRONG
    if kind != want:
        return WRONG
    if kind == "tuple":
        if len(shown["v"]) != len(truth["v"]):
            return WRONG
        return worst([compare(left, right) for left, right in zip(shown["v"], truth["v"])])
    if kind == "array":
        return compare_array(shown, truth)
    if kind == "complex":
        pairs = zip(shown["v"], truth["v"])
        return EXACT if all(same_number(float(a), float(b)) for a, b in pairs) else WRONG
    return EXACT if shown.get("v") == truth.get("v") else WRONG


def compare_array(shown: Encoded, truth: Encoded) -> str:
    if "[" in truth["dtype"]:  # of records
        return OPAQUE if shown["shape"] in (truth["shape"], [None] * len(truth["shape"])) else WRONG
    if shown["dtype"] not in (None, truth["dtype"]):
        return WRONG
    if len(shown["shape"]) != len(truth["shape"]):
        return WRONG
    if any(have not in (None, want) for have, want in zip(shown["shape"], truth["shape"])):
        return WRONG
    if shown["data"] is None:
        return LABEL
    if len(shown["data"]) != len(truth["data"]):
        return WRONG
    verdicts = [compare(left, right) for left, right in zip(shown["data"], truth["data"])]
    return CONTENT if WRONG in verdicts else EXACT


def from_json(value: Any, type_name: str = "") -> Encoded:
    """An encoded value from the "value" of `jit locals -json`, or from what a printer wrote."""
    if isinstance(value, bool):
        return {"t": "bool", "v": value}
    if isinstance(value, int):
        return {"t": "int", "v": value}
    if isinstance(value, float):
        return {"t": "float", "v": repr(value)}
    if isinstance(value, complex):
        return {"t": "complex", "v": [repr(value.real), repr(value.imag)]}
    if value is None:
        return {"t": "none"}
    if isinstance(value, str):
        if value.startswith("<pyobject at 0x"):
            return {"t": "opaque", "text": value}
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
    if set(value) == {"re", "im"}:
        return {"t": "complex", "v": [repr(float(value["re"])), repr(float(value["im"]))]}
    return {"t": "opaque", "text": str(value)}


def flatten(data: Any) -> list[Any]:
    if not isinstance(data, list):
        return [data]
    return [leaf for item in data for leaf in flatten(item)]


def compare_text(text: str, truth: Encoded) -> str:
    """What a printer wrote, where it can be read as Python; OPAQUE where it can't."""
    text = re.sub(r", dtype=\[.*\]\)$", ")", text)  # of records: `'<f8'` is no label
    if "<" in text:
        return LABEL
    if re.fullmatch(r"(\(\w+\) )?0x[0-9a-f]+", text):
        return OPAQUE
    body = re.sub(r"\bnan\b", "None", text)
    array = re.match(r"array\((\[.*?\])(?:, \w+=|\))", body, re.S)
    try:
        value = ast.literal_eval(array.group(1) if array else body)
    except (ValueError, SyntaxError):
        return OPAQUE
    if array:
        if truth["t"] != "array":
            return WRONG
        have = [from_json(item) for item in flatten(value)]
        if len(have) != len(truth["data"]):
            return OPAQUE if "..." in text else WRONG
        pairs = [(a, b) for a, b in zip(have, truth["data"]) if a["t"] != "none"]
        return CONTENT if any(compare(a, b) == WRONG for a, b in pairs) else EXACT
    if isinstance(value, tuple):
        return compare({"t": "tuple", "v": [from_json(item) for item in value]}, truth)
    if isinstance(value, (bool, int, float, complex, str)):
        return compare(from_json(value), truth)
    return OPAQUE
