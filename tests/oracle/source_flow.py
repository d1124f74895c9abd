"""The flow of a function by its source (docs/schema/flow.json), and its comparison with the interpreter."""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Callable

import jsonschema
from jitscope_source import flow_json

from tests.interpreters import ROOT

Flow = dict[str, Any]
Events = list[tuple[int, dict[str, Any]]]  # line and variables
VALIDATOR = jsonschema.Draft202012Validator(json.loads((ROOT / "docs/schema/flow.json").read_text()))


class Unknown(Exception):
    """A formula has no value here."""


def flow_of(source: str, line: int, name: str) -> Flow:
    """Return the flow of the function; an empty one if there is none."""
    found = flow_json.flow_of_source(source, line, name) or {}
    if found:
        VALIDATOR.validate(json.loads(json.dumps(found)))
    return found


def facts_at(flow: Flow) -> dict[tuple[int, str], dict[str, Any]]:
    """Return the facts by line and name."""
    return {
        (line, fact["name"]): fact for fact in flow.get("at", ()) for line in range(fact["first"], fact["last"] + 1)
    }


def computed(flow: Flow, line: int) -> dict[str, str]:
    """Return the formulas of the names at the line."""
    facts = facts_at(flow).items()
    return {name: flow["formulas"][fact["computed"]] for (at, name), fact in facts if at == line and "computed" in fact}


def events_of(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Events:
    """Return the variables at each line event of a call."""
    events: Events = []

    def local(frame: Any, event: str, _argument: Any) -> Any:
        if event == "line":
            events.append((frame.f_lineno, dict(frame.f_locals)))
        return local

    def trace(frame: Any, _event: str, _argument: Any) -> Any:
        return local if frame.f_code is function.__code__ else None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function(*arguments)
    finally:
        sys.settrace(before)
    return events


def check_definitions(flow: Flow, events: Events, entry: dict[str, Any], lines: int = 1) -> int:
    """Check that each variable at each event has one of the definitions that are listed. `lines`: of a statement, at
    most. Return how many were compared."""
    defs, facts = flow["defs"], facts_at(flow)
    assigned: dict[str, set[int]] = defaultdict(set, {name: {1} for name in entry})
    before = dict(entry)
    ran: set[int] = set()
    checked = 0
    for line, state in events:
        for variable in {definition["name"] for definition in defs}:
            fact = facts.get((line, variable))
            assert fact is not None, f"line {line} says nothing of {variable}"
            if variable not in state:
                assert fact.get("maybe_unassigned"), f"line {line}: {variable} is unassigned, {fact} is said"
                assigned.pop(variable, None)
            else:
                just = {each["line"] for each in defs if each["name"] == variable and each["line"] in ran}
                # or it was assigned the same value again
                same = variable in before and before[variable] is state[variable]
                assigned[variable] = just | (assigned[variable] if same else set())
                listed = {defs[number - 1]["line"] for number in fact["defs"]}
                assert assigned[variable] & listed, f"line {line}: {variable} of {assigned[variable]}, not in {listed}"
            checked += 1
        before = state
        ran = set(range(line, line + lines))
    return checked


class _Names(dict[str, Any]):
    def __missing__(self, name: str) -> Any:
        raise Unknown(name)


def _index(value: Any) -> int:
    if not isinstance(value, int):
        raise Unknown
    return value


def value_of(formula: str, state: Mapping[str, Any], entry: Mapping[str, Any]) -> Any:
    """Return the value of a formula if the variables have these values, and the arguments had those."""
    names = _Names(state, index=_index, len=len, min=min, max=max)
    names.update({f"entry__{name}": value for name, value in entry.items()})
    value = eval(re.sub(r"entry\((\w+)\)", r"entry__\1", formula), {"__builtins__": {}}, names)
    if value is ... or isinstance(value, tuple) and ... in value:
        raise Unknown
    return value


def check_computed(flow: Flow, events: Events, entry: dict[str, Any]) -> list[tuple[int, str]]:
    """Check the formulas' values of variables at each event. Return the line and name of each value that was
    compared."""
    formulas: dict[int, dict[str, str]] = defaultdict(dict)
    for (line, name), fact in facts_at(flow).items():
        if "computed" in fact:
            formulas[line][name] = flow["formulas"][fact["computed"]]
    checked = []
    for line, state in events:
        for name, formula in formulas[line].items():
            try:
                value = value_of(formula, state, entry)
            except Unknown:
                continue
            assert state.get(name) == value, (line, name, formula)
            checked.append((line, name))
    return checked
