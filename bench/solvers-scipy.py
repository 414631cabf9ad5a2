"""SciPy's side of the solver bench: solves the same problems at several tolerances and prints JSON.

Each right-hand side is written as a SciPy user writes it. Radau gets the Jacobian matrix, as our stiff solver does;
odeint (LSODA) runs as it comes.
"""

import json
import sys
import time

import numpy as np
import scipy
from scipy.integrate import odeint, solve_ivp


def lotka_volterra(t, x):
    return [1.5 * x[0] - x[0] * x[1], x[0] * x[1] - 3 * x[1]]


MASSES = np.arange(1, 8)


def pleiades(t, z):
    x, y = z[:7], z[7:14]
    dx = x[None, :] - x[:, None]
    dy = y[None, :] - y[:, None]
    cubed = (dx**2 + dy**2) ** 1.5
    np.fill_diagonal(cubed, 1)
    return np.concatenate([z[14:], (MASSES * dx / cubed).sum(axis=1), (MASSES * dy / cubed).sum(axis=1)])


def van_der_pol(mu):
    def rhs(t, x):
        return [x[1], mu * (1 - x[0] ** 2) * x[1] - x[0]]

    def jacobian(t, x):
        return [[0, 1], [-2 * mu * x[0] * x[1] - 1, mu * (1 - x[0] ** 2)]]

    return rhs, jacobian


def robertson(t, x):
    a, b, c = x
    return [-0.04 * a + 1e4 * b * c, 0.04 * a - 1e4 * b * c - 3e7 * b * b, 3e7 * b * b]


def robertson_jacobian(t, x):
    a, b, c = x
    return [[-0.04, 1e4 * c, 1e4 * b], [0.04, -1e4 * c - 6e7 * b, -1e4 * b], [0, 6e7 * b, 0]]


def hires(t, x):
    binding = 280 * x[5] * x[7]
    return [
        -1.71 * x[0] + 0.43 * x[1] + 8.32 * x[2] + 0.0007,
        1.71 * x[0] - 8.75 * x[1],
        -10.03 * x[2] + 0.43 * x[3] + 0.035 * x[4],
        8.32 * x[1] + 1.71 * x[2] - 1.12 * x[3],
        -1.745 * x[4] + 0.43 * x[5] + 0.43 * x[6],
        -binding + 0.69 * x[3] + 1.71 * x[4] - 0.43 * x[5] + 0.69 * x[6],
        binding - 1.81 * x[6],
        -binding + 1.81 * x[6],
    ]


def hires_jacobian(t, x):
    j = np.zeros((8, 8))
    j[0, :3] = -1.71, 0.43, 8.32
    j[1, :2] = 1.71, -8.75
    j[2, 2:5] = -10.03, 0.43, 0.035
    j[3, 1:4] = 8.32, 1.71, -1.12
    j[4, 4:7] = -1.745, 0.43, 0.43
    j[5, 3:8] = 0.69, 1.71, -280 * x[7] - 0.43, 0.69, -280 * x[5]
    j[6, 5:8] = 280 * x[7], -1.81, 280 * x[5]
    j[7, 5:8] = -280 * x[7], 1.81, -280 * x[5]
    return j


PLEIADES_START = [3, 3, -1, -3, 2, -2, 2, 3, -3, 2, 0, 0, -4, 4]
PLEIADES_START += [0, 0, 0, 0, 0, 1.75, -1.5, 0, 0, 0, -1.25, 1, 0, 0]

EASY = {
    "Lotka-Volterra": (lotka_volterra, 10, [1, 1]),
    "Pleiades": (pleiades, 3, PLEIADES_START),
    "van der Pol, mu = 1": (van_der_pol(1)[0], 20, [2, 0]),
}
STIFF = {
    "van der Pol, mu = 1000": (*van_der_pol(1000), 2000, [2, 0]),
    "Robertson": (robertson, robertson_jacobian, 1e11, [1, 0, 0]),
    "HIRES": (hires, hires_jacobian, 321.8122, [1, 0, 0, 0, 0, 0, 0, 0.0057]),
}


def best_time(work, repetitions):
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        work()
        times.append(1e3 * (time.perf_counter() - start))
    return min(times), sorted(times)[len(times) // 2]


def main():
    asked = json.load(sys.stdin)
    results = []
    for name, (rhs, end, start) in EASY.items():
        for method, tolerances in asked["explicit"].items():
            for tol in tolerances:
                solution = solve_ivp(rhs, (0, end), start, method=method, rtol=tol, atol=tol)
                results.append(
                    {"problem": name, "method": method, "tol": tol, "rhs": solution.nfev,
                     "steps": len(solution.t) - 1, "x": list(solution.y[:, -1])}
                )
    for name, (rhs, jacobian, end, start) in STIFF.items():
        for tol in asked["stiff"]:
            atol = tol * asked["atolOverRtol"][name]
            solution = solve_ivp(rhs, (0, end), start, method="Radau", jac=jacobian, rtol=tol, atol=atol)
            results.append(
                {"problem": name, "method": "Radau", "tol": tol, "rhs": solution.nfev,
                 "steps": len(solution.t) - 1, "x": list(solution.y[:, -1])}
            )

            def lsoda():
                return odeint(rhs, start, [0, end], rtol=tol, atol=atol, mxstep=100000, tfirst=True)

            best, median = best_time(lsoda, asked["repetitions"])
            results.append(
                {"problem": name, "method": "LSODA", "tol": tol, "ms": best, "msMedian": median, "x": list(lsoda()[-1])}
            )
    json.dump({"scipy": scipy.__version__, "results": results}, sys.stdout)


main()
