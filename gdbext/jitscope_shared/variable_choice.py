"""The variables that are wanted of a frame: values of an argument of js_program_locals and js_python_variables."""

from __future__ import annotations

ALL, ARGUMENTS, OTHERS = 0, 1, 2
