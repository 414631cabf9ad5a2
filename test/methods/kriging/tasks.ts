/** Systems to learn and to simulate, where the record was and where it was not, beyond those that tests look at. */
import { exp, sin } from "../../../src/num/elementary/number.ts";
import type { HeldTask } from "./coverage.ts";
import { duffing, fitzHughNagumo, lotkaVolterra, pendulum, type Truth } from "./problems.ts";

type Field = (x: Float64Array, out: Float64Array) => void;

export const plane = (field: Field, x0: readonly number[], trend: number): Truth => ({
	rhs: (_t, x, out) => field(x, out),
	x0,
	text: `
unknown f(x, y) ~ kriging(trend: ${trend})
unknown g(x, y) ~ kriging(trend: ${trend})
state x, y
x' = f(x, y)
y' = g(x, y)
measure y1 ~ normal(x, SD)
measure y2 ~ normal(y, SD)`,
	outputs: { y1: 0, y2: 1 },
});

export const force = (f: (x: number, v: number) => number, x0: number, trend: number): Truth => ({
	rhs(_t, x, out) {
		out[0] = x[1];
		out[1] = f(x[0], x[1]);
	},
	x0: [x0, 0],
	text: `
unknown f(x, v) ~ kriging(trend: ${trend})
state x, v
x' = v
v' = f(x, v)
measure y1 ~ normal(x, SD)
measure y2 ~ normal(v, SD)`,
	outputs: { y1: 0, y2: 1 },
});

export const rate = (f: (x: number) => number, x0: number): Truth => ({
	rhs(_t, x, out) {
		out[0] = f(x[0]);
	},
	x0: [x0],
	text: "unknown f(x) ~ kriging(trend: 1)\nstate x\nx' = f(x)\nmeasure y ~ normal(x, SD)",
	outputs: { y: 0 },
});

export const swing = (damping: number) => (x: number, v: number) => -sin(x) - damping * v;
const vanDerPol = (x: number, v: number): number => (1 - x * x) * v - x;
const excitable: Field = (x, out) => {
	out[0] = x[0] - x[0] ** 3 / 3 - x[1] + 0.5;
	out[1] = 0.24 * (x[0] + 0.7 - 0.8 * x[1]);
};
const saturatedPrey: Field = (x, out) => {
	const eaten = (x[0] * x[1]) / (1 + 0.5 * x[0]);
	out[0] = x[0] * (1 - x[0] / 4) - eaten;
	out[1] = -0.5 * x[1] + 0.6 * eaten;
};
const limitedPrey: Field = (x, out) => {
	out[0] = x[0] * (1 - 0.15 * x[0]) - 0.4 * x[0] * x[1];
	out[1] = -0.6 * x[1] + 0.3 * x[0] * x[1];
};
const prey: Field = (x, out) => {
	out[0] = x[0] - 0.4 * x[0] * x[1];
	out[1] = -0.6 * x[1] + 0.3 * x[0] * x[1];
};
const brusselator: Field = (x, out) => {
	out[0] = 1 + x[0] * x[0] * x[1] - 3 * x[0];
	out[1] = 2 * x[0] - x[0] * x[0] * x[1];
};
const friction: Truth = {
	rhs(_t, x, out) {
		const e = exp(-4 * x[1]);
		out[0] = x[1];
		out[1] = -x[0] - (0.3 * (1 - e)) / (1 + e);
	},
	x0: [1.2, 0],
	text: `
unknown f(v) ~ kriging(trend: 1)
state x, v
x' = v
v' = -x + f(v)
measure y1 ~ normal(x, SD)
measure y2 ~ normal(v, SD)`,
	outputs: { y1: 0, y2: 1 },
};

/** Followed on from where the record ends: the path stays among its data. */
export const inside: Readonly<Record<string, HeldTask>> = {
	"damped pendulum, inside its spiral": {
		truth: force(swing(0.1), 1.2, 2),
		n: 60,
		step: 0.3,
		nTest: 60,
		sd: 0.01,
	},
	"driven Duffing, displacement alone": { truth: duffing, n: 80, step: 0.25, nTest: 60, sd: 0.01 },
	"pendulum without damping": { truth: force(swing(0), 1.5, 2), n: 60, step: 0.3, nTest: 60, sd: 0.02 },
	"predator and prey without an end": {
		truth: plane(prey, [3, 1.5], 2),
		n: 60,
		step: 0.3,
		nTest: 60,
		sd: 0.02,
	},
	"van der Pol": { truth: force(vanDerPol, 2, 2), n: 60, step: 0.25, nTest: 60, sd: 0.02 },
	"predator and saturated prey that settle": {
		truth: plane(saturatedPrey, [2.5, 0.6], 2),
		n: 80,
		step: 0.4,
		nTest: 60,
		sd: 0.01,
	},
	"predator and limited prey that settle": {
		truth: plane(limitedPrey, [3, 0.5], 2),
		n: 80,
		step: 0.4,
		nTest: 60,
		sd: 0.01,
	},
};

