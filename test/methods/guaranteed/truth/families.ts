/**
 * Random problems with solutions in closed form: blow-up, division through zero, corners, stiffness, long horizons, several records with unequal times,
 * outputs that are not defined everywhere.
 */
import { stream } from "../../../../src/num/random.ts";
import {
	type Course,
	type Draw,
	measured,
	setAround,
	someTimes,
	type TruthProblem,
	type Values,
} from "./problem.ts";

export function drawOf(seed: number): Draw {
	const random = stream(seed, "truth of statements");
	let index = 0;
	const uniform = (lo: number, hi: number): number => lo + (hi - lo) * random.uniform(index++);
	return Object.assign(uniform, {
		whole: (lo: number, hi: number): number => Math.min(hi, Math.floor(uniform(lo, hi + 1))),
		pick: <T>(list: readonly T[]): T => list[Math.min(list.length - 1, Math.floor(uniform(0, list.length)))],
	});
}

/** One state x from x0 at the start, by formula; nothing from where there is none. */
type Formula = (values: Values, x0: number, since: number, condition: number) => number | undefined;

interface Kind {
	readonly name: string;
	/** Names and true values of the constant unknowns. */
	readonly params: (draw: Draw) => Record<string, number>;
	readonly x0: (draw: Draw) => number;
	readonly equation: string;
	readonly formula: Formula;
	readonly end: (draw: Draw) => number;
	/** Uses t itself, so records start at 0. */
	readonly timed?: boolean;
	readonly conditioned?: boolean;
}

const kinds: readonly Kind[] = [
	{
		name: "blow-up",
		params: (draw) => ({ p: draw(0.5, 3) }),
		x0: (draw) => draw(0.4, 1.6),
		equation: "x' = (2 - p)*x^2",
		formula: ({ p }, x0, t) => (1 - (2 - p) * x0 * t > 1e-6 ? x0 / (1 - (2 - p) * x0 * t) : undefined),
		end: (draw) => draw(0.3, 1.2),
	},
	{
		name: "division through zero",
		params: (draw) => ({ q: draw(-0.5, 0.5) }),
		x0: (draw) => draw(1, 2),
		equation: "x' = -1/(x - q)",
		formula: ({ q }, x0, t) => {
			const left = (x0 - q) * (x0 - q) - 2 * t;
			return x0 > q && left > 1e-6 ? q + Math.sqrt(left) : undefined;
		},
		end: (draw) => draw(0.1, 1),
	},
	{
		name: "logistic, long",
		params: (draw) => ({ r: draw(0.3, 1.5), K: draw(1, 3) }),
		x0: (draw) => draw(0.2, 0.9),
		equation: "x' = r*x*(1 - x/K)",
		formula: ({ r, K }, x0, t) => K / (1 + (K / x0 - 1) * Math.exp(-r * t)),
		end: (draw) => draw(5, 80),
	},
	{
		name: "decay to a level, several records",
		params: (draw) => ({ k: draw(0.3, 2), b: draw(0.2, 1) }),
		x0: (draw) => draw(0.3, 2),
		equation: "x' = -k*c*x + b",
		formula: ({ k, b }, x0, t, c) => (x0 - b / (k * c)) * Math.exp(-k * c * t) + b / (k * c),
		end: (draw) => draw(0.5, 6),
		conditioned: true,
	},
	{
		name: "a corner",
		params: (draw) => ({ p: draw(0.5, 1.5) }),
		x0: (draw) => draw(0.2, 1.2),
		equation: "x' = -p*abs(x) - 1",
		formula: ({ p }, x0, t) => {
			const turn = x0 > 0 ? Math.log(1 + p * x0) / p : 0;
			if (t < turn) return (x0 + 1 / p) * Math.exp(-p * t) - 1 / p;
			const from = Math.min(x0, 0);
			return (from - 1 / p) * Math.exp(p * (t - turn)) + 1 / p;
		},
		end: (draw) => draw(0.5, 2.5),
	},
	{
		name: "forced",
		params: (draw) => ({ k: 10 ** draw(-0.3, 4) }),
		x0: (draw) => draw(-1, 1),
		equation: "x' = -k*(x - cos(t))",
		formula: ({ k }, x0, t) => {
			const slow = (s: number): number => (k * (k * Math.cos(s) + Math.sin(s))) / (k * k + 1);
			return slow(t) + (x0 - slow(0)) * Math.exp(-k * t);
		},
		end: (draw) => draw(0.5, 8),
		timed: true,
	},
	{
		name: "emptying tank",
		params: (draw) => ({ a: draw(0.2, 0.8) }),
		x0: (draw) => draw(0.3, 1.5),
		equation: "x' = -a*sqrt(x)",
		formula: ({ a }, x0, t) => {
			const root = Math.sqrt(x0) - (a * t) / 2;
			return root > 1e-4 ? root * root : undefined;
		},
		end: (draw) => draw(0.3, 1.5),
	},
];

