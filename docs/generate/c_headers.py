"""Read the C headers of runtime/include, and write them as directives of Sphinx's C domain.

The headers are formatted by clang-format and hold few kinds of declarations, so a small reader is enough. It raises
an error at each line that it does not know: nothing of a header can be left out of the page by mistake.

A comment belongs to the declarations below it, up to the next comment or blank line. A comment on the last line of a
declaration belongs to that declaration. `/* ---- title ---- ... */` begins a section."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

NAME = re.compile(r"\b(?:__)?(?:jitscope|js)_\w+\b(?!\.h\b)(?:\(\))?|\bJITSCOPE_\w+\b")
SECTION = re.compile(r"---- (.*?) ----(.*)", re.DOTALL)
COMMENT = re.compile(r"\s*/\*(.*?)\*/", re.DOTALL)
# The preprocessor's lines that declare nothing, and what a declaration begins with.
IGNORED = re.compile(
    r'#(?:ifn?def|endif|include)\b.*|#define JITSCOPE_(?:\w+_)?H\b|#define JITSCOPE_API .*|extern "C" \{|\}'
)
MACRO = re.compile(r"#define (\w+)[ \t]+((?:[^\n/]|/(?!\*))+)")
STRUCT = re.compile(r"typedef struct (\w+) \{\n(.*?)\n\} \1;", re.DOTALL)
ENUM = re.compile(r"enum \{(.*?)\};", re.DOTALL)
CALLBACK = re.compile(r"typedef ([^;{]*\(\*(\w+)\)[^;{]*);")
INLINE = re.compile(r"static inline ([^;{]*?(\w+)\([^{;]*\))\n\{\n.*?\n\}", re.DOTALL)
FUNCTION = re.compile(r"JITSCOPE_API ([^;{]*?(\w+)\([^;{]*\));")
NAMED_ENUM = re.compile(r"(?:typedef )?enum (\w+) \{(.*?)\}(?: \1)?;\n?", re.DOTALL)
EXPORTED = re.compile(r"JS_API ([^;{]*?\b(js_\w+)\([^;{]*\));[ \t]*(?:/\*(.*?)\*/)?\n?", re.DOTALL)
VARIABLE = re.compile(r"JITSCOPE_API extern ([^;{(]*?(\w+));")


class UnknownDeclaration(Exception):
    """A line of a header that is none of the kinds above."""


@dataclass
class Item:
    """One declaration: kind (a directive of the C domain), signatures, its own comment, and its members."""

    kind: str
    signatures: list[str]
    names: list[str]
    comment: str = ""
    members: list[Item] = field(default_factory=list)


@dataclass
class Group:
    """Declarations without a blank line between them, and the comment above them."""

    comment: str = ""
    items: list[Item] = field(default_factory=list)
    section: str = ""  # the title of the section that begins here


def plain(comment: str) -> str:
    """Return the text of a comment without its stars and indentation, paragraphs separated by a blank line."""
    first, *others = comment.split("\n")
    return "\n".join([first.strip(), *(re.sub(r"^[ \t]*\*?[ \t]*", "", line) for line in others)]).strip()


def one_line(text: str) -> str:
    return " ".join(text.split())


def split_commas(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def enumerators(body: str) -> Iterator[Item]:
    """Yield the constants with their values, also where the header leaves a value to the compiler."""
    value: int | None = -1
    for text, comment in commented(body, ","):
        name, given, expression = (part.strip() for part in one_line(text).partition("="))
        if given:
            value = int(expression, 0) if re.fullmatch(r"-?\w+", expression) and not expression.isidentifier() else None
        elif value is None:
            raise UnknownDeclaration(f"the value of {name} follows from an expression")
        else:
            value += 1
        yield Item("enumerator", [f"{name} = {expression or value}"], [name], comment)


def commented(body: str, end: str) -> Iterator[tuple[str, str]]:
    """Yield each piece that ends with `end`, and the comment after it or on the lines above it."""
    pattern = re.compile(rf"\s*((?:/\*.*?\*/\s*)*)([^/{end}]+)(?:{end}|$)[ \t]*(/\*.*?\*/)?", re.DOTALL)
    place = 0
    while body[place:].strip():
        found = pattern.match(body, place)
        if found is None:
            raise UnknownDeclaration(body[place:].strip().partition("\n")[0])
        if found[2].strip():
            yield (
                found[2].strip(),
                "\n\n".join(plain(text) for text in re.findall(r"/\*(.*?)\*/", f"{found[1]}{found[3]}", re.DOTALL)),
            )
        place = found.end()


def fields(body: str, owner: str) -> Iterator[Item]:
    """Yield the members of a structure; a structure without a name inside of it comes before the member of its type."""
    nested = re.compile(r"^ *struct \{\n(.*?)\n *\} (\w+)(\[\w+\])?;[^\n]*\n?", re.DOTALL | re.MULTILINE)
    inner = nested.search(body)
    if inner is not None:
        yield from fields(body[: inner.start()], owner)
        kind = f"@{owner}_{inner[2]}"
        yield Item("struct", [kind], [kind], f"An element of `{inner[2]}`.", list(fields(inner[1], owner)))
        yield Item("member", [f"{kind} {inner[2]}{inner[3] or ''}"], [inner[2]])
        yield from fields(body[inner.end() :], owner)
        return
    for text, comment in commented(body, ";"):
        first, *others = split_commas(one_line(text))
        found = re.fullmatch(r"(.*?[ *])(\w+(?:\[\w+\])?)", first)
        if found is None:
            raise UnknownDeclaration(text)
        declared = [first, *(f"{found[1]}{other}" for other in others)]
        yield Item("member", declared, [re.sub(r"\[.*", "", found[2])], comment)


def declaration(text: str, place: int) -> tuple[Item, int]:
    """Return the declaration at this place, and where it ends."""
    if found := STRUCT.match(text, place):
        item = Item("struct", [found[1]], [found[1]], members=list(fields(found[2], found[1])))
    elif found := ENUM.match(text, place):
        item = Item("enum", [], [], members=list(enumerators(found[1])))
    elif found := CALLBACK.match(text, place):
        item = Item("type", [one_line(found[1])], [found[2]])
    elif found := INLINE.match(text, place):
        item = Item("function", [one_line(found[1])], [found[2]])
    elif found := FUNCTION.match(text, place):
        item = Item("function", [one_line(found[1])], [found[2]])
    elif found := VARIABLE.match(text, place):
        item = Item("var", [one_line(found[1])], [found[2]])
    elif found := MACRO.match(text, place):
        item = Item("macro", [found[1]], [found[1]], f"The value is `{found[2].strip()}`.")
    else:
        raise UnknownDeclaration(text[place:].partition("\n")[0])
    return item, found.end()


def read(text: str) -> list[Group]:
    """Return what a header declares, in its order. The first group has the comment at the header's top."""
    groups: list[Group] = [Group()]
    place = 0
    while place < len(text):
        line = text[place:].partition("\n")[0]
        if not line.strip():
            if groups[-1] != Group():
                groups.append(Group())
            place += len(line) + 1
        elif IGNORED.fullmatch(line):
            place += len(line) + 1
        elif found := COMMENT.match(text, place):
            groups.append(Group(plain(found[1])))
            if section := SECTION.match(groups[-1].comment):
                groups[-1].section, groups[-1].comment = section[1], section[2].strip()
            place = found.end() + 1
        else:
            item, place = declaration(text, place)
            if found := re.compile(r"[ \t]*/\*(.*?)\*/", re.DOTALL).match(text, place):
                item.comment = f"{item.comment} {plain(found[1])}".strip()
                place = found.end()
            groups[-1].items.append(item)
            place += 1
    return [group for group in groups if group != Group()]


