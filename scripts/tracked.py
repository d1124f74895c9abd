"""The files of a repository, for scripts/stages.py and scripts/words.py."""

from __future__ import annotations

import subprocess
from pathlib import Path


def files(root: Path, *patterns: str) -> list[str]:
    """Return the files that match, tracked or new; in a copy without git, those outside of build folders and hidden
    folders."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *patterns]
    listed = subprocess.run(command, cwd=root, capture_output=True, text=True)
    if listed.returncode == 0:
        return sorted(name for name in listed.stdout.split("\0") if name and (root / name).is_file())
    found = (path.relative_to(root).as_posix() for pattern in patterns for path in root.rglob(pattern))
    return sorted(name for name in found if not name.startswith((".", "build")))
