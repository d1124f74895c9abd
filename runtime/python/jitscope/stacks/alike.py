"""Threads that have the same stack, such as the workers of a parallel loop: shown once, with what differs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from jitscope.paths import shared_module

_OWN = ("native_id", "python_name", "frames", "signal", "state")  # keys of a thread that may differ
_VARIABLES = ("arguments", "locals", "loop")
_MOST = 6  # differences that a thread may have; one that has more is shown by itself
_LONGEST = 200  # characters of a value that differs
_COMPARED = 4  # groups of the same shape that a thread is compared with


def by_key(entries: list[dict[str, Any]], key: Callable[[dict[str, Any]], Any]) -> list[list[dict[str, Any]]]:
    """Return the threads, tasks or greenlets in groups that have the same key, in order of the first of each."""
    found: dict[Any, list[dict[str, Any]]] = {}
    for entry in entries:
        found.setdefault(key(entry), []).append(entry)
    return list(found.values())


def groups(threads: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return the threads in groups whose stacks differ in few values or in none, in order of the first of each."""
    found: dict[str, list[list[dict[str, Any]]]] = {}
    ordered: list[list[dict[str, Any]]] = []
    for thread in threads:
        same = found.setdefault(_shape(thread), [])
        recent = same[-_COMPARED:] if thread["frames"] else []
        group = next((each for each in recent if _is_alike(each[0], thread)), None)
        if group is None:
            group = []
            same.append(group)
            ordered.append(group)
        group.append(thread)
    return ordered


def differences(first: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """Return what the other thread has of its own, such as `#1 i = 5`; the threads have the same shape. What several
    frames have is named once."""
    places: dict[str, list[str]] = {}
    for place, text in _differences(first, other):
        places.setdefault(text, []).append(place)
    return [" ".join([*filter(None, found), text]) for text, found in places.items()]


def _is_alike(first: dict[str, Any], other: dict[str, Any]) -> bool:
    texts = set()
    for _, text in _differences(first, other):
        texts.add(text)
        if len(texts) > _MOST:
            return False
    return True


def _differences(first: dict[str, Any], other: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the frame's number and what it has of its own."""
    if first["signal"] != other["signal"]:
        yield "", f"at the address {other['signal']['address']:#x}"
    texts = shared_module("jitscope_shared.base.stack_text")
    for one, two in zip(texts.numbered(first["frames"]), texts.numbered(other["frames"])):
        if one == two:
            continue
        if one.get("chunk") != two.get("chunk"):
            yield f"#{two['index']}", f"iterations {texts.ranges(two['chunk'])}"
        local = {each["name"] for each in two.get("locals", ())}
        for key in _VARIABLES:
            for its, own in zip(one.get(key, ()), two.get(key, ())):
                if key == "arguments" and own["name"] in local:
                    continue  # a Python frame has its arguments among its locals, too
                if own["text"] != its["text"]:
                    yield f"#{two['index']}", f"{own['name']} = {own['text'][:_LONGEST]}"
                elif own.get("value") != its.get("value"):
                    yield f"#{two['index']}", f"{own['name']}: other elements"


def _shape(thread: dict[str, Any]) -> str:
    """Return all that threads of one group have in common."""
    own = {key: value for key, value in thread.items() if key not in _OWN}
    own["signal"] = thread["signal"] and thread["signal"]["number"]
    own["frames"] = [_frame_shape(frame) for frame in thread["frames"]]
    return json.dumps(own, sort_keys=True)


def _frame_shape(frame: dict[str, Any]) -> dict[str, Any]:
    shape = {key: value for key, value in frame.items() if key not in (*_VARIABLES, "address", "chunk")}
    for key in _VARIABLES:
        shape[key] = [[part for name, part in sorted(each.items()) if name not in ("text", "value")]
                      for each in frame.get(key, ())]  # fmt: skip
    return {**shape, "has_chunk": bool(frame.get("chunk"))}
