"""Debug JIT-compiled Python in GDB as the source you wrote."""

from typing import TYPE_CHECKING, Any

from jitscope.records import record_writes
from jitscope.schedules import schedule
from jitscope.steps import exact, steps
from jitscope.stops import attach, attach_on, breakpoint, breakpoint_if
from jitscope.version import __version__

if TYPE_CHECKING:
    from jitscope.races import race_check

__all__ = [
    "__version__",
    "attach",
    "attach_on",
    "breakpoint",
    "breakpoint_if",
    "exact",
    "race_check",
    "record_writes",
    "schedule",
    "steps",
]


def __getattr__(name: str) -> Any:
    """Import `race_check` when it is first used: a program that only runs does not need its dataclasses, whose import
    takes 20 ms."""
    if name != "race_check":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from jitscope.races import race_check

    return race_check
