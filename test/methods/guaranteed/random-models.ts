/** Random models: expressions of every function of the language, inputs of every kind, drift, several outputs; with a truth. */
import { type SampledSignal, signalFrom } from "../../../src/data/signal/signal.ts";
import { stream } from "../../../src/num/random.ts";

export interface RandomModel {
	readonly text: string;
	/** The same with the course of a drifting parameter written out. */
	readonly truth: string;
	readonly values: Record<string, number>;
	readonly x0: number[];
	readonly times: Float64Array;
	readonly inputs: Record<string, SampledSignal>;
	/** Largest error of each output. */
	readonly delta: number;
	readonly unknowns: Record<string, number>;
	/** The truth with another start and course of the drifting parameter, whose rate is now and then at its bounds. */
	readonly drifted: (q0: number) => string;
	/** More random numbers of the same problem. */
	readonly draw: (lo?: number, hi?: number) => number;
}

export function randomModel(seed: number): RandomModel {
	const random = stream(seed, "random models");
	let index = 0;
	const u = (lo = 0, hi = 1): number => lo + (hi - lo) * random.uniform(index++);
	const pick = <T>(list: readonly T[]): T => list[Math.floor(u(0, list.length))];
	const count = (n: number, letter: string): string[] => Array.from({ length: n }, (_, i) => `${letter}${i}`);
	const names = count(1 + Math.floor(u(0, 3)), "x");
	const params = count(1 + Math.floor(u(0, 2.2)), "p");
	const ins = count(u() < 0.5 ? 1 : 0, "u");
	const drifts = u() < 0.15;

	const leaf = (): string => {
		const r = u();
		if (r < 0.45) return pick(names);
		if (r < 0.65) return pick(params);
		if (r < 0.8 && ins.length > 0) return pick(ins);
		if (r < 0.85) return "t";
		return drifts && r < 0.93 ? "q" : u(-2, 2).toFixed(3);
	};
	const forms: ((a: () => string) => string)[] = [
		(a) => `(${a()} + ${a()})`,
		(a) => `(${a()} + ${a()})`,
		(a) => `(${a()}*${a()})`,
		(a) => `(${a()}*${a()})`,
		(a) => `sin(${a()})`,
		(a) => `cos(${a()})`,
		(a) => `exp(-(${a()})^2)`,
		(a) => `tanh(${a()})`,
		(a) => `(${a()})/(1.5 + (${a()})^2)`,
		(a) => `sqrt(1 + (${a()})^2)`,
		(a) => `atan(${a()})`,
		(a) => `log(2 + (${a()})^2)`,
		(a) => `abs(${a()})`,
		(a) => `max(${a()}, ${a()})`,
		(a) => `min(${a()}, 0.3)`,
		(a) => `(${a()})^3`,
		(a) => `if(${a()} < ${a()}, ${a()}, ${a()})`,
		(a) => `asin(0.5*sin(${a()}))`,
		(a) => `(1 + abs(${a()}))^1.5`,
	];
	const expression = (depth: number): string =>
		depth === 0 ? leaf() : pick(forms)(() => expression(depth - 1));

	const width = 10 ** u(-3, -0.3);
	const around = (value: number): string => {
		// Often at an end of the set.
		const part = Math.min(Math.max(u(-0.3, 1.3), 0), 1);
		const own = width * u(0.2, 1);
		return `[${value - part * own}, ${value + (1 - part) * own}]`;
	};
	const p = params.map(() => u(-1, 1.5));
	const x0 = names.map(() => u(-1, 1));
	const q0 = u(-1, 1);
	const rate = u(0, 0.1);
	const end = u(0.5, 4);
	const t0 = u() < 0.3 ? u(-3, 5) : 0;
	const delta = 10 ** u(-3, -0.7);
	// All that is declared has to be used.
	const used = [...ins, ...(drifts ? ["q"] : [])].map((name) => ` + 0.2*${name}`).join("");
	const equations = names.map(
		(x, i) =>
			`${x}' = -${u().toFixed(3)}*${x} + ${u(0.2, 1).toFixed(3)}*${expression(2 + Math.floor(u(0, 1.5)))}${i === 0 ? used : ""}`,
	);
	const measures = count(1 + Math.floor(u(0, 1.5)), "y").map(
		(y) => `measure ${y} in ${u() < 0.6 ? "" : `${expression(1)} + `}${pick(names)} +- ${delta}`,
	);
	const head = ins.length > 0 ? [`input ${ins.join(", ")}`] : [];
	const body = [...equations, ...measures].join("\n");
	const states = names.map((x, i) => (u() < 0.4 ? `${x} in ${around(x0[i])}` : `${x} = ${x0[i]}`));
	const text = [
		...head,
		`param ${params.map((name, i) => `${name} in ${around(p[i])}`).join(", ")}`,
		...(drifts ? [`param q in ${around(q0)}, q' in [${-rate}, ${rate}]`] : []),
		`state ${states.join(", ")}`,
		body,
	].join("\n");
	const w = u(0.5, 4);
	const since = `(t - (${t0}))`;
	const withCourse = (course: string): string =>
		[
			...head,
			`param ${params.join(", ")}`,
			`state ${names.map((x, i) => `${x} = ${x0[i]}`).join(", ")}`,
			body.replace(/\bq\b/g, course),
		].join("\n");
	const truth = withCourse(`(${q0} + ${rate / w}*sin(${w}*${since}))`);
	const nTimes = 2 + Math.floor(u(0, 6));
	const signal = (): SampledSignal => {
		const m = 2 + Math.floor(u(0, 8));
		const times = Float64Array.from(
			{ length: m },
			(_, i) => t0 + (end * (i + (i > 0 && i < m - 1 ? u(-0.3, 0.3) : 0))) / (m - 1),
		);
		return signalFrom(
			times,
			times.map(() => u(-1, 1)),
			pick(["zoh", "linear", "cubic"] as const),
		);
	};
	return {
		text,
		truth,
		values: Object.fromEntries(params.map((name, i) => [name, p[i]])),
		x0,
		times: Float64Array.from({ length: nTimes }, (_, i) => t0 + (end * i) / (nTimes - 1)),
		inputs: Object.fromEntries(ins.map((name) => [name, signal()])),
		delta,
		unknowns: Object.fromEntries([
			...params.map((name, i) => [name, p[i]]),
			...names.map((x, i) => [`${x}(0)`, x0[i]]),
			["q(0)", q0],
		]),
		drifted: (start) => withCourse(randomCourse(u, start, rate, since, end)),
		draw: u,
	};
}

/** A course that starts at q0 with slopes of at most `rate`, as an expression of the time `since` the start. */
export function randomCourse(
	u: (lo: number, hi: number) => number,
	q0: number,
	rate: number,
	since: string,
	end: number,
): string {
	const way = u(0, 1) < 0.5 ? -rate : rate;
	const turn = u(0, end);
	const forms = [
		`${way}*${since}`,
		`(${way})*(${turn} - abs(${since} - ${turn}))`,
		`(${way})*sin(${u(1, 6)}*${since})/6`,
	];
	return `(${q0} + ${forms[Math.floor(u(0, forms.length))]})`;
}
