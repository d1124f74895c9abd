"""Debug JIT-compiled Python in GDB as the source you wrote."""

from jitscope.races import race_check
from jitscope.records import record_writes
from jitscope.schedules import schedule
from jitscope.steps import steps
from jitscope.stops import attach, attach_on, breakpoint, breakpoint_if
from jitscope.version import __version__

__all__ = [
    "__version__",
    "attach",
    "attach_on",
    "breakpoint",
    "breakpoint_if",
    "race_check",
    "record_writes",
    "schedule",
    "steps",
]
