"""The compiler hook. Numba calls its entry point `init`, of the group `numba_extensions`, when it starts.

Its packages, each of which uses only itself and those before it:
base → numba_ir → debuginfo → parallel → flow → slots → linked → lowered → services → install"""

from __future__ import annotations

_present = False


def init() -> None:
    """Called once by Numba, before it compiles anything: teaches it what `install.start.begin` says."""
    global _present
    if _present:
        return
    _present = True
    from jitscope.compiler.install import start  # which imports Numba: `import jitscope` must not

    start.begin()


def is_present() -> bool:
    """True if Numba has called `init` in this process."""
    return _present
