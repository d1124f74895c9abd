"""Write JSON schemas as tables: one row for each member of an object.

Only the keywords that the schemas of this project use are known. Another one is an error, so that no page leaves out
what a schema says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

Node = Mapping[str, Any]
KNOWN = frozenset(
    "$schema $id $defs $ref title description type properties required additionalProperties items prefixItems minItems "
    "maxItems enum const minimum maximum minLength pattern anyOf oneOf allOf if then not".split()
)


class UnknownKeyword(Exception):
    """A keyword of JSON Schema that this module cannot write."""


def plain(text: str) -> str:
    """Escape what has a meaning in a table of Markdown, other than in backquotes."""
    parts = re.split(r"(`[^`]*`)", " ".join(text.split()))
    escaped = (part if part.startswith("`") else re.sub(r"([\\*_<>\[\]])", r"\\\1", part) for part in parts)
    return "".join(escaped).replace("|", "\\|")


def code(value: Any) -> str:
    return f"`{json.dumps(value, ensure_ascii=False)}`".replace("|", "\\|")


def one_of(texts: list[str]) -> str:
    unique = list(dict.fromkeys(texts))
    last = ", or " if any(text.startswith("array of") for text in unique) else " or "
    return last.join([", ".join(unique[:-1]), unique[-1]] if len(unique) > 2 else unique)


class Writer:
    """Write one schema. prefix: of the targets of its definitions."""

    def __init__(self, prefix: str):
        self.prefix = prefix
        self._tables: list[tuple[str, Node]] = []  # objects whose members are still to be written, with their places

    def kind(self, node: Node, place: str) -> str:
        """Return what a value is; objects in it have a table of their own, under `place`."""
        if unknown := set(node) - KNOWN:
            raise UnknownKeyword(f"{self.prefix}, {place}: {', '.join(sorted(unknown))}")
        if "$ref" in node:
            name = node["$ref"].removeprefix("#/$defs/")
            return f"[{name}](#{self.prefix}-{name})"
        if "const" in node:
            return code(node["const"])
        if "enum" in node:
            return one_of([code(value) for value in node["enum"]])
        for key in ("anyOf", "oneOf"):
            if key in node and "type" not in node:
                return self._alternatives(node[key], place)
        if "allOf" in node and "type" not in node:
            return " and ".join(self.kind(each, place) for each in node["allOf"])
        types = node.get("type", "any value")
        return one_of([self._of_type(name, node, place) for name in ([types] if isinstance(types, str) else types)])

    def _alternatives(self, nodes: list[Node], place: str) -> str:
        """Return what the value is one of. Objects with other members each are counted, and so are their tables."""
        objects = [node for node in nodes if "properties" in node]
        texts = []
        for node in nodes:
            if node in objects and len(objects) > 1:
                self.kind(node, place)
                number = f"{objects.index(node) + 1} of {len(objects)}"
                self._tables[-1] = (f"{place} {number}", node)
                texts.append(f"one of {len(objects)} objects")
            else:
                texts.append(self.kind(node, place))
        return one_of(texts)

    def _of_type(self, name: str, node: Node, place: str) -> str:
        if name == "array":
            return self._array(node, place)
        if name == "object":
            return self._object(node, place)
        limits = []
        if name in ("integer", "number"):
            limits += [f"at least {node['minimum']}"] if "minimum" in node else []
            limits += [f"at most {node['maximum']}"] if "maximum" in node else []
        if name == "string":
            limits += [f"of at least {node['minLength']} characters"] if node.get("minLength", 1) > 1 else []
            limits += ["not empty"] if node.get("minLength") == 1 else []
            limits += [f"of the form {code(node['pattern'])}"] if "pattern" in node else []
        return ", ".join([name, *limits])

    def _array(self, node: Node, place: str) -> str:
        least, most = node.get("minItems", 0), node.get("maxItems")
        if "prefixItems" in node:
            return f"array of {', '.join(self.kind(item, place) for item in node['prefixItems'])}"
        items = node.get("items")
        count = (
            f"{least} " if least == most else f"{least} to {most} " if most else f"{least} or more " if least else ""
        )
        if items is None:
            return f"array of {count}any values"
        kind = self.kind(items, f"{place}[]")
        return f"array of {count}({kind})" if " " in re.sub(r"\(.*?\)", "", kind) else f"array of {count}{kind}"

    def _object(self, node: Node, place: str) -> str:
        others = node.get("additionalProperties")
        if "properties" in node:
            if others is not False:
                raise UnknownKeyword(f"{self.prefix}, {place}: an object may have members that it does not list")
            self._tables.append((place, node))
            return "object"
        text = f"object, whose values are {self.kind(others, place)}" if others else "object"
        if "not" in node:
            (names,) = ([name for each in node["not"]["anyOf"] for name in each["required"]],)
            text += f", without a member {one_of([f'`{name}`' for name in names])}"
        return text

    def clause(self, node: Node) -> str:
        """Return a condition on an object's members."""
        found = []
        for name, member in node["properties"].items():
            negated = "not" in member
            found.append(
                f"`{name}` is {'not ' if negated else ''}{self.kind(member['not'] if negated else member, name)}"
            )
        return " and ".join(found)

    def table(self, node: Node, place: str) -> Iterator[str]:
        """Yield the rows for an object's members."""
        yield from ["| member | required | value | meaning |", "|---|---|---|---|"]
        for name, member in node["properties"].items():
            required = "yes" if name in node.get("required", ()) else "no"
            kind = self.kind(member, f"{place}.{name}" if place else name)
            yield f"| `{name}` | {required} | {kind} | {' '.join(descriptions(member))} |"
        yield ""
        for each in node.get("allOf", ()):
            yield from [f"If {self.clause(each['if'])}, then {self.clause(each['then'])}.", ""]
        if "anyOf" in node:
            sets = [", ".join(f"`{name}`" for name in each["required"]) for each in node["anyOf"]]
            yield from ["An object has all members of one of these lists:", "", *(f"- {names}" for names in sets), ""]

    def value(self, node: Node) -> Iterator[str]:
        """Yield sentences on what a schema or a definition describes, and the tables of all objects in it."""
        self._tables = []
        kind = self.kind(node, "")
        for description in descriptions(node):
            yield from [description, ""]
        if kind != "object" or not self._tables:
            article = "an " if kind.startswith(("array", "object")) else ""
            yield from [f"The value is {article}{kind}.", ""]
        while self._tables:
            place, found = self._tables.pop(0)
            place, *number = place.split(" ", 1)
            if place or number:
                which = "".join(f" ({each})" for each in number)
                yield from [f"Members of {f'`{place}`' if place else 'the object'}{which}:", ""]
            yield from self.table(found, place)


