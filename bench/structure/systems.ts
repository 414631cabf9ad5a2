/**
 * Systems whose equations are to be found again. Half were chosen; the other half is every second of the systems of the `dysts`
 * collection, in alphabetical order, that have at most three states, no time and are polynomial of degree 3 or less: from Arneodo to
 * Halvorsen. Their equations, parameters, initial values and turns (its `period`) are those of the collection.
 */
import type { Example } from "../../papers/inversion/examples.ts";
import { emptyRecord, regularTimes } from "../../src/methods/inversion/answer/simulated-records.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";

export interface System {
	readonly name: string;
	/** Right-hand side of each state, term by term. */
	readonly equations: readonly Readonly<Record<string, number>>[];
	readonly degree: number;
	readonly initial: readonly number[];
	/** End of the record: a few turns, or times in which neighbours part. */
	readonly until: number;
	/** Samples of the sparse record. */
	readonly sparse: number;
	/** End of a record of 1,200 samples. */
	readonly long?: number;
	readonly drawnByRule: boolean;
}

const chosen = (system: Omit<System, "drawnByRule">): System => ({ ...system, drawnByRule: false });
/** Of those drawn nothing is chosen: their records are as many turns and samples for all. */
const turns = 4;
const drawn = ({
	turn,
	...system
}: Pick<System, "name" | "equations" | "degree" | "initial"> & { turn: number }): System => ({
	...system,
	until: turns * turn,
	sparse: 91,
	drawnByRule: true,
});

