"""Writes what an installation has in its share/ folder: the manual pages, and the scripts by which shells complete.

`python -m docs.generate.share FOLDER` writes the files into the folder; meson.build runs it, so that they are always
those of the parsers. `--list` prints each file's name and the folder of share/ that it belongs in."""

from __future__ import annotations

import sys
from pathlib import Path

from docs.generate import man_pages
from jitscope.cli.completion import SCRIPTS
from jitscope.cli.main import make_parser
from jitscope.cli.shells.model import commands_of

# The file of each shell, and where the shell looks for it under share/.
PLACES = {
    "bash": ("jitscope", "bash-completion/completions"),
    "zsh": ("_jitscope", "zsh/site-functions"),
    "fish": ("jitscope.fish", "fish/vendor_completions.d"),
}


def files() -> dict[str, tuple[str, str]]:
    """Return the folder and the text for each file's name."""
    found = {name: ("man/man1", text) for name, text in man_pages.pages().items()}
    parser, _ = make_parser()
    for shell, (name, folder) in PLACES.items():
        found[name] = (folder, SCRIPTS[shell](commands_of(parser)))
    return found


def main() -> None:
    if sys.argv[1:] == ["--list"]:
        print(*(f"{name} {folder}" for name, (folder, _) in files().items()), sep="\n")
        return
    for name, (_, text) in files().items():
        Path(sys.argv[1], name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
