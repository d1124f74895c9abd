"""A Sphinx extension that puts into the pages what the code itself can say.

A page has a block without text, whose first line names a generator of this folder and its arguments:

    ```{generated} c_header jitscope.h
    ```

Before Sphinx reads the page, the generator's Markdown takes the place of the block. A page is made again when a file
has changed that its generators have read."""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from docs.generate import c_headers, command_line, schemas

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "runtime" / "include"
INSPECT = ROOT / "runtime" / "inspect"
# The folders of the C library: each uses only those before it.
LAYERS = ("bytes", "layouts", "values", "expressions", "array_reports", "program", "stacks", "reader")
BLOCK = re.compile(r"^```\{generated\} (\w+)((?: \S+)*)\n```$", re.MULTILINE)

# The Markdown, and the files that it was made from.
Generated = tuple[str, list[Path]]


def c_names() -> dict[str, str]:
    """Return the kind of each name that the headers of runtime/include declare."""
    kinds: dict[str, str] = {}
    for header in INCLUDE.glob("*.h"):
        kinds |= c_headers.names(c_headers.read(header.read_text("utf-8")))
    return kinds


def c_header(name: str) -> Generated:
    """Return what a header of runtime/include declares."""
    return c_headers.page((INCLUDE / name).read_text("utf-8"), c_names()), sorted(INCLUDE.glob("*.h"))


def exported_headers() -> list[Path]:
    """Return the headers that declare exported functions of the C library, lower layers first."""
    declaring = [
        path for path in sorted(INSPECT.rglob("*.h")) if re.search(r"^JS_API\b", path.read_text("utf-8"), re.M)
    ]
    return sorted(declaring, key=lambda path: LAYERS.index(path.relative_to(INSPECT).parts[0]))


def c_library() -> Generated:
    """Return the functions that the C library exports."""
    headers = exported_headers()
    texts = {path.relative_to(INSPECT).as_posix(): path.read_text("utf-8") for path in headers}
    return c_headers.list_of_functions(texts), headers


def python_api() -> Generated:
    """Return a directive of autodoc for each public name of the package, and for the classes of what they return."""
    import jitscope
    from jitscope import races

    files = [Path(str(module.__file__)) for module in list(sys.modules.values()) if is_of_the_package(module)]
    lines = ["```{eval-rst}"]
    for name in jitscope.__all__:
        if name != "__version__":
            kind = "class" if isinstance(getattr(jitscope, name), type) else "function"
            lines.append(f".. auto{kind}:: jitscope.{name}")
    lines += ["```", "", "## The report of `race_check`", "", "```{eval-rst}"]
    for name, value in vars(races).items():
        if dataclasses.is_dataclass(value) and value.__module__ == races.__name__:
            lines += [f".. autoclass:: jitscope.races.{name}()", "   :members:", "   :undoc-members:"]
    lines += ["```", "", "## The result of `last_exception`", "", "```{eval-rst}"]
    for name in ("CompiledException", "CompiledFrame"):
        lines.append(f".. autoclass:: jitscope.stacks.exceptions.{name}()")
    lines += ["```", ""]
    return "\n".join(lines), sorted(files)


def command_line_page() -> Generated:
    """Return the help texts of the `jitscope` command, and a table of its exit statuses."""
    text = command_line.page()
    return text, sorted((ROOT / "runtime" / "python" / "jitscope" / "cli").glob("*.py"))


def schemas_page() -> Generated:
    """Return a section for each schema of docs/schema."""
    paths = sorted((ROOT / "docs" / "schema").glob("*.json"))
    return schemas.page(paths), paths


def is_of_the_package(module: Any) -> bool:
    return module.__name__.partition(".")[0] == "jitscope" and getattr(module, "__file__", None) is not None


GENERATORS: dict[str, Callable[..., Generated]] = {
    "c_header": c_header,
    "c_library": c_library,
    "python_api": python_api,
    "command_line": command_line_page,
    "schemas": schemas_page,
}


def replace_blocks(app: Any, _page: str, source: list[str]) -> None:
    def generated(block: re.Match[str]) -> str:
        text, files = GENERATORS[block[1]](*block[2].split())
        for file in files:
            app.env.note_dependency(str(file))
        return text

    source[0] = BLOCK.sub(generated, source[0])


def setup(app: Any) -> dict[str, bool]:
    app.connect("source-read", replace_blocks)
    return {"parallel_read_safe": True}