export const systems: readonly System[] = [
	chosen({
		name: "van-der-pol",
		equations: [{ y: 1 }, { x: -1, y: 1, "x^2*y": -1 }],
		degree: 3,
		initial: [2, 0],
		until: 20,
		sparse: 51,
	}),
	chosen({
		name: "lotka-volterra",
		equations: [
			{ x: 1.5, "x*y": -1 },
			{ y: -3, "x*y": 1 },
		],
		degree: 3,
		initial: [1, 1],
		until: 10,
		sparse: 61,
	}),
	chosen({
		name: "fitzhugh-nagumo",
		equations: [
			{ 1: 0.5, x: 1, "x^3": -1 / 3, y: -1 },
			{ 1: 0.056, x: 0.08, y: -0.064 },
		],
		degree: 3,
		initial: [-1, 1],
		until: 100,
		sparse: 91,
	}),
	chosen({
		name: "cubic-oscillator",
		equations: [{ y: 1 }, { x: -1, y: -0.1, "x^3": -0.5 }],
		degree: 3,
		initial: [2, 0],
		until: 20,
		sparse: 51,
	}),
	chosen({
		name: "brusselator",
		equations: [
			{ 1: 1, x: -4, "x^2*y": 1 },
			{ x: 3, "x^2*y": -1 },
		],
		degree: 3,
		initial: [1.5, 2],
		until: 20,
		sparse: 81,
	}),
	chosen({
		name: "lorenz",
		equations: [
			{ x: -10, y: 10 },
			{ x: 28, y: -1, "x*z": -1 },
			{ z: -8 / 3, "x*y": 1 },
		],
		degree: 2,
		initial: [-8, 7, 27],
		until: 6,
		sparse: 91,
		long: 12,
	}),
	chosen({
		name: "rossler",
		equations: [
			{ y: -1, z: -1 },
			{ x: 1, y: 0.2 },
			{ 1: 0.2, z: -5.7, "x*z": 1 },
		],
		degree: 2,
		initial: [3, -6, 0.1],
		until: 30,
		sparse: 91,
		long: 90,
	}),
	chosen({
		name: "hindmarsh-rose",
		equations: [
			{ y: 1, "x^2": 3, "x^3": -1, z: -1, 1: 3.2 },
			{ 1: 1, "x^2": -5, y: -1 },
			{ x: 0.024, 1: 0.0384, z: -0.006 },
		],
		degree: 3,
		initial: [-1, 0, 3],
		until: 30,
		sparse: 91,
		long: 90,
	}),
	drawn({
		name: "arneodo",
		equations: [{ y: 1 }, { z: 1 }, { x: 5.5, y: -4.5, z: -1, "x^3": -1 }],
		degree: 3,
		initial: [-2.7515698, 0.19079818, 3.4703629],
		turn: 3.1641,
	}),
	drawn({
		name: "bouali",
		equations: [
			{ x: 4, "x*y": -1, z: 0.3 },
			{ y: -1, "x^2*y": 1 },
			{ x: -1.5, "x*z": 1, z: -0.05 },
		],
		degree: 3,
		initial: [0.38673159, 3.0544196, -0.0067836194],
		turn: 3.0411,
	}),
	drawn({
		name: "burke-shaw",
		equations: [
			{ x: -10, y: -10 },
			{ y: 1, "x*z": -10 },
			{ "x*y": 10, 1: 13 },
		],
		degree: 2,
		initial: [-0.79153188, 0.65244479, 0.22517831],
		turn: 0.78333,
	}),
	drawn({
		name: "chen-lee",
		equations: [
			{ x: 5, "y*z": -1 },
			{ y: -10, "x*z": 1 },
			{ z: -0.38, "x*y": 1 / 3 },
		],
		degree: 2,
		initial: [0.17177112, 0.10360479, 6.2553878],
		turn: 2.8043,
	}),
	drawn({
		name: "dadras",
		equations: [
			{ y: 1, x: -3, "y*z": 2.7 },
			{ y: 1.7, "x*z": -1, z: 1 },
			{ "x*y": 2, z: -9 },
		],
		degree: 2,
		initial: [1.0284085, -3.5348655, -0.72081646],
		turn: 3.2886,
	}),
	drawn({
		name: "finance",
		equations: [
			{ x: 4.999, z: 1, "x*y": 1 },
			{ y: -0.2, "x^2": -1 },
			{ x: -1, z: -1.1 },
		],
		degree: 2,
		initial: [-0.51664739, -3.9568707, 0.0012893581],
		turn: 9.8932,
	}),
	drawn({
		name: "guckenheimer-holmes",
		equations: [
			{ x: 0.4, y: -20.25, "x*z": 3, "x^2*z": 1.6, "y^2*z": 1.6 },
			{ x: 20.25, y: 0.4, "y*z": 3 },
			{ 1: 1.7, "z^2": -1, "x^2": -0.44, "y^2": -0.44, "z^3": -0.4 },
		],
		degree: 3,
		initial: [-0.55582369, 0.05181624, 0.37766104],
		turn: 4 / 13,
	}),
	drawn({
		name: "halvorsen",
		equations: [
			{ x: -1.4, y: -4, z: -4, "y^2": -1 },
			{ y: -1.4, z: -4, x: -4, "z^2": -1 },
			{ z: -1.4, x: -4, y: -4, "x^2": -1 },
		],
		degree: 2,
		initial: [-8.6807408, -2.4741399, 0.070775762],
		turn: 1.4889,
	}),
];

const letters = ["x", "y", "z"];

/** All monomials up to the degree in every equation; the noise is left open. */
export function exampleOf({ name, equations, degree, initial, until }: System, samples: number): Example {
	const states = letters.slice(0, equations.length);
	const functions = states.map((state) => `f${state}`);
	const text = [
		`param ${states.map((state) => `s${state}`).join(", ")}`,
		`unknown ${functions.map((f) => `${f}(${states.join(", ")}) = polynomial(${degree})`).join(", ")}`,
		`state ${states.join(", ")}`,
		...states.map((state) => `${state}' = f${state}(${states.join(", ")})`),
		...states.map((state) => `measure ${state}m ~ normal(${state}, s${state})`),
	].join("\n");
	const outputs = states.map((state) => `${state}m`);
	return {
		model: parseModel(text, `${name}.ode`),
		truth: Object.fromEntries(
			equations.flatMap((terms, k) =>
				Object.entries(terms).map(([term, value]) => [`${functions[k]}[${term}]`, value]),
			),
		),
		design: [emptyRecord("record", regularTimes(until, until / (samples - 1)), outputs, {})],
		initial,
		substeps: Math.ceil(40_000 / samples),
	};
}
