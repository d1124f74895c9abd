"""Functions of quantecon that are compiled, or that call compiled ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import quantecon as qe
from numba import njit
from quantecon import game_theory, markov, optimize, quad
from quantecon.util import combinatorics


@njit
def cubic(x: float) -> float:
    return x**3 - x - 1.5


@njit
def slope(x: float) -> float:
    return 3 * x**2 - 1


@njit
def curvature(x: float) -> float:
    return 6 * x


@njit
def hill(x: float) -> float:
    return -((x - 0.7) ** 2) + 0.1 * np.sin(5 * x)


@njit
def rosenbrock(x: Any) -> float:
    return -(100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2)


def of_optimize() -> dict[str, Callable[[], Any]]:
    c, a, b = np.array([3.0, 2.0, 1.0]), np.array([[1.0, 1.0, 2.0], [2.0, 1.0, 0.0]]), np.array([4.0, 5.0])
    m, q = np.array([[1.0, 0.0, 0.0], [2.0, 1.0, 0.0], [2.0, 2.0, 1.0]]), np.array([-8.0, -12.0, -14.0])
    game = np.random.default_rng(2).normal(size=(4, 5))
    start = np.array([-2.0, 1.5])
    return {
        "linprog_simplex": lambda: optimize.linprog_simplex(c, A_ub=a, b_ub=b),
        "linprog_simplex equal": lambda: optimize.linprog_simplex(c, A_eq=a, b_eq=b),
        "linprog_simplex unbounded": lambda: optimize.linprog_simplex(c, A_ub=-a, b_ub=b),
        "lcp_lemke": lambda: optimize.lcp_lemke(m, q),
        "minmax": lambda: optimize.minmax(game),
        "brent_max": lambda: optimize.brent_max(hill, -1.0, 2.0),
        "brent_max wrong": lambda: optimize.brent_max(hill, 2.0, -1.0),
        "nelder_mead": lambda: optimize.nelder_mead(rosenbrock, start),
        "nelder_mead bounds": lambda: optimize.nelder_mead(rosenbrock, start, bounds=np.array([[-3.0, 0.5]] * 2)),
        "newton": lambda: optimize.newton(cubic, 2.0, slope),
        "newton short": lambda: optimize.newton(cubic, 2.0, slope, maxiter=2),
        "newton_halley": lambda: optimize.newton_halley(cubic, 2.0, slope, curvature),
        "newton_secant": lambda: optimize.newton_secant(cubic, 2.0),
        "bisect": lambda: optimize.bisect(cubic, 0.0, 3.0),
        "bisect wrong": lambda: optimize.bisect(cubic, 2.0, 3.0),
        "brentq": lambda: optimize.brentq(cubic, 0.0, 3.0),
        "brentq short": lambda: optimize.brentq(cubic, 0.0, 3.0, maxiter=2),
    }


def of_markov() -> dict[str, Callable[[], Any]]:
    p = markov.random_stochastic_matrix(5, random_state=4)
    chain = markov.MarkovChain(p)
    sparse = markov.random_markov_chain(6, k=3, sparse=True, random_state=4)
    decision = markov.random_discrete_dp(5, 3, beta=0.9, random_state=1)
    pairs = markov.random_discrete_dp(5, 3, beta=0.9, random_state=1, sparse=True, sa_pair=True)
    found: dict[str, Callable[[], Any]] = {
        "gth_solve": lambda: markov.gth_solve(p),
        "stationary": lambda: chain.stationary_distributions,
        "simulate": lambda: chain.simulate(60, init=[0, 2], random_state=9),
        "simulate sparse": lambda: sparse.simulate(60, init=1, num_reps=2, random_state=9),
        "simulate wrong": lambda: chain.simulate(60, init=9),
        "tauchen": lambda: markov.tauchen(7, 0.9, 0.1, mu=0.2),
        "rouwenhorst": lambda: markov.rouwenhorst(5, 0.8, 0.2),
        "sa_indices": lambda: markov.sa_indices(4, 3),
        "estimate_mc": lambda: markov.estimate_mc(np.random.default_rng(1).integers(0, 4, 200)),
        "backward_induction": lambda: markov.backward_induction(decision, 4),
        "to_product_form": lambda: pairs.to_product_form(),
    }
    for name, problem in (("", decision), (" pairs", pairs)):
        for method in ("value_iteration", "policy_iteration", "modified_policy_iteration", "linear_programming"):
            found[f"DiscreteDP.{method}{name}"] = lambda problem=problem, method=method: problem.solve(method=method)
    return found


def of_games() -> dict[str, Callable[[], Any]]:
    game = game_theory.random_game((3, 4), random_state=6)
    pair = game_theory.NormalFormGame([[(1.0, 2.0), (0.0, 0.0)], [(0.5, 0.0), (3.0, 1.0)]])
    dilemma = game_theory.NormalFormGame([[(9, 9), (1, 10)], [(10, 1), (3, 3)]])
    repeated = game_theory.RepeatedGame(dilemma, 0.75)
    generators = game_theory.game_generators
    return {
        "support_enumeration": lambda: game_theory.support_enumeration(game),
        "support_enumeration two": lambda: game_theory.support_enumeration(pair),
        "vertex_enumeration": lambda: game_theory.vertex_enumeration(game),
        "lemke_howson": lambda: game_theory.lemke_howson(game, full_output=True),
        "lemke_howson capping": lambda: game_theory.lemke_howson(game, capping=2),
        "lemke_howson wrong": lambda: game_theory.lemke_howson(game, init_pivot=99),
        "pure_nash_brute": lambda: game_theory.pure_nash_brute(pair),
        "mclennan_tourky": lambda: game_theory.mclennan_tourky(game),
        "best_response": lambda: game.players[0].best_response([0.1, 0.4, 0.3, 0.2]),
        "is_dominated": lambda: [game.players[0].is_dominated(action) for action in range(3)],
        "random_mixed_actions": lambda: game_theory.random_mixed_actions((3, 4), random_state=2),
        "equilibrium_payoffs": lambda: repeated.equilibrium_payoffs(method="abreu_sannikov"),
        "blotto_game": lambda: generators.blotto_game(3, 2, 0.5, random_state=1).payoff_profile_array,
        "ranking_game": lambda: generators.ranking_game(5, random_state=1).payoff_profile_array,
        "sgc_game": lambda: generators.sgc_game(3).payoff_profile_array,
        "tournament_game": lambda: generators.tournament_game(4, 2, random_state=1).payoff_profile_array,
        "unit_vector_game": lambda: generators.unit_vector_game(4, random_state=1).payoff_profile_array,
    }


def others() -> dict[str, Callable[[], Any]]:
    random = np.random.default_rng(3)
    nodes, incomes = (np.linspace(0, 1, 5), np.linspace(-1, 1, 4)), random.lognormal(size=50)
    a, x = np.array([[0.9, 0.1], [-0.2, 0.7]]), np.array([1.0, 2.0])
    q, r, b, c = np.eye(2) * 0.5, np.eye(2) * 2, np.array([[0.0], [1.0]]), np.array([[0.1], [0.0]])
    control = qe.LQ(np.eye(1), r, a, b, C=c, beta=0.95)
    linear = qe.LinearStateSpace(a, c, np.eye(2), mu_0=x)
    return {
        "cartesian": lambda: qe.cartesian(nodes),
        "mlinspace": lambda: qe.mlinspace([0, 0], [1, 2], [3, 4]),
        "cartesian_nearest_index": lambda: qe._gridtools.cartesian_nearest_index(np.array([0.3, 0.1]), nodes),
        "simplex_grid": lambda: qe.simplex_grid(3, 5),
        "simplex_index": lambda: qe.simplex_index(np.array([1, 2, 2]), 3, 5),
        "num_compositions_jit": lambda: qe._gridtools.num_compositions_jit(3, 5),
        "lorenz_curve": lambda: qe.lorenz_curve(incomes),
        "gini_coefficient": lambda: qe.gini_coefficient(incomes),
        "random_tournament_graph": lambda: qe.random_tournament_graph(6, random_state=1).csgraph.toarray(),
        "compute_fixed_point": lambda: qe.compute_fixed_point(lambda v: 0.5 * v + 1, 3.0, verbose=0),
        "compute_fixed_point game": lambda: qe.compute_fixed_point(
            lambda v: 0.5 * v + 1, x, verbose=0, method="imitation_game"
        ),
        "LQ.stationary_values": lambda: control.stationary_values(),
        "LQ.compute_sequence": lambda: control.compute_sequence(x, 12, random_state=1),
        "LinearStateSpace.simulate": lambda: linear.simulate(20, random_state=1),
        "LinearStateSpace.replicate": lambda: linear.replicate(5, 3, random_state=1),
        "solve_discrete_riccati": lambda: qe.solve_discrete_riccati(a, b, q, np.eye(1)),
        "solve_discrete_lyapunov": lambda: qe.solve_discrete_lyapunov(a, q),
        "searchsorted": lambda: [qe.util.array.searchsorted(np.linspace(0, 1, 9), v) for v in (-1.0, 0.3, 0.5, 2.0)],
        "next_k_array": lambda: [
            combinatorics.next_k_array(np.array([0, 2, 5])),
            combinatorics.k_array_rank([1, 3, 6]),
        ],
        "k_array_rank_jit": lambda: combinatorics.k_array_rank_jit(np.array([1, 3, 6])),
        "comb_jit": lambda: [qe.util.numba.comb_jit(n, k) for n, k in ((10, 3), (70, 30), (3, 5), (-1, 2))],
        "qnwcheb": lambda: quad.qnwcheb([5, 4], [0, 0], [1, 2]),
        "qnwlege": lambda: quad.qnwlege(7, -1.0, 2.0),
        "qnwnorm": lambda: quad.qnwnorm(6, 0.5, 2.0),
        "qnwlogn": lambda: quad.qnwlogn(5, 0.1, 0.2),
        "qnwsimp": lambda: quad.qnwsimp(7, 0.0, 2.0),
        "qnwtrap": lambda: quad.qnwtrap(6, 0.0, 2.0),
        "qnwbeta": lambda: quad.qnwbeta(6, 2.0, 3.0),
        "qnwgamma": lambda: quad.qnwgamma(6, 2.0, 3.0),
        "qnwequi": lambda: quad.qnwequi(20, 0.0, 1.0, "W", random_state=1),
    }


def calls() -> Iterator[tuple[str, Callable[[], Any]]]:
    for part in (of_optimize, of_markov, of_games, others):
        yield from part().items()
