"""The repository's path for all tests, so that they import each other as tests.*, and the order of their groups."""

from __future__ import annotations

import importlib.util
import os
import pathlib
import signal
import sys

import hypothesis
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests import turns  # noqa: E402

# The folder of these packages is not added to the path, because its jitscope.py is not the package that tests import.
for _name in ("jitscope_gdb", "jitscope_shared", "jitscope_source"):
    _package = importlib.util.spec_from_file_location(_name, ROOT / "gdbext" / _name / "__init__.py")
    assert _package is not None
    sys.modules[_name] = importlib.util.module_from_spec(_package)

# Failed assertions of these helpers are reported like those of tests.
pytest.register_assert_rewrite("tests.oracle.hook_results", "tests.oracle.hooked.expected", "tests.oracle.source_flow")

# A shell starts background processes with Ctrl-C ignored, which all processes that tests start would inherit.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Most tests are about Numba without the hook; those of the compiler hook set the level that they need.
os.environ.setdefault("JITSCOPE_LEVEL", "stock")

# Each run has the same examples; scripts/test --matrix takes others each time.
hypothesis.settings.register_profile("fixed", derandomize=True)
if not os.environ.get("JITSCOPE_MATRIX"):
    hypothesis.settings.load_profile("fixed")


def shared_by(item: pytest.Item) -> str:
    """Return the name of the group whose tests share this one's fixtures or cached helpers; "" if it shares none."""
    module = item.nodeid.split("::")[0]
    scopes = set()
    given = [module]
    for name, definitions in item._fixtureinfo.name2fixturedefs.items():
        scope = definitions[-1].scope
        if definitions[-1].baseid and scope in ("module", "class"):
            scopes.add(scope)
            callspec = getattr(item, "callspec", None)
            if callspec is not None and name in callspec.indices:
                given.append(str(callspec.indices[name]))
    helpers = vars(item.module).values()
    if any(hasattr(each, "cache_info") and each.__module__ == item.module.__name__ for each in helpers):
        return module
    if scopes == {"class"}:
        given.append(item.cls.__name__)
    return "-".join(given) if scopes else ""


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist writes the groups into the ids
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the tests of a module that share something into one group, because pytest-xdist would make it in each of its
    processes."""
    groups = []
    for item in items:
        if item.get_closest_marker("xdist_group") is None and (name := shared_by(item)):
            item.add_marker(pytest.mark.xdist_group(name.replace("/", ".")))
        mark = item.get_closest_marker("xdist_group")
        groups.append(str((mark.args or (mark.kwargs["name"],))[0]) if mark else item.nodeid)
    if (number := turns.turn()) is None:
        return
    quick = [turns.is_quick(item.nodeid) for item in items]
    mine = turns.groups_of_turn((group for group, is_quick in zip(groups, quick) if not is_quick), number)
    runs = [is_quick or group in mine for group, is_quick in zip(groups, quick)]
    config.hook.pytest_deselected(items=[item for item, is_run in zip(items, runs) if not is_run])
    items[:] = [item for item, is_run in zip(items, runs) if is_run]


def pytest_collection_finish(session: pytest.Session) -> None:
    """Check the groups: their tests share something that takes long, or must not run at the same time. pytest-xdist
    writes the group into the test's id, and without it would spread them silently."""
    if not getattr(session.config.option, "loadgroup", False):
        return
    for item in session.items:
        if item.get_closest_marker("xdist_group") and "@" not in item.nodeid:
            pytest.exit(f"{item.nodeid}: this pytest-xdist keeps no groups together on pytest {pytest.__version__}", 3)
