"""Sphinx's settings for `scripts/docs`, which makes one folder of pages out of docs/*.md."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

project = "jitscope"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "docs.generate"]
default_role = "literal"  # docstrings have code in single backquotes
exclude_patterns = ["schema"]
html_theme = "furo"
html_title = "jitscope"
html_copy_source = False
html_show_sphinx = False
myst_heading_anchors = 3
highlight_language = "none"
# Types of the C standard, and structures of the C library, which no page describes.
nitpick_ignore = [("c:identifier", name) for name in ("size_t", "int32_t", "int64_t", "uintptr_t")]
nitpick_ignore_regex = [("c:identifier", r"(js|JS|gdb)_\w+|bool|pid_t")]
nitpick_ignore += [("py:class", "jitscope.steps.F")]  # a TypeVar
nitpick_ignore += [("py:class", name) for name in ("collections.abc.Iterable", "os.PathLike")]  # of other projects
nitpick_ignore += [("c:identifier", f"uint{bits}_t") for bits in (8, 16, 32, 64)]


def link_to_pages(_app: Any, page: str, source: list[str]) -> None:
    """Link to the page that includes the README, which is no page of this folder, and to what the page on JSON makes of
    a schema."""
    source[0] = source[0].replace("](../README.md)", "](first-session.md)")
    if page != "json":
        source[0] = re.sub(r"\]\(schema/(\w+)\.json\)", r"](#json-\1)", source[0])


def setup(app: Any) -> None:
    app.connect("source-read", link_to_pages)
