"""Functions of stumpy: its matrix profiles, and its compiled functions themselves. Nearly all have fastmath flags."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import stumpy
from stumpy import core, fastmath, maamp, scraamp, scrump

M = 8  # window


def series(length: int, seed: int = 3) -> np.ndarray:
    random = np.random.default_rng(seed)
    return np.cumsum(random.normal(size=length)) + np.sin(np.arange(length) / 3)


def broken(length: int) -> np.ndarray:
    """Return numbers with NaNs, an infinity and a constant stretch."""
    found = series(length, 5)
    found[[9, 30]] = np.nan, np.inf
    found[40:56] = 1.5
    return found


def profiles() -> dict[str, Callable[[], Any]]:
    """Return the main functions of stumpy: once with z-normalisation, once without, and with several p-norms."""
    a, b, holes, rows = series(90), series(70, 4), broken(90), np.array([series(60, seed) for seed in (1, 2, 3)])
    found: dict[str, Callable[[], Any]] = {}
    for normalize in (True, False):
        for p in (2.0, 1.0, 3.0)[: 1 if normalize else 3]:
            kind = f"normalize={normalize} p={p}"
            options = {"normalize": normalize, **({} if normalize else {"p": p})}
            found |= {
                f"stump self {kind}": partial(stumpy.stump, a, M, **options),
                f"stump two {kind}": partial(stumpy.stump, a, M, b, ignore_trivial=False, **options),
                f"stump k {kind}": partial(stumpy.stump, a, M, k=3, **options),
                f"stump holes {kind}": partial(stumpy.stump, holes, M, **options),
                f"stump wrong {kind}": partial(stumpy.stump, a, 200, **options),
                f"mstump {kind}": partial(stumpy.mstump, rows, M, **options),
                f"mstump include {kind}": partial(stumpy.mstump, rows, M, include=[1], discords=True, **options),
                f"scrump {kind}": partial(scrumped, a, None, options, pre_scrump=False),
                f"scrump pre {kind}": partial(scrumped, a, None, options, pre_scrump=True, s=2, k=2),
                f"scrump two {kind}": partial(scrumped, a, b, options, pre_scrump=True, s=3),
                f"stumpi {kind}": partial(streamed, a, options),
                f"stumpi k {kind}": partial(streamed, holes, options, k=2, egress=False),
                f"mass {kind}": partial(stumpy.mass, a[10:18], holes, **options),
                f"match {kind}": partial(stumpy.match, a[10:18], a, max_distance=4.0, **options),
                f"motifs {kind}": partial(motifs, a, options),
                f"ostinato {kind}": partial(stumpy.ostinato, [a, b, series(50, 7)], M, **options),
                f"mpdist {kind}": partial(stumpy.mpdist, a, b, M, **options),
                f"snippets {kind}": partial(stumpy.snippets, a, 12, 2, s=6, **options),
                f"stimp {kind}": partial(panned, a, options),
                f"stomp {kind}": partial(core.mass_distance_matrix, a[:20], a, M, np.empty((13, 83))),
                f"subspace {kind}": partial(subspace, rows, options),
            }
    return found


def scrumped(a: np.ndarray, b: Any, options: dict[str, Any], **more: Any) -> Any:
    found = stumpy.scrump(a, M, b, ignore_trivial=b is None, percentage=0.3, **more, **options)
    states = [(found.P_.copy(), found.I_.copy())]
    for _ in range(3):
        found.update()
        states.append((found.P_.copy(), found.I_.copy()))
    return states


def streamed(a: np.ndarray, options: dict[str, Any], **more: Any) -> Any:
    found = stumpy.stumpi(a, M, **{"egress": True, **more}, **options)
    for value in series(5, 9):
        found.update(value)
    return found.P_, found.I_, found.left_P_, found.left_I_


def motifs(a: np.ndarray, options: dict[str, Any]) -> Any:
    profile = stumpy.stump(a, M, **options)
    return stumpy.motifs(a, profile[:, 0].astype(float), min_neighbors=1, max_distance=9.0, **options)


def panned(a: np.ndarray, options: dict[str, Any]) -> Any:
    found = stumpy.stimp(a, min_m=5, max_m=12, percentage=0.5, **options)
    for _ in range(4):
        found.update()
    return found.PAN_, found.M_


def subspace(rows: np.ndarray, options: dict[str, Any]) -> Any:
    profile, indices = stumpy.mstump(rows, M, **options)
    first = int(np.argmin(profile[1]))
    where, neighbor = [first] * 3, [int(indices[1, first])] * 3
    return stumpy.subspace(rows, M, first, neighbor[0], 1, **options), stumpy.mdl(rows, M, where, neighbor, **options)


def of_core() -> dict[str, Callable[[], Any]]:
    """Return the compiled functions of stumpy.core, and functions that call only one of them."""
    a, holes = series(90), broken(90)
    q = a[20 : 20 + M]
    random = np.random.default_rng(6)
    sorted_two = [np.sort(random.random((12, 4)), axis=1) for _ in range(2)]
    indices = [random.permutation(48).reshape(12, 4) for _ in range(2)]
    means, deviations = core.compute_mean_std(a, M)
    mean, deviation = core.compute_mean_std(q, M)
    dots = core.sliding_dot_product(q, a)
    constant, constants = core.rolling_isconstant(q, M), core.rolling_isconstant(holes, M)
    normal = np.zeros(len(a) - M + 1, dtype=bool)
    diagonals = np.arange(-30, 60)
    return {
        "_sliding_dot_product": partial(core._sliding_dot_product, q, a),
        "_sliding_dot_product holes": partial(core._sliding_dot_product, q, holes),
        "welford_nanvar": partial(core.welford_nanvar, a, M),
        "welford_nanvar holes": partial(core.welford_nanvar, holes, M),
        "welford_nanstd": partial(core.welford_nanstd, holes, M),
        "rolling_nanstd": partial(core.rolling_nanstd, holes, M),
        "rolling_nanstd rows": partial(core.rolling_nanstd, np.array([a, holes]), M),
        "_rolling_isconstant": partial(core._rolling_isconstant, holes, M),
        "rolling_isconstant": partial(core.rolling_isconstant, holes, M),
        "_calculate_squared_distance": lambda: [
            core._calculate_squared_distance(M, dots[i], mean[0], deviation[0], means[i], deviations[i], *flags)
            for i in range(0, 80, 7)
            for flags in ((False, False), (True, False), (True, True))
        ],
        "_calculate_squared_distance_profile": partial(
            core._calculate_squared_distance_profile, M, dots, mean[0], deviation[0], means, deviations, False, normal
        ),
        "calculate_distance_profile": partial(
            core.calculate_distance_profile, M, dots, mean[0], deviation[0], means, deviations, False, normal
        ),
        "_p_norm_distance_profile": lambda: [core._p_norm_distance_profile(q, a, p) for p in (1.0, 2.0, 3.5)],
        "_mass": partial(core._mass, q, a, dots, mean[0], deviation[0], means, deviations, constant, normal),
        "_mass constant": partial(
            core._mass, q, a, dots, mean[0], deviation[0], means, deviations, ~constant, constants
        ),
        "_apply_exclusion_zone": lambda: zoned(core._apply_exclusion_zone, a.copy(), 30, 5, np.inf),
        "_apply_exclusion_zone end": lambda: zoned(core._apply_exclusion_zone, a.copy(), 88, 5, np.nan),
        "_count_diagonal_ndist": partial(core._count_diagonal_ndist, diagonals, M, 90, 70),
        "_get_array_ranges": lambda: [
            core._get_array_ranges(np.abs(diagonals), count, cut) for count in (1, 4, 9) for cut in (False, True)
        ],
        "_get_ranges": lambda: [core._get_ranges(17, count, cut) for count in (1, 4, 30) for cut in (False, True)],
        "_total_diagonal_ndists": lambda: [
            core._total_diagonal_ndists(low, high, 9, 14) for low, high in ((-5, 6), (0, 14), (3, 4), (-8, 0))
        ],
        "_merge_topk_PI": lambda: zoned(core._merge_topk_PI, *map(np.copy, (*sorted_two, *indices))),
        "_merge_topk_PI flat": lambda: zoned(
            core._merge_topk_PI, *(np.ascontiguousarray(each[:, 0]) for each in (*sorted_two, *indices))
        ),
        "_merge_topk_ρI": lambda: zoned(core._merge_topk_ρI, *map(np.copy, (*sorted_two, *indices))),
        "_shift_insert_at_index": lambda: [
            zoned(core._shift_insert_at_index, np.arange(6.0), at, 9.5, shift)
            for at in (0, 3, 6)
            for shift in ("right", "left")
        ],
        "_update_incremental_PI": lambda: zoned(
            core._update_incremental_PI,
            np.abs(a[:83]), np.full((83, 2), 1.5), np.full((83, 2), 3), 3, 1,
        ),
        "_add_assoc": lambda: [fastmath._add_assoc(1.0, value) for value in (1e16, -1e16, np.nan)],
        "prescrump": lambda: scrump.prescrump(a, M, s=3),
        "prescraamp": lambda: scraamp.prescraamp(a, M, s=3, p=1.0),
        "_compute_multi_p_norm": lambda: zoned(
            maamp._compute_multi_p_norm,
            2, 3, 2.0, np.ones((2, 83)), np.array([a, holes]), 83, M, 2, np.ones((2, 83)), np.ones((2, 83)),
        ),
        "preprocess": lambda: core.preprocess(holes, M),
        "preprocess_diagonal": lambda: core.preprocess_diagonal(holes, M),
        "mueen": lambda: core.mueen_calculate_distance_profile(q, a),
    }  # fmt: skip


def zoned(function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """Return the result of a function that writes to its arguments, and the arguments."""
    return function(*arguments, **named), arguments


def others() -> dict[str, Callable[[], Any]]:
    a = series(120)
    profile = stumpy_profile(a)
    return {
        "fluss": partial(fluss, a),
        "floss": partial(streaming_fluss, a),
        "allc": lambda: stumpy.allc(profile()),
        "atsc": lambda: stumpy.atsc(profile()[:, 2], profile()[:, 3], 4),
    }


def stumpy_profile(a: np.ndarray) -> Callable[[], Any]:
    return lambda: stumpy.stump(a, M)


def fluss(a: np.ndarray) -> Any:
    return stumpy.fluss(stumpy.stump(a, M)[:, 1], L=M, n_regimes=2, excl_factor=1)


def streaming_fluss(a: np.ndarray) -> Any:
    found = stumpy.floss(stumpy.stump(a[:80], M), a[:80], m=M, L=M, excl_factor=1)
    for value in a[80:90]:
        found.update(value)
    return found.cac_1d_, found.P_, found.I_


def calls() -> Iterator[tuple[str, Callable[[], Any]]]:
    for part in (of_core, profiles, others):
        yield from part().items()
