"""The text of `jit array`, in GDB and in reports of crashes. Plain Python, usable outside of GDB; arrays are
dictionaries of docs/schema/array.json."""

from __future__ import annotations

from typing import Any


def lines(found: dict[str, Any]) -> list[str]:
    """Return what is known of an array: its layout, its memory and its statistics."""
    shown = [*_layout(found), *_members(found)]
    if found["statistics"] is not None:
        shown += _statistics(found["statistics"], found["dtype"].strip("'").startswith(("datetime64", "timedelta64")))
    else:
        shown.append("no statistics: its elements are not numbers")
    if found["older"]:
        shown.append(f"memory     {found['older']}")
    if found["overlaps"]:
        shown.append(f"overlaps   {', '.join(found['overlaps'])} (the same range of memory)")
    return [*shown, *_where(found), *_difference(found)]


def _where(found: dict[str, Any]) -> list[str]:
    where = found.get("where")
    if where is None:
        return []
    shown = [f"where      {where['count']} of {found['size']}"]
    shown += [f"  {index} = {number(value)}" for index, value in zip(where["indices"], where["values"])]
    return shown + ["  ..."] * (where["count"] > len(where["indices"]))


def _difference(found: dict[str, Any]) -> list[str]:
    difference = found.get("difference")
    if difference is None:
        return []
    shown = [f"differs    in {difference['count']} of {difference['of']}"]
    if difference["count"]:
        shown[0] += f", largest relative error {difference['largest_relative_error']}"
        shown.append(f"  at {', '.join(map(str, difference['indices']))}")
        shown[-1] += ", ..." * (difference["count"] > len(difference["indices"]))
    return shown


def _layout(found: dict[str, Any]) -> list[str]:
    shown = [f"{found['type']}", f"dtype      {found['dtype']}, {_counted(found['itemsize'], 'byte')} each"]
    size = f"{_counted(found['size'], 'element')}, {_counted(found['nbytes'], 'byte')}"
    shown.append(f"shape      {_tuple(found['shape'])}, {size}")
    if found["data"] is None:
        return [*shown, "computed   not in memory"]
    order = {"C": "C order", "F": "Fortran order", "CF": "contiguous", "": "not contiguous"}[found["order"]]
    notes = [order, "aligned" if found["aligned"] else "not aligned"] + ["read-only"] * bool(found["readonly"])
    shown.append(f"strides    {_tuple(found['strides'])}: {', '.join(notes)}")
    shown.append(f"data       {found['data']:#x}")
    owner = found["owner"]
    shown.append(
        f"owner      {owner['address']:#x}, {_counted(owner['references'], 'reference')}"
        if owner
        else "owner      none: references to its memory are not counted"
    )
    return shown


def _members(found: dict[str, Any]) -> list[str]:
    members = found.get("members", [])
    return [f"  +{m['offset']:<4} {m['name']:<9} {_grouped(m['bytes'])}  {m['text']}" for m in members]


def _grouped(digits: str) -> str:
    return " ".join(digits[i : i + 16] for i in range(0, len(digits), 16))


def number(value: Any) -> str:
    if isinstance(value, dict):
        return repr(complex(float(value["re"]), float(value["im"])))
    return str(value)


def _statistics(s: dict[str, Any], are_times: bool) -> list[str]:
    if not s["count"]:
        return ["empty"]
    shown = []
    if s["min"] is not None:
        shown.append(f"min, max   {number(s['min'])}, {number(s['max'])}")
    if s["mean"] is not None:
        shown.append(f"mean, std  {number(s['mean'])}, {number(s['std'])}")
    counts = [
        f"{s[key]} {word}"
        for key, word in (
            ("nan", "NaN"),
            ("positive_infinity", "Inf"),
            ("negative_infinity", "-Inf"),
            ("zero", "zero"),
            ("subnormal", "subnormal"),
        )
    ]
    odd = "NaT" if are_times else "NaN"
    shown.append(f"counts     {s['nan']} NaT" if are_times else f"counts     {', '.join(counts)}")
    if s["first_nan"] is not None:
        shown.append(f"first {odd}  {s['first_nan']}")
    shown.append(f"distinct   {'' if s['distinct_is_exact'] else '> '}{s['distinct']}")
    return shown + (_histogram(s["histogram"]) if s["histogram"] else [])


def _histogram(h: dict[str, Any]) -> list[str]:
    most = max(h["counts"]) or 1
    step = (h["high"] - h["low"]) / len(h["counts"])
    head = "histogram" + (f"  (of every {h['every']}th element)" if h["every"] > 1 else "")
    bars = [
        f"  {h['low'] + i * step:>12.6g}  {'#' * ((40 * count + most - 1) // most)} {count}"
        for i, count in enumerate(h["counts"])
    ]
    return [head, *bars]


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")


def _tuple(items: list[int]) -> str:
    return str(tuple(items))