interface Output {
	readonly text: string;
	readonly value: (x: number) => number;
}
const outputs: readonly Output[] = [
	{ text: "x", value: (x) => x },
	{ text: "x", value: (x) => x },
	{ text: "x^2", value: (x) => x * x },
	{ text: "tanh(x)", value: Math.tanh },
	{ text: "sqrt(x)", value: (x) => (x >= 0 ? Math.sqrt(x) : Number.NaN) },
	{ text: "1/(1 + x^2)", value: (x) => 1 / (1 + x * x) },
	{ text: "1/(x - 0.1)", value: (x) => 1 / (x - 0.1) },
	{ text: "max(x, 0.5)", value: (x) => Math.max(x, 0.5) },
	{ text: "log(x)", value: (x) => (x > 0 ? Math.log(x) : Number.NaN) },
	{ text: "exp(-x)*sin(3*x)", value: (x) => Math.exp(-x) * Math.sin(3 * x) },
];

/** Events whose time unknowns and states decide; a condition that holds at the start has had its event. */
const eventKinds: readonly Kind[] = [
	{
		name: "doses at a level",
		params: (draw) => ({ p: draw(0.3, 1.5), c: draw(0.3, 0.9) }),
		x0: (draw) => draw(1, 2),
		equation: "x' = -p*x\nwhen x < c { x = x + 0.6 }",
		formula: ({ p, c }, x0, t) => {
			if (!(x0 > c && p > 0 && c > 0)) return x0 * Math.exp(-p * t);
			const first = Math.log(x0 / c) / p;
			const again = Math.log((c + 0.6) / c) / p;
			if (t < first) return x0 * Math.exp(-p * t);
			return (c + 0.6) * Math.exp(-p * ((t - first) % again));
		},
		end: (draw) => draw(1, 6),
	},
	{
		name: "a saw",
		params: (draw) => ({ p: draw(0.5, 2), c: draw(-0.3, 0.3) }),
		x0: (draw) => draw(0, 0.5),
		equation: "x' = p\nwhen x >= 1 + c { x = x - 1 }",
		formula: ({ p, c }, x0, t) => {
			const high = x0 + p * t;
			if (!(x0 < 1 + c && p > 0 && high >= 1 + c)) return high;
			return c + ((high - 1 - c) % 1);
		},
		end: (draw) => draw(0.5, 4),
	},
	{
		name: "a dose at an unknown time",
		params: (draw) => ({ p: draw(0.2, 1.5), s: draw(0.2, 1.5) }),
		x0: (draw) => draw(0.5, 2),
		equation: "x' = -p*x\nwhen t > s { x = x + p }",
		formula: ({ p, s }, x0, t) => x0 * Math.exp(-p * t) + (s > 0 && t > s ? p * Math.exp(-p * (t - s)) : 0),
		end: (draw) => draw(0.5, 3),
		timed: true,
	},
];

/** Problem `seed` with events; brackets do not go with them. */
export function eventProblem(seed: number): TruthProblem | undefined {
	const found = closedProblem(seed, eventKinds);
	return found && { ...found, options: { ...found.options, prediction: "taylor" } };
}

