"""Each layer of runtime/inspect and room of runtime/inferior links with those before it alone, so that it can use
nothing of one after it."""

from __future__ import annotations

import json
import pathlib
import subprocess

import pytest

from tests.interpreters import ROOT
from tests.packaging.measures import structure

BUILD = ROOT / "build"
INSPECT = BUILD / "runtime" / "inspect"
LAYERS: tuple[str, ...] = structure.LAYERS
# Libraries of the system; without `--as-needed`, so that all of them are there for each layer.
SYSTEM = ["-lelf", "-ldw", "-lz", "-lcapstone", "-ljansson", "-lm"]

pytestmark = pytest.mark.skipif(not (BUILD / "build.ninja").exists(), reason="there is no build/ to link")


INFERIOR: tuple[str, ...] = structure.INFERIOR


def library(layer: str) -> pathlib.Path:
    top, _, room = layer.partition("/")
    return INSPECT / top / f"libjs_{layer.replace('/', '_')}.a" if room else INSPECT / top / f"libjs_{top}.a"


def room(name: str) -> pathlib.Path:
    """Return the static library of a room of the library that the program loads."""
    return BUILD / "runtime" / "inferior" / f"libjitscope_{name}.a"


def link(layer: pathlib.Path, before: list[pathlib.Path], system: list[str]) -> subprocess.CompletedProcess[str]:
    """Link the whole layer with the parts that it needs of those before it."""
    return subprocess.run(
        [
            *("cc", "-shared", "-o", "/dev/null", "-Wl,--no-undefined"),
            *("-Wl,--whole-archive", str(layer), "-Wl,--no-whole-archive"),
            *("-Wl,--start-group", *map(str, before), "-Wl,--end-group"),
            *system,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_links_with_those_before_it(layer: str) -> None:
    done = link(library(layer), [library(one) for one in LAYERS[: LAYERS.index(layer)]], SYSTEM)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("layer", [one for one in LAYERS if one not in ("bytes", "reader")])
def test_a_layer_does_not_link_alone(layer: str) -> None:
    done = link(library(layer), [], SYSTEM)
    assert done.returncode != 0 and "undefined reference" in done.stdout


@pytest.mark.parametrize("name", INFERIOR)
def test_a_room_of_the_loaded_library_links_with_those_before_it(name: str) -> None:
    done = link(room(name), [room(one) for one in INFERIOR[: INFERIOR.index(name)]], [])
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", INFERIOR[1:])
def test_a_room_of_the_loaded_library_does_not_link_alone(name: str) -> None:
    done = link(room(name), [], [])
    assert done.returncode != 0 and "undefined reference" in done.stdout


def test_the_layers_are_all_that_is_built() -> None:
    targets = json.loads((BUILD / "meson-info" / "intro-targets.json").read_text("utf-8"))
    built = {
        name
        for target in targets
        for name in target["filename"]
        if target["type"] == "static library" and name.startswith(str(INSPECT))
    }
    assert built == {str(library(one)) for one in LAYERS}


def rooms_built(folder: str) -> list[str]:
    text = (ROOT / "runtime" / folder / "meson.build").read_text("utf-8")
    return [line.split("'")[1] for line in text.splitlines() if line.endswith("': files(")]


@pytest.mark.parametrize("folder", ["layouts", "values", "expressions", "program"])
def test_the_build_has_the_rooms_in_the_order_that_is_measured(folder: str) -> None:
    rooms = [f"{folder}/{name}" for name in rooms_built(f"inspect/{folder}")]
    assert rooms == [one for one in LAYERS if one.startswith(f"{folder}/")]


def test_the_build_has_the_rooms_of_the_loaded_library_in_the_order_that_is_measured() -> None:
    assert tuple(rooms_built("inferior")) == INFERIOR
