"""The compiler hook. When Numba starts, it calls the entry point `init` of the group `numba_extensions`.

Each of its packages uses only itself and those before it: base → numba_ir → debuginfo → parallel → flow → slots →
linked → lowered → followed → raised → services → recompiled → install"""

from __future__ import annotations

_present = False


def init() -> None:
    """Install the hook (install.start.begin); Numba calls this once, before it compiles anything."""
    global _present
    if _present:
        return
    _present = True
    from jitscope.compiler.install import start  # it imports Numba, which `import jitscope` must not

    start.begin()


def is_present() -> bool:
    """True if Numba has called `init` in this process."""
    return _present
