/** Problems whose outputs are defined for a part of the unknowns only, have poles or corners, or whose rates saturate: in closed form, from sets that reach beyond the domains. */
import { drawOf } from "./families.ts";
import {
	type Course,
	type Draw,
	measured,
	setAround,
	someTimes,
	type TruthProblem,
	type Values,
} from "./problem.ts";

interface Motion {
	readonly equation: string;
	readonly params: (draw: Draw) => Record<string, number>;
	readonly x0: (draw: Draw) => number;
	/** x at a time after the start; nothing from where there is none. */
	readonly x: (values: Values, x0: number, t: number) => number | undefined;
	readonly end: (draw: Draw) => number;
}

const motions: readonly Motion[] = [
	{
		equation: "x' = b",
		params: (draw) => ({ b: draw(-0.5, 0.5) }),
		x0: (draw) => draw(-1.5, 1.5),
		x: ({ b }, x0, t) => x0 + b * t,
		end: (draw) => draw(0.5, 2),
	},
	{
		equation: "x' = -b*x",
		params: (draw) => ({ b: draw(0.2, 1.5) }),
		x0: (draw) => draw(-2, 2),
		x: ({ b }, x0, t) => x0 * Math.exp(-b * t),
		end: (draw) => draw(0.5, 3),
	},
	{
		equation: "x' = b*x^2",
		params: (draw) => ({ b: draw(0.3, 1.2) }),
		x0: (draw) => draw(-1.5, 1.2),
		x: ({ b }, x0, t) => (1 - b * x0 * t > 1e-6 ? x0 / (1 - b * x0 * t) : undefined),
		end: (draw) => draw(0.2, 1.2),
	},
	{
		// Up, a ramp of a fifth around b, and down.
		equation: "x' = max(-1, min(1, 10*(b - t)))",
		params: (draw) => ({ b: draw(0.3, 1.7) }),
		x0: (draw) => draw(-0.5, 0.5),
		x: ({ b }, x0, t) => {
			if (t <= b - 0.1) return x0 + t;
			const from = Math.max(0, b - 0.1);
			// The ramp may be over before the start.
			const to = Math.max(from, Math.min(t, b + 0.1));
			const ramp = 10 * (b * (to - from) - (to * to - from * from) / 2);
			return x0 + from + ramp - Math.max(0, t - Math.max(0, b + 0.1));
		},
		end: (draw) => draw(0.5, 3),
	},
];

interface Output {
	readonly text: string;
	readonly y: (x: number, a: number) => number;
	/** The unknown of the output itself, where it has one. */
	readonly a?: (draw: Draw) => number;
}

const outputs: readonly Output[] = [
	{ text: "log(x)", y: (x) => Math.log(x) },
	{ text: "1/x", y: (x) => 1 / x },
	{ text: "tan(x)", y: (x) => Math.tan(x) },
	{ text: "sqrt(x)", y: (x) => Math.sqrt(x) },
	{ text: "1/sqrt(x + 0.3)", y: (x) => 1 / Math.sqrt(x + 0.3) },
	{ text: "asin(x)", y: (x) => Math.asin(x) },
	{ text: "x*log(1 - x)", y: (x) => x * Math.log(1 - x) },
	{ text: "log(x)/(x - 0.7)", y: (x) => Math.log(x) / (x - 0.7) },
	{ text: "if(x < 0.2, 1 - x, log(x))", y: (x) => (x < 0.2 ? 1 - x : Math.log(x)) },
	{ text: "max(x, 0.1) + sqrt(1.5 - x)", y: (x) => Math.max(x, 0.1) + Math.sqrt(1.5 - x) },
	{ text: "log(x - a)", y: (x, a) => Math.log(x - a), a: (draw) => draw(-0.5, 0.5) },
	{ text: "1/(x + a)", y: (x, a) => 1 / (x + a), a: (draw) => draw(-0.5, 0.5) },
	// Whole exponents have powers of negative bases; others have none.
	{ text: "x^a", y: (x, a) => x ** a, a: (draw) => draw.pick([draw(0.5, 2.5), 1, 2, 3]) },
];

export function partialProblem(seed: number): TruthProblem | undefined {
	const draw = drawOf(5_000_000 + seed);
	const motion = draw.pick(motions);
	const output = draw.pick(outputs);
	const records = draw.pick([["one"], ["one", "two"]]);
	const params = { ...motion.params(draw), ...(output.a ? { a: output.a(draw) } : {}) };
	const starts = records.map(() => motion.x0(draw));
	const startName = (i: number): string => (records.length > 1 ? `x(0) of ${records[i]}` : "x(0)");
	const truth: Values = { ...params, ...Object.fromEntries(starts.map((x0, i) => [startName(i), x0])) };
	const course: Course = (values, record, times) => {
		const at = times.map((t) => motion.x(values, values[startName(records.indexOf(record))], t));
		if (at.some((x) => x === undefined)) return undefined;
		return {
			states: at.map((x) => [x!]),
			outputs: { y0: at.map((x) => output.y(x!, values.a)) },
		};
	};
	const bar = 10 ** draw(-3, -0.5);
	const ends = records.map(() => motion.end(draw));
	const times = records.map((_, i) => someTimes(draw, 0, ends[i], 5));
	for (const [i, record] of records.entries()) {
		const there = course(truth, record, times[i])?.outputs.y0;
		if (!there?.every((y) => Math.abs(y) < 30)) return undefined;
	}
	const sets: Record<string, readonly [number, number]> = {};
	const declare = (name: string, value: number, width: number): string => {
		const { text, set } = setAround(draw, value, width);
		sets[name] = set;
		return text;
	};
	const declared = Object.entries(params).map(
		([name, value]) => `${name} in ${declare(name, value, draw(0.2, 1))}`,
	);
	// One declaration for the starts of all records.
	const width = draw(0.5, 3);
	const least = Math.min(...starts) - draw(0, width);
	const most = Math.max(...starts) + draw(0, width);
	records.forEach((_, i) => {
		sets[startName(i)] = [least, most];
	});
	const isFree = draw(0, 1) < 0.15;
	const train = records.map((record, i) =>
		measured(
			record,
			0,
			{ y0: times[i] },
			(at) => course(truth, record, at)?.outputs ?? {},
			{ y0: bar },
			draw,
		),
	);
	if (train.some(({ outputs: made }) => made.get("y0")!.values.some((y) => !Number.isFinite(y))))
		return undefined;
	return {
		family: `${motion.equation}, ${output.text}`,
		text: `param ${declared.join(", ")}\nstate x in [${least}, ${most}]\n${motion.equation}\nmeasure y0 in ${output.text} +- ${bar}`,
		train: isFree ? train.map((each) => ({ ...each, outputs: new Map() })) : train,
		test: [],
		options: {
			effort: 3,
			...(draw(0, 1) < 0.2 && !isFree ? { outliers: draw.pick([1, "auto" as const]) } : {}),
			...(draw(0, 1) < 0.2 ? { proof: 30 } : {}),
			...(draw(0, 1) < 0.2 ? { parts: draw.whole(2, 6) } : {}),
		},
		truth,
		sets,
		course,
		bars: { y0: bar },
		slack: 1e-9,
		draw,
	};
}
