"""Functions of vectorbt: those of its generic module, indicators, signals and returns, and whole portfolios."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import vectorbt as vbt
from vectorbt.generic import nb as generic
from vectorbt.labels import nb as labels
from vectorbt.records import nb as records
from vectorbt.returns import nb as returns
from vectorbt.signals import nb as signals


def prices(columns: int = 2, holes: bool = False) -> np.ndarray:
    random = np.random.default_rng(4)
    found = 100 * np.exp(np.cumsum(random.normal(size=(40, columns)) / 30, axis=0))
    if holes:
        found[random.random(found.shape) < 0.2] = np.nan
    return found


def of_generic() -> Iterator[tuple[str, Callable[[], Any]]]:
    holes = prices(holes=True)
    plain = ("bfill", "ffill", "nanprod", "nancumsum", "nancumprod", "nansum", "nancnt", "nanmin", "nanmax", "nanmean",
             "nanmedian", "nanstd", "diff", "pct_change", "bshift", "fshift", "get_drawdowns")  # fmt: skip
    for name in plain:
        yield name, partial(getattr(generic, f"{name}_nb"), holes)
    for name in ("rolling_min", "rolling_max", "rolling_mean", "rolling_std", "ewm_mean", "ewm_std"):
        yield name, partial(getattr(generic, f"{name}_nb"), holes, 5, 2)
        yield f"{name} wrong", partial(getattr(generic, f"{name}_nb"), holes, 3, 9)
    for name in ("expanding_min", "expanding_max", "expanding_mean", "expanding_std"):
        yield name, partial(getattr(generic, f"{name}_nb"), holes, 2)
    yield "fillna", partial(generic.fillna_nb, holes, 1.0)
    yield "shuffle", partial(generic.shuffle_nb, holes, 5)
    yield "find_ranges", partial(generic.find_ranges_nb, holes, np.nan)
    one, two = prices(), prices()[::-1].copy()
    for wait in (0, 2):
        yield f"crossed_above {wait}", partial(generic.crossed_above_nb, one, two, wait)
    for name in ("min", "max", "mean", "median", "sum", "count", "argmin", "argmax"):
        yield f"reduce {name}", partial(generic.reduce_nb, holes, getattr(generic, f"{name}_reduce_nb"))
    yield (
        "describe",
        partial(generic.reduce_to_array_nb, holes, generic.describe_reduce_nb, np.array([0.25, 0.5, 0.75]), 1),
    )


def of_others() -> Iterator[tuple[str, Callable[[], Any]]]:
    close = prices()
    for name, arguments in {
        "future_mean_apply": (4, False), "future_std_apply": (4, False), "future_min_apply": (4,),
        "future_max_apply": (4,), "fixed_labels_apply": (3,), "mean_labels_apply": (4, False),
    }.items():  # fmt: skip
        yield name, partial(getattr(labels, f"{name}_nb"), close, *arguments)
    up, down = np.full_like(close, 0.04), np.full_like(close, 0.03)
    yield "local_extrema_apply", partial(labels.local_extrema_apply_nb, close, up, down)
    columns = np.array([0, 0, 1, 1, 1, 3])
    yield "col_range", partial(records.col_range_nb, columns, 4)
    yield "col_map", partial(records.col_map_nb, columns, 4)
    yield "is_col_sorted", partial(records.is_col_sorted_nb, columns)
    mask = close > np.roll(close, 1, axis=0)
    yield "clean_enex", partial(signals.clean_enex_nb, mask, ~mask, True)
    yield "between_ranges", partial(signals.between_ranges_nb, mask)
    yield "partition_ranges", partial(signals.partition_ranges_nb, mask)
    yield "pos_rank", partial(signals.rank_nb, mask, None, False, signals.sig_pos_rank_nb, np.full(2, -1), False)
    changes = generic.pct_change_nb(close)
    yield "cum_returns", partial(returns.cum_returns_nb, changes, 0.0)
    yield "annualized_return", partial(returns.annualized_return_nb, changes, 365.0)
    yield "sharpe_ratio", partial(returns.sharpe_ratio_nb, changes, 365.0)
    yield "max_drawdown", partial(returns.max_drawdown_nb, changes)
    yield "omega_ratio", partial(returns.omega_ratio_nb, changes, 365.0)


def frames() -> Iterator[tuple[str, Callable[[], Any]]]:
    days = pd.date_range("2024-01-01", periods=40, freq="D")
    close = pd.DataFrame(prices(), columns=["a", "b"], index=days)
    entries = close > close.shift(3)
    exits = ~entries
    made: dict[str, Callable[[], Any]] = {
        "MA": lambda: vbt.MA.run(close["a"], [3, 7]).ma,
        "MSTD": lambda: vbt.MSTD.run(close, 5).mstd,
        "RSI": lambda: vbt.RSI.run(close, 6).rsi,
        "BBANDS": lambda: vbt.BBANDS.run(close, 6).upper,
        "MACD": lambda: vbt.MACD.run(close, 4, 8, 3).macd,
        "STOCH": lambda: vbt.STOCH.run(close, close * 1.01, close * 0.99, 6).percent_k,
        "ATR": lambda: vbt.ATR.run(close * 1.01, close * 0.99, close, 5).atr,
        "OBV": lambda: vbt.OBV.run(close, close * 10).obv,
        "from_signals": lambda: portfolio(vbt.Portfolio.from_signals(close, entries, exits, fees=0.001, freq="D")),
        "from_holding": lambda: portfolio(vbt.Portfolio.from_holding(close, freq="D")),
        "from_orders": lambda: portfolio(
            vbt.Portfolio.from_orders(close, np.where(entries, 3.0, -1.0), slippage=0.01, freq="D")
        ),
        "from_orders wrong": lambda: portfolio(vbt.Portfolio.from_orders(close, -np.inf, price=-1.0, freq="D")),
    }  # fmt: skip
    for name, call in made.items():
        yield name, lambda call=call: plain(call())


def plain(found: Any) -> Any:
    return found.values if hasattr(found, "values") else found


def portfolio(made: Any) -> Any:
    orders = made.orders.records
    return [made.value().values, made.total_return().values, *(orders[name].values for name in orders.columns)]


def calls() -> Iterator[tuple[str, Callable[[], Any]]]:
    yield from of_generic()
    yield from of_others()
    yield from frames()