def exported(text: str) -> list[Group]:
    """Return the functions of a header of runtime/inspect that the library exports, with the comments above them. The
    first group has the comment at the header's top. What else the header declares is for the library itself."""
    groups: list[Group] = [Group()]
    place, is_joined = 0, False  # is_joined: the declaration at `place` belongs to the last comment
    while place < len(text):
        line = text[place:].partition("\n")[0]
        if found := re.compile(r"/\*(.*?)\*/\n?", re.DOTALL).match(text, place):
            groups.append(Group(plain(found[1])))
            place, is_joined = found.end(), True
        elif found := NAMED_ENUM.match(text, place):
            item = Item("enum", [], [found[1]], members=list(enumerators(found[2])))
            if not is_joined:
                groups.append(Group())
            groups[-1].items.append(item)
            place, is_joined = found.end(), False
        elif found := EXPORTED.match(text, place):
            if not is_joined:
                groups.append(Group())
            item = Item("function", [one_line(found[1])], [found[2]], plain(found[3] or ""))
            groups[-1].items.append(item)
            place, is_joined = found.end(), True
        else:
            is_joined = is_joined and bool(line.strip()) and not line.startswith(("}", "#"))
            place += len(line) + 1
    head = next(group for group in groups if group.comment)
    head.items, rest = [], [group for group in groups if group.items and group is not head]
    return [head, *rest]


