"""Errors that are expected: their text is for the user."""

from __future__ import annotations


class Problem(Exception):
    """An expected error; its text is the whole message."""


class Shown(Problem):
    """A Problem of several lines; the last line names the error."""