const small = { n: 60, step: 0.25, nTest: 60, sd: 0.01 };
const short = { n: 40, step: 0.25, nTest: 60, sd: 0.02 };
const slow = { n: 50, step: 0.5, nTest: 40, sd: 0.02 };

/** Started, or followed, where the record never came. */
export const outside: Readonly<Record<string, HeldTask>> = {
	"larger swing": { truth: force(swing(0.1), 0.8, 2), ...small, start: [1.3, 0] },
	"a little larger, trend 1": { truth: force(swing(0.1), 0.8, 1), ...small, start: [1, 0] },
	"larger, trend 1": { truth: force(swing(0.1), 0.8, 1), ...small, start: [1.3, 0] },
	"damped, trend 1": {
		truth: force(swing(0.25), 1.5, 1),
		n: 50,
		step: 0.3,
		nTest: 50,
		sd: 0.02,
		start: [1.9, 0],
	},
	"damped, larger, trend 1": {
		truth: force(swing(0.25), 1.5, 1),
		n: 50,
		step: 0.3,
		nTest: 50,
		sd: 0.02,
		start: [2.4, 0],
	},
	"inside a limit cycle": { truth: force(vanDerPol, 2, 2), ...short, start: [0.5, 0] },
	"inside a limit cycle, trend 1": { truth: force(vanDerPol, 2, 1), ...short, start: [0.5, 0] },
	"outside a limit cycle": { truth: force(vanDerPol, 2, 2), ...short, start: [2.6, 0] },
	"FitzHugh–Nagumo, within": { truth: plane(excitable, [-1, 1], 2), ...slow, start: [0, 0.2] },
	"FitzHugh–Nagumo, beyond": { truth: plane(excitable, [-1, 1], 2), ...slow, start: [1.5, 2] },
	"predator and saturated prey": {
		truth: plane(saturatedPrey, [2.5, 0.6], 2),
		n: 80,
		step: 0.4,
		nTest: 60,
		sd: 0.01,
		start: [3.2, 1.2],
	},
	"another closed orbit": {
		truth: plane(prey, [3, 1.5], 2),
		n: 40,
		step: 0.3,
		nTest: 50,
		sd: 0.02,
		start: [3.6, 1.2],
	},
	Brusselator: {
		truth: plane(brusselator, [1.5, 2], 2),
		n: 50,
		step: 0.3,
		nTest: 50,
		sd: 0.02,
		start: [2, 1],
	},
	friction: { truth: friction, ...small, start: [2, 0] },
	"growth with an end": { truth: rate((x) => x * (1 - x / 10), 0.3), n: 30, step: 0.08, nTest: 60, sd: 0.01 },
	"cubic growth": { truth: rate((x) => x - x ** 3 / 4, 0.1), n: 30, step: 0.07, nTest: 60, sd: 0.005 },
	"a rate that saturates": {
		truth: rate((x) => (2 * x) / (0.7 + x), 0.1),
		n: 30,
		step: 0.06,
		nTest: 60,
		sd: 0.005,
	},
	"growth without an end": { truth: rate((x) => 0.3 * x, 1), n: 20, step: 0.25, nTest: 40, sd: 0.01 },
	"a decay that slows": { truth: rate((x) => (-2 * x) / (1 + x), 4), n: 30, step: 0.05, nTest: 60, sd: 0.01 },
};

/** The goals of the calibration. */
export const goals: Readonly<Record<string, HeldTask>> = {
	"driven pendulum": { truth: pendulum, n: 60, step: 0.3, nTest: 60, sd: 0.02 },
	"FitzHugh–Nagumo": { truth: fitzHughNagumo, n: 50, step: 0.5, nTest: 40, sd: 0.02 },
	"Lotka–Volterra": { truth: lotkaVolterra, n: 40, step: 0.5, nTest: 80, sd: 0.01 },
};