def names(groups: list[Group]) -> dict[str, str]:
    """Return the kind of each name that is declared."""
    found: dict[str, str] = {}
    for group in groups:
        for item in group.items:
            found.update(dict.fromkeys(item.names, item.kind))
            found.update({member.names[0]: member.kind for member in item.members if member.kind == "enumerator"})
    return found


def undocumented(groups: list[Group]) -> list[str]:
    """Return the names of declarations that no comment is about."""
    return [
        name
        for group in groups
        for item in group.items
        for name in item.names or item.members[0].names
        if not (group.comment or item.comment or any(member.comment for member in item.members))
    ]


class Writer:
    """Write groups as reStructuredText. kinds: names() of all headers of the page, which become links."""

    ROLES = {
        "function": "func",
        "var": "var",
        "struct": "struct",
        "type": "type",
        "macro": "macro",
        "enumerator": "enumerator",
    }

    def __init__(self, kinds: Mapping[str, str]):
        self.kinds = kinds

    def prose(self, text: str) -> str:
        """Return a comment's text with links, and with what has a meaning in reStructuredText escaped."""
        parts = re.split(r"(`[^`]*`)", text)
        return "".join(f"`{part}`" if part.startswith("`") else self._escaped(part) for part in parts)

    def _escaped(self, text: str) -> str:
        def link(name: re.Match[str]) -> str:
            kind = self.kinds.get(name[0].removesuffix("()"))
            return f":c:{self.ROLES[kind]}:`{name[0]}`" if kind else name[0]

        escaped = re.sub(r"([\\*|]|_(?!\w))", r"\\\1", text)
        return NAME.sub(link, escaped)

    def item(self, item: Item, comment: str) -> Iterator[str]:
        """Yield the lines of a declaration."""
        if item.kind == "enum":
            if comment:
                yield from [*self.prose(comment).splitlines(), ""]
            for member in item.members:
                yield from self.item(member, member.comment)
            return
        opening = f".. c:{item.kind}:: "
        yield opening + f"\n{' ' * len(opening)}".join(item.signatures)
        yield ""
        for line in self.prose(comment).splitlines():
            yield f"   {line}".rstrip()
        yield ""
        for member in item.members:
            for line in self.item(member, member.comment):
                yield f"   {line}".rstrip()

    def group(self, group: Group) -> Iterator[str]:
        items = group.items
        if len(items) > 1 and all(item.kind == "function" and not item.comment for item in items):
            items = [Item("function", [sign for item in items for sign in item.signatures], [])]
        if len(items) == 1 and not group.section:
            both = [text for text in (group.comment, items[0].comment) if text]
            yield from self.item(items[0], "\n\n".join(both))
            return
        if group.comment:
            yield from [*self.prose(group.comment).splitlines(), ""]
        for item in items:
            yield from self.item(item, item.comment)


def page(text: str, kinds: Mapping[str, str]) -> str:
    """Return Markdown for a header: a heading for each section, and directives."""
    writer = Writer(kinds)
    parts: list[str] = []
    lines: list[str] = []
    for group in read(text):
        if group.section:
            parts += [directives(lines), f"### {group.section[0].upper()}{group.section[1:]}\n"]
            lines = []
        lines += writer.group(group)
    return "\n".join([*parts, directives(lines)])


def list_of_functions(headers: Mapping[str, str]) -> str:
    """Return Markdown for the exported functions of headers, whose texts are given by their names."""
    groups = {name: exported(text) for name, text in headers.items()}
    writer = Writer({name: kind for found in groups.values() for name, kind in names(found).items()})
    parts = []
    for header, (head, *rest) in groups.items():
        lines = [*writer.prose(head.comment).splitlines(), ""]
        for group in rest:
            lines += writer.group(group)
        parts.append(f"### `{header}`\n\n{directives(lines)}")
    return "\n".join(parts)


def directives(lines: list[str]) -> str:
    return "\n".join(["```{eval-rst}", *lines, "```", ""]) if lines else ""
