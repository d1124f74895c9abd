"""Functions of librosa that call compiled ones, on sound that is made here: nothing is downloaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import librosa
import numpy as np
from librosa import beat, feature, filters, onset, sequence, util
from librosa.core import notation
from librosa.util import matching

RATE = 8000


def sound(dtype: str, seconds: float = 1.5) -> np.ndarray:
    """Return a gliding tone with a click every quarter of a second, and noise."""
    at = np.arange(int(RATE * seconds)) / RATE
    found = np.sin(2 * np.pi * (220 * at + 40 * at**2)) + 0.3 * np.sin(2 * np.pi * 660 * at)
    found *= 0.2 + np.exp(-30 * (at % 0.25))
    return (found + 0.01 * np.random.default_rng(4).normal(size=len(at))).astype(dtype)


def of_util(dtype: str) -> dict[str, Callable[[], Any]]:
    random = np.random.default_rng(8)
    rows, whole = random.normal(size=(6, 30)).astype(dtype), random.integers(0, 5, (4, 12))
    turned = (rows + 1j * rows[::-1]).astype("complex64" if dtype == "float32" else "complex128")
    starts = np.sort(random.random((9, 2)) * 8, axis=1)
    others = np.sort(random.random((7, 2)) * 8, axis=1)
    events = np.sort(random.random(12) * 9).astype(dtype)
    holes = np.where(rows > 1, np.nan, rows)
    return {
        "jaccard": lambda: [getattr(matching, "__jaccard")(starts[i], others[j]) for i in range(9) for j in range(7)],
        "match_intervals": partial(util.match_intervals, starts, others, strict=False),
        "match_intervals strict": partial(util.match_intervals, starts, others + 50, strict=True),
        "match_intervals wrong": partial(util.match_intervals, starts, others[:0]),
        "match_events": partial(util.match_events, events, events[::2]),
        "match_events left": partial(util.match_events, events, events[:5], left=False),
        "match_events wrong": partial(util.match_events, events, events[3:5], right=False, left=False),
        "localmax": partial(util.localmax, rows, axis=1),
        "localmax columns": partial(util.localmax, rows, axis=0),
        "localmin": partial(util.localmin, holes, axis=1),
        "localmin one": partial(util.localmin, rows[0]),
        "peak_pick": lambda: [
            util.peak_pick(
                row, pre_max=3, post_max=2, pre_avg=3, post_avg=4, delta=delta, wait=wait, sparse=False, axis=-1
            )
            for row in (rows, holes)
            for delta, wait in ((0.1, 0), (0.5, 4))
        ],
        "peak_pick wrong": partial(
            util.peak_pick, rows[0], pre_max=0, post_max=0, pre_avg=3, post_avg=4, delta=0.1, wait=2
        ),
        "shear": lambda: [util.shear(rows, factor=factor, axis=axis) for factor in (1, -2) for axis in (0, 1)],
        "shear wrong": partial(util.shear, rows, factor=1.5),
        "count_unique": lambda: [util.count_unique(whole, axis=axis) for axis in (0, 1)],
        "is_unique": lambda: [util.is_unique(whole, axis=axis) for axis in (0, 1)],
        "is_unique rows": partial(util.is_unique, rows),
        "abs2": lambda: [util.abs2(turned), util.abs2(rows), util.abs2(turned, dtype=np.float64)],
        "phasor": lambda: [util.phasor(rows), util.phasor(rows, mag=np.abs(rows)), util.phasor(0.5)],
        "stack_memory": lambda: [
            feature.stack_memory(rows, n_steps=3, delay=delay, mode="edge") for delay in (1, 4, -2)
        ],
        "stack_memory wrong": partial(feature.stack_memory, rows, n_steps=0),
    }


def of_sequence(dtype: str) -> dict[str, Callable[[], Any]]:
    random = np.random.default_rng(9)
    x, y = random.normal(size=(3, 14)).astype(dtype), random.normal(size=(3, 18)).astype(dtype)
    close = (random.random((11, 13)) > 0.4).astype(dtype) * random.random((11, 13)).astype(dtype)
    likely = random.random((4, 20))
    likely /= likely.sum(axis=0)
    binary, loops = random.random((3, 20)), sequence.transition_loop(4, 0.8)
    return {
        "dtw": partial(sequence.dtw, x, y),
        "dtw steps": partial(sequence.dtw, x, y, return_steps=True),
        "dtw subsequence": partial(sequence.dtw, x[:, :6], y, subseq=True, metric="cosine"),
        "dtw band": partial(sequence.dtw, x, y, global_constraints=True, band_rad=0.3),
        "dtw weights": partial(
            sequence.dtw, C=np.abs(close), weights_mul=np.array([2.0, 1.0, 1.0]), weights_add=np.array([0.0, 0.1, 0.2])
        ),
        "dtw moves": partial(sequence.dtw, x, y, step_sizes_sigma=np.array([[1, 1], [1, 2], [2, 1]])),
        "dtw wrong": partial(sequence.dtw, x[:, :2], y, step_sizes_sigma=np.array([[1, 1]])),
        "dtw_backtracking": lambda: sequence.dtw_backtracking(sequence.dtw(x, y, return_steps=True)[2]),
        "rqa": lambda: [sequence.rqa(close, knight_moves=knight) for knight in (True, False)],
        "rqa gaps": partial(sequence.rqa, close, gap_onset=0.5, gap_extend=0.2),
        "rqa wrong": partial(sequence.rqa, close, gap_onset=-1),
        "viterbi": partial(sequence.viterbi, likely, loops, return_logp=True),
        "viterbi first": partial(sequence.viterbi, likely, loops, p_init=np.array([0.1, 0.2, 0.3, 0.4])),
        "viterbi wrong": partial(sequence.viterbi, likely * 2, loops),
        "viterbi_discriminative": partial(sequence.viterbi_discriminative, likely, loops, return_logp=True),
        "viterbi_binary": partial(sequence.viterbi_binary, binary, sequence.transition_loop(2, 0.7), return_logp=True),
    }


def of_sound(dtype: str) -> dict[str, Callable[[], Any]]:
    y = sound(dtype)
    options: dict[str, Any] = {"sr": RATE}
    spectrum = np.abs(librosa.stft(y, n_fft=256))
    strength = onset.onset_strength(y=y, n_fft=512, hop_length=64, **options)
    return {
        "zero_crossings": lambda: [librosa.zero_crossings(y, threshold=t, pad=p) for t in (0, 0.1) for p in (0, 1)],
        "zero_crossings sign": partial(librosa.zero_crossings, np.where(y > 0.2, 0, y), zero_pos=False),
        "zero_crossing_rate": partial(feature.zero_crossing_rate, y, frame_length=256, hop_length=64),
        "lpc": lambda: [librosa.lpc(y, order=order) for order in (2, 7)],
        "lpc rows": partial(librosa.lpc, y[:8000].reshape(4, 2000), order=5),
        "lpc wrong": partial(librosa.lpc, y * np.nan, order=3),
        "yin": partial(librosa.yin, y, fmin=100, fmax=900, frame_length=512, **options),
        "pyin": partial(librosa.pyin, y[:6000], fmin=150, fmax=700, frame_length=512, resolution=0.25, **options),
        "piptrack": partial(librosa.piptrack, S=spectrum, **options),
        "estimate_tuning": partial(librosa.estimate_tuning, y=y, n_fft=512, **options),
        "istft": lambda: librosa.istft(librosa.stft(y, n_fft=256, hop_length=64), hop_length=64),
        "istft length": lambda: librosa.istft(librosa.stft(y, n_fft=256), length=5000, center=False),
        "griffinlim": partial(librosa.griffinlim, spectrum, n_iter=3, random_state=1),
        "phase_vocoder": lambda: librosa.phase_vocoder(librosa.stft(y, n_fft=256), rate=1.3),
        "window_sumsquare": partial(filters.window_sumsquare, window="hann", n_frames=9, hop_length=40, n_fft=128),
        "cqt": partial(librosa.cqt, y, fmin=110, n_bins=24, hop_length=128, **options),
        "cqt wrong": partial(librosa.cqt, y, fmin=110, n_bins=240, hop_length=128, **options),
        "chroma_cqt": partial(feature.chroma_cqt, y=y, fmin=110, n_octaves=4, hop_length=128, **options),
        "onset_detect": lambda: [
            onset.onset_detect(onset_envelope=strength, hop_length=64, backtrack=back, **options) for back in (0, 1)
        ],
        "beat_track": partial(beat.beat_track, onset_envelope=strength, hop_length=64, **options),
        "beat_track tempo": lambda: [
            beat.beat_track(onset_envelope=strength, hop_length=64, bpm=bpm, trim=trim, **options)
            for bpm in (120, 240, np.full(len(strength), 200.0))
            for trim in (True, False)
        ],
        "beat_track wrong": partial(beat.beat_track, onset_envelope=strength, bpm=-1, **options),
        "plp": partial(beat.plp, onset_envelope=strength, hop_length=64, win_length=128, **options),
        "fourier_tempogram": partial(feature.fourier_tempogram, onset_envelope=strength, win_length=64, **options),
        "rms": partial(feature.rms, y=y, frame_length=256),
        "recurrence": lambda: sequence.rqa(
            librosa.segment.recurrence_matrix(spectrum[:, ::8], mode="affinity", sym=True).astype(dtype)
        ),
    }  # fmt: skip


def of_notation() -> dict[str, Callable[[], Any]]:
    intervals = [3 / 2, 5 / 4, 7 / 4, 11 / 8, 16 / 15, 81 / 64]
    return {
        "interval_to_fjs": lambda: [librosa.interval_to_fjs(interval) for interval in intervals],
        "interval_to_fjs wrong": lambda: librosa.interval_to_fjs(-1.5),
        "o_fold": lambda: [getattr(notation, "__o_fold")(value) for value in (0.3, 1.0, 7.5)],
        "bo_fold": lambda: [getattr(notation, "__bo_fold")(value) for value in (0.3, 1.0, 7.5)],
        "fifth_search": lambda: [getattr(notation, "__fifth_search")(value, 0.08) for value in (1.1, 1.9)],
        "hz_to_fjs": lambda: librosa.hz_to_fjs([110, 165, 137.5], fmin=55),
    }


def calls() -> Iterator[tuple[str, Callable[[], Any]]]:
    for dtype in ("float64", "float32"):
        for part in (of_util, of_sequence, of_sound):
            for name, call in part(dtype).items():
                yield f"{name} {dtype}", call
    yield from of_notation().items()
