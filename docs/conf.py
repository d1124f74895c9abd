"""Sphinx's settings for `scripts/docs`, which makes one folder of pages out of docs/*.md."""

from __future__ import annotations

from typing import Any

project = "jitscope"
extensions = ["myst_parser"]
exclude_patterns = ["schema"]
html_theme = "furo"
html_title = "jitscope"
html_copy_source = False
html_show_sphinx = False
myst_heading_anchors = 3
highlight_language = "none"


def link_to_the_readme(_app: Any, _page: str, source: list[str]) -> None:
    """Link to the page that includes the README, which is no page of this folder."""
    source[0] = source[0].replace("](../README.md)", "](first-session.md)")


def setup(app: Any) -> None:
    app.connect("source-read", link_to_the_readme)