/** Problem `seed` of those in closed form; nothing where its truth has no solution or no output at its own samples. */
export function closedProblem(seed: number, from = kinds): TruthProblem | undefined {
	const draw = drawOf(seed);
	const kind = from[seed % from.length];
	const params = kind.params(draw);
	const width = 10 ** draw(-2.5, 0.2);
	const sets: Record<string, readonly [number, number]> = {};
	const declared = Object.entries(params).map(([name, value]) => {
		const { text, set } = setAround(draw, value, width * draw(0.3, 1));
		sets[name] = set;
		return `${name} in ${text}`;
	});
	const isOpen = draw(0, 1) < 0.5;
	const x0 = kind.x0(draw);
	const own = isOpen ? setAround(draw, x0, width * draw(0.1, 0.5)) : undefined;
	const names =
		draw(0, 1) < (kind.conditioned ? 0.8 : 0.25) ? ["a", "b", "c"].slice(0, draw.whole(2, 3)) : ["a"];
	const measures = Array.from({ length: draw.whole(1, 2) }, () => draw.pick(outputs));
	const bars = Object.fromEntries(
		measures.map((_, i) => [`y${i}`, 10 ** draw(-4, draw(0, 1) < 0.2 ? 2 : 0)]),
	);
	const text = [
		...(kind.conditioned ? ["condition c"] : []),
		`param ${declared.join(", ")}`,
		`state x ${own ? `in ${own.text}` : `= ${x0}`}`,
		kind.equation,
		...measures.map((each, i) => `measure y${i} in ${each.text} +- ${bars[`y${i}`]}`),
	].join("\n");
	const start = kind.timed || draw(0, 1) < 0.6 ? 0 : Number(draw(-5, 5).toFixed(3));
	const conditions = new Map(["a", "b", "c", "later"].map((name, i) => [name, 0.5 + 0.5 * i]));
	const initialOf = (record: string): string => (names.length > 1 ? `x(0) of ${record}` : "x(0)");
	const course: Course = (values, record, times) => {
		const from = own && record !== "later" ? values[initialOf(record)] : x0;
		const states: number[][] = [];
		for (const t of times) {
			const x = kind.formula(values, from, t - start, conditions.get(record)!);
			if (x === undefined) return undefined;
			states.push([x]);
		}
		return {
			states,
			outputs: Object.fromEntries(measures.map(({ value }, i) => [`y${i}`, states.map(([x]) => value(x))])),
		};
	};
	const truth: Record<string, number> = { ...params };
	if (own)
		for (const name of names) {
			truth[initialOf(name)] = x0;
			sets[initialOf(name)] = own.set;
		}
	const end = start + kind.end(draw);
	const recordOf = (name: string) => {
		const samples = Object.fromEntries(measures.map((_, i) => [`y${i}`, someTimes(draw, start, end, 6)]));
		const last = Math.max(...Object.values(samples).flat());
		const here = course(truth, name, [last]);
		if (!here) return undefined;
		const condition: Record<string, number> = kind.conditioned ? { c: conditions.get(name)! } : {};
		return measured(name, start, samples, (times) => course(truth, name, times)!.outputs, bars, draw, {
			conditions: condition,
		});
	};
	const train = names.map(recordOf);
	// A forecast begins at a value that is known.
	const later = !own && draw(0, 1) < 0.3 ? recordOf("later") : undefined;
	const all = [...train, ...(later ? [later] : [])];
	if (all.some((each) => !each || [...each.outputs.values()].some(({ values }) => values.some(Number.isNaN))))
		return undefined;
	return {
		family: `${kind.name}, ${measures.map((each) => each.text).join(" and ")}, ${names.length} records`,
		text,
		train: train.map((each) => each!),
		test: later ? [later] : [],
		options: someOptions(draw),
		truth,
		sets,
		course,
		bars,
		slack: 1e-9,
		draw,
	};
}

/** Settings from careless to careful, often with too little effort to come to an end. */
export function someOptions(draw: Draw): TruthProblem["options"] {
	const isBracketed = draw(0, 1) < 0.12;
	return {
		prediction: isBracketed ? "mueller" : "taylor",
		order: draw(0, 1) < 0.6 ? "auto" : draw.whole(0, 7),
		timeOrder: draw.whole(4, 12),
		tolerance: 10 ** draw(-10, -4),
		models: draw.whole(1, 8),
		parts: draw(0, 1) < 0.2 ? draw.whole(2, 4) : 1,
		rounds: draw.whole(1, 4),
		correction: draw.pick(["sivia", "once", "krawczyk", "box", "box", "box"] as const),
		boxes: isBracketed ? draw.whole(1, 6) : draw.whole(0, 200),
		effort: 10 ** draw(-2, -0.3),
	};
}
