/**
 * Standard test problems, written by hand. Stiff ones with the end values of the Test Set for Initial Value Problem Solvers
 * (F. Mazzia, C. Magherini, release 2.4, 2008).
 */
import type { Ivp } from "../../src/solve/ivp.ts";

export interface TestProblem {
	readonly name: string;
	readonly ivp: Ivp;
	readonly t0: number;
	readonly t1: number;
	readonly x0: Float64Array;
	/** Published state at t1. */
	readonly end?: readonly number[];
}

export const lotkaVolterra: TestProblem = {
	name: "Lotka-Volterra",
	t0: 0,
	t1: 10,
	x0: Float64Array.of(1, 1),
	ivp: {
		n: 2,
		autonomous: true,
		names: ["prey", "predator"],
		rhs(_t, x, out) {
			out[0] = 1.5 * x[0] - x[0] * x[1];
			out[1] = x[0] * x[1] - 3 * x[1];
		},
		jacobian(_t, x, out) {
			out[0] = 1.5 - x[1];
			out[1] = -x[0];
			out[2] = x[1];
			out[3] = x[0] - 3;
		},
	},
};

export const pleiades: TestProblem = {
	name: "Pleiades",
	t0: 0,
	t1: 3,
	x0: Float64Array.of(
		...[3, 3, -1, -3, 2, -2, 2],
		...[3, -3, 2, 0, 0, -4, 4],
		...[0, 0, 0, 0, 0, 1.75, -1.5],
		...[0, 0, 0, -1.25, 1, 0, 0],
	),
	ivp: {
		n: 28,
		autonomous: true,
		rhs(_t, z, out) {
			for (let i = 0; i < 7; i++) {
				let ax = 0;
				let ay = 0;
				for (let j = 0; j < 7; j++) {
					if (j === i) continue;
					const dx = z[j] - z[i];
					const dy = z[7 + j] - z[7 + i];
					const squared = dx * dx + dy * dy;
					const weight = (j + 1) / (squared * Math.sqrt(squared));
					ax += weight * dx;
					ay += weight * dy;
				}
				out[i] = z[14 + i];
				out[7 + i] = z[21 + i];
				out[14 + i] = ax;
				out[21 + i] = ay;
			}
		},
	},
};

function vanDerPolIvp(mu: number): Ivp {
	return {
		n: 2,
		autonomous: true,
		names: ["x", "v"],
		rhs(_t, x, out) {
			out[0] = x[1];
			out[1] = mu * (1 - x[0] * x[0]) * x[1] - x[0];
		},
		jacobian(_t, x, out) {
			out[0] = 0;
			out[1] = 1;
			out[2] = -2 * mu * x[0] * x[1] - 1;
			out[3] = mu * (1 - x[0] * x[0]);
		},
	};
}

export const vanDerPol: TestProblem = {
	name: "van der Pol, mu = 1",
	t0: 0,
	t1: 20,
	x0: Float64Array.of(2, 0),
	ivp: vanDerPolIvp(1),
};

export const vanDerPolStiff: TestProblem = {
	name: "van der Pol, mu = 1000",
	t0: 0,
	t1: 2000,
	x0: Float64Array.of(2, 0),
	ivp: vanDerPolIvp(1000),
	// The test set's time runs 1000 times slower.
	end: [0.1706167732170483e1, -0.8928097010247975e-3],
};

export const robertson: TestProblem = {
	name: "Robertson",
	t0: 0,
	t1: 1e11,
	x0: Float64Array.of(1, 0, 0),
	end: [0.2083340149701255e-7, 0.8333360770334713e-13, 0.999999979166505],
	ivp: {
		n: 3,
		autonomous: true,
		names: ["A", "B", "C"],
		rhs(_t, x, out) {
			const slow = 0.04 * x[0];
			const fast = 1e4 * x[1] * x[2];
			const rest = 3e7 * x[1] * x[1];
			out[0] = fast - slow;
			out[1] = slow - fast - rest;
			out[2] = rest;
		},
		jacobian(_t, x, out) {
			out[0] = -0.04;
			out[1] = 1e4 * x[2];
			out[2] = 1e4 * x[1];
			out[3] = 0.04;
			out[4] = -1e4 * x[2] - 6e7 * x[1];
			out[5] = -1e4 * x[1];
			out[6] = 0;
			out[7] = 6e7 * x[1];
			out[8] = 0;
		},
	},
};

export const hires: TestProblem = {
	name: "HIRES",
	t0: 0,
	t1: 321.8122,
	x0: Float64Array.of(1, 0, 0, 0, 0, 0, 0, 0.0057),
	end: [
		0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2,
		0.2386356198831331e-2, 0.6238968252742796e-2, 0.2849998395185769e-2, 0.2850001604814231e-2,
	],
	ivp: {
		n: 8,
		autonomous: true,
		rhs(_t, x, out) {
			const binding = 280 * x[5] * x[7];
			out[0] = -1.71 * x[0] + 0.43 * x[1] + 8.32 * x[2] + 0.0007;
			out[1] = 1.71 * x[0] - 8.75 * x[1];
			out[2] = -10.03 * x[2] + 0.43 * x[3] + 0.035 * x[4];
			out[3] = 8.32 * x[1] + 1.71 * x[2] - 1.12 * x[3];
			out[4] = -1.745 * x[4] + 0.43 * x[5] + 0.43 * x[6];
			out[5] = -binding + 0.69 * x[3] + 1.71 * x[4] - 0.43 * x[5] + 0.69 * x[6];
			out[6] = binding - 1.81 * x[6];
			out[7] = -binding + 1.81 * x[6];
		},
		jacobian(_t, x, out) {
			out.fill(0);
			const set = (i: number, j: number, value: number) => {
				out[i * 8 + j] = value;
			};
			set(0, 0, -1.71);
			set(0, 1, 0.43);
			set(0, 2, 8.32);
			set(1, 0, 1.71);
			set(1, 1, -8.75);
			set(2, 2, -10.03);
			set(2, 3, 0.43);
			set(2, 4, 0.035);
			set(3, 1, 8.32);
			set(3, 2, 1.71);
			set(3, 3, -1.12);
			set(4, 4, -1.745);
			set(4, 5, 0.43);
			set(4, 6, 0.43);
			set(5, 3, 0.69);
			set(5, 4, 1.71);
			set(5, 5, -280 * x[7] - 0.43);
			set(5, 6, 0.69);
			set(5, 7, -280 * x[5]);
			set(6, 5, 280 * x[7]);
			set(6, 6, -1.81);
			set(6, 7, 280 * x[5]);
			set(7, 5, -280 * x[7]);
			set(7, 6, 1.81);
			set(7, 7, -280 * x[5]);
		},
	},
};
