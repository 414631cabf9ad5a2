/** Records of one state on its cycle: what `periodic` takes. */
import { exp, log } from "../../num/elementary/number.ts";
import type { Drawn } from "../family.ts";
import type { Ground, OpenFamily } from "./family.ts";

interface Cycle {
	readonly name: string;
	readonly field: string;
	readonly equations: Readonly<Record<string, string>>;
	readonly params: Readonly<Record<string, Drawn>>;
	readonly states: Readonly<Record<string, readonly [number, number]>>;
	/** About three of its periods. */
	readonly duration: number;
	/** What drives it, as a formula of time. */
	readonly drive?: string;
}

const systems: readonly Cycle[] = [
	{
		name: "van der Pol, cycle",
		field: "mechanics",
		equations: { "x'": "q + mu*(x - x^3/3)", "q'": "-w*x" },
		params: { mu: [1, 0.2], w: [1, 0.15] },
		states: { x: [1, 2], q: [0, 0.5] },
		duration: 20,
	},
	{
		name: "FitzHugh-Nagumo, cycle",
		field: "neurons",
		equations: { "v'": "3*(v - v^3/3 - r + 0.6)", "r'": "0.3*(v + a - b*r)" },
		params: { a: [0.7, 0.08], b: [0.8, 0.08] },
		states: { v: [-1, 1], r: [0, 0.5] },
		duration: 45,
	},
	{
		name: "Brusselator, cycle",
		field: "chemistry",
		equations: { "x'": "a + x^2*q - (b + 1)*x", "q'": "b*x - x^2*q" },
		params: { a: [1, 0.05], b: [2.7, 0.05] },
		states: { x: [1, 2], q: [2, 3] },
		duration: 21,
	},
	{
		name: "Morris-Lecar, cycle",
		field: "neurons",
		equations: {
			"v'": "(120 - gca*0.5*(1 + tanh((v + 1.2)/18))*(v - 120) - gk*w*(v + 84) - gl*(v + 60))/20",
			"w'": "0.04*(0.5*(1 + tanh((v - 2)/30)) - w)*cosh((v - 2)/60)",
		},
		params: { gca: [4.4, 0.04], gk: [8, 0.04], gl: [2, 0.05] },
		states: { v: [-30, 0], w: [0.1, 0.3] },
		duration: 260,
	},
	{
		name: "saturated prey, cycle",
		field: "biology",
		equations: { "x'": "r*x*(1 - x/3.5) - z*x/(1 + x)", "z'": "e*z*x/(1 + x) - m*z" },
		params: { r: [1, 0.1], e: [1, 0.06], m: [0.4, 0.06] },
		states: { x: [0.5, 1], z: [1, 1.5] },
		duration: 45,
	},
	{
		name: "oscillator, driven",
		field: "mechanics",
		equations: { "x'": "v", "v'": "u - c*v - k*x" },
		params: { c: [0.4, 0.3], k: [3, 0.2] },
		states: { x: [0, 0.5], v: [0, 0.5] },
		duration: 14.5,
		drive: "cos(1.3*t)",
	},
	{
		name: "Duffing, driven",
		field: "mechanics",
		equations: { "x'": "v", "v'": "u - c*v - k*x - k3*x^3" },
		params: { c: [0.5, 0.2], k: [2, 0.2], k3: [0.8, 0.2] },
		states: { x: [0, 0.5], v: [0, 0.5] },
		duration: 14.5,
		drive: "2*cos(1.3*t)",
	},
	{
		name: "RC circuit, driven",
		field: "electricity",
		equations: { "v'": "(u - v)/tau" },
		params: { tau: [0.8, 0.3] },
		states: { v: [0, 0.5] },
		duration: 14.5,
		drive: "cos(1.3*t) + 0.5*cos(2.6*t)",
	},
];

function familyOf({ name, field, equations, params, states, duration, drive }: Cycle): OpenFamily {
	const [first] = Object.keys(states);
	const driven = (right: string): string => (drive ? right.replace(/\bu\b/g, `(${drive})`) : right);
	return {
		name,
		field,
		equations: Object.fromEntries(Object.entries(equations).map(([left, right]) => [left, driven(right)])),
		params,
		states,
		outputs: { y: first },
		duration,
		given: [
			...(drive ? [`input u = ${drive}`] : []),
			...Object.entries(params).map(([param, [centre, spread]]) => {
				const [lo, hi] = [-1, 1].map((sign) => Number((centre * exp(3 * sign * spread)).toPrecision(7)));
				return `param ${param} ~ lognormal(${Number(log(centre).toPrecision(7))}, ${spread}) in [${lo}, ${hi}]`;
			}),
			`state ${Object.keys(states).join(", ")}`,
			...Object.entries(equations).map(([left, right]) => `${left} = ${right}`),
		],
		truth: (values) => values,
	};
}

export const cycles: Ground = {
	method: "periodic",
	families: systems.map(familyOf),
	samples: (d) => d.whole(150, 400),
	levels: [0.003, 0.01, 0.03],
	records: [1],
	openNoise: 0.4,
	before: 8,
	ahead: 0,
};
