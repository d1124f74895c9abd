"""Debug JIT-compiled Python in GDB as the source you wrote."""

from typing import TYPE_CHECKING, Any

from jitscope.records import record_writes
from jitscope.schedules import schedule
from jitscope.stacks.exceptions import last_exception
from jitscope.steps import exact, steps
from jitscope.stops import attach, attach_on, breakpoint, breakpoint_if
from jitscope.version import __version__

if TYPE_CHECKING:
    from jitscope.races import race_check
    from jitscope.report.enabling import disable_crash_report, enable_crash_report

__all__ = [
    "__version__",
    "attach",
    "attach_on",
    "breakpoint",
    "breakpoint_if",
    "disable_crash_report",
    "enable_crash_report",
    "exact",
    "last_exception",
    "race_check",
    "record_writes",
    "schedule",
    "steps",
]


# Imported when they are first used: a program that only runs does not need what they import, for 20 ms.
_LATER = {
    "disable_crash_report": "jitscope.report.enabling",
    "enable_crash_report": "jitscope.report.enabling",
    "load_ipython_extension": "jitscope.report.notebook",  # IPython's %load_ext jitscope
    "race_check": "jitscope.races",
    "unload_ipython_extension": "jitscope.report.notebook",
}


def __getattr__(name: str) -> Any:
    """Import a function that is rarely used."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LATER[name]), name)
