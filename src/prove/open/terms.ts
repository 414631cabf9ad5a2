/** Polynomial systems of which all monomials up to a degree are proposed: `inversion` is asked which are there. */
import type { Ground, OpenFamily } from "./family.ts";

interface Polynomial {
	readonly name: string;
	readonly field: string;
	/** By state: its terms and the centres of their weights. */
	readonly equations: Readonly<Record<string, Readonly<Record<string, number>>>>;
	readonly degree: number;
	readonly start: readonly (readonly [number, number])[];
	readonly duration: number;
}

/** Logarithm of about the factor by which weights are drawn off their centres. */
const spread = 0.12;

const polynomials: readonly Polynomial[] = [
	{
		name: "van der Pol, terms",
		field: "mechanics",
		equations: { x: { y: 1 }, y: { x: -1, y: 1, "x^2*y": -1 } },
		degree: 3,
		start: [
			[1, 2.5],
			[-1, 1],
		],
		duration: 16,
	},
	{
		name: "cubic spring, terms",
		field: "mechanics",
		equations: { x: { y: 1 }, y: { x: -1, y: -0.15, "x^3": -0.5 } },
		degree: 3,
		start: [
			[1.5, 2.5],
			[-0.5, 0.5],
		],
		duration: 16,
	},
	{
		name: "predator and prey, terms",
		field: "biology",
		equations: { x: { x: 1.5, "x*y": -1 }, y: { y: -2, "x*y": 1 } },
		degree: 2,
		start: [
			[1, 3],
			[0.7, 2],
		],
		duration: 10,
	},
	{
		name: "FitzHugh-Nagumo, terms",
		field: "neurons",
		equations: { x: { 1: 0.5, x: 1, "x^3": -0.333, y: -1 }, y: { 1: 0.14, x: 0.2, y: -0.16 } },
		degree: 3,
		start: [
			[-1.5, 1.5],
			[0, 1],
		],
		duration: 60,
	},
	{
		name: "Brusselator, terms",
		field: "chemistry",
		equations: { x: { 1: 1, x: -4, "x^2*y": 1 }, y: { x: 3, "x^2*y": -1 } },
		degree: 3,
		start: [
			[1, 2],
			[1.5, 3],
		],
		duration: 16,
	},
	{
		name: "logistic growth, terms",
		field: "biology",
		equations: { x: { x: 1, "x^2": -0.25 } },
		degree: 3,
		start: [[0.2, 0.6]],
		duration: 9,
	},
	{
		name: "epidemic, terms",
		field: "epidemics",
		equations: { x: { "x*y": -1.2 }, y: { "x*y": 1.2, y: -0.4 } },
		degree: 2,
		start: [
			[0.9, 1.1],
			[0.02, 0.06],
		],
		duration: 14,
	},
	{
		name: "Lorenz, terms",
		field: "chaos",
		equations: {
			x: { x: -10, y: 10 },
			y: { x: 28, y: -1, "x*z": -1 },
			z: { z: -2.667, "x*y": 1 },
		},
		degree: 2,
		start: [
			[-9, -7],
			[6, 8],
			[25, 29],
		],
		duration: 4,
	},
];

function familyOf({ name, field, equations, degree, start, duration }: Polynomial): OpenFamily {
	const states = Object.keys(equations);
	const list = states.join(", ");
	const weights = states.flatMap((state) =>
		Object.entries(equations[state]).map(([term, centre], i) => ({
			param: `w_${state}_${i}`,
			state,
			term,
			centre,
		})),
	);
	return {
		name,
		field,
		equations: Object.fromEntries(
			states.map((state) => [
				`${state}'`,
				weights
					.filter((weight) => weight.state === state)
					.map(({ param, term }) => `${param}*${term}`)
					.join(" + "),
			]),
		),
		params: Object.fromEntries(weights.map(({ param, centre }) => [param, [centre, spread] as const])),
		states: Object.fromEntries(states.map((state, i) => [state, start[i]])),
		outputs: Object.fromEntries(states.map((state) => [`${state}m`, state])),
		duration,
		given: [
			...states.map((state) => `unknown f${state}(${list}) = polynomial(${degree})`),
			`state ${list}`,
			...states.map((state) => `${state}' = f${state}(${list})`),
		],
		truth: (params) =>
			Object.fromEntries(weights.map(({ param, state, term }) => [`f${state}[${term}]`, params[param]])),
	};
}

export const terms: Ground = {
	method: "inversion",
	families: polynomials.map(familyOf),
	samples: (d) => d.whole(80, 240),
	levels: [0.003, 0.01, 0.03],
	records: [1, 1, 2],
	openNoise: 0.4,
	before: 0,
	ahead: 0,
};