def descriptions(node: Node) -> list[str]:
    """Return what the schema says of a value, and of the values in it that have no row of their own."""
    found = [plain(node["description"])] if "description" in node else []
    inner = [node["items"]] if "items" in node else []
    for key in ("anyOf", "oneOf"):
        inner += node.get(key, [])
    return found + [text for each in inner for text in descriptions(each)]


def section(path: Path, level: str) -> str:
    """Return the section for a schema file, under a heading of this level."""
    schema = json.loads(path.read_text("utf-8"))
    prefix = f"json-{path.stem}"
    writer = Writer(prefix)
    lines = [f"({prefix})=", f"{level} {schema['title']}", "", f"Schema: [{path.name}](schema/{path.name})", ""]
    lines += writer.value(schema)
    for name, node in schema.get("$defs", {}).items():
        lines += [f"({prefix}-{name})=", f"{level}# {name}", "", *writer.value(node)]
    return "\n".join(lines)


def is_internal(path: Path) -> bool:
    """True if no command writes this JSON: its schema has no name for others."""
    return "$id" not in json.loads(path.read_text("utf-8"))


def page(paths: list[Path]) -> str:
    parts = [section(path, "##") for path in paths if not is_internal(path)]
    parts += ["## Between C and Python\n", *(section(path, "###") for path in paths if is_internal(path))]
    return "\n".join(parts)
