/** Random problems with three or four unknowns that act together: chains of compartments of which only some are measured. Courses by fine Runge–Kutta steps. */
import { drawOf, someOptions } from "./families.ts";
import { type Course, measured, setAround, someTimes, type TruthProblem } from "./problem.ts";

/** Errors are then far below the millionth of a bar by which samples stay inside: with 1/64 they were not, for a sample at the end of the narrowest bar. */
const step = 1 / 256;

/** x' = f(x), from 0 to rising times. */
function integrated(
	f: (x: readonly number[]) => number[],
	x0: readonly number[],
	times: readonly number[],
): number[][] {
	let t = 0;
	let x = [...x0];
	const move = (from: readonly number[], slope: readonly number[], h: number): number[] =>
		from.map((value, i) => value + h * slope[i]);
	return times.map((to) => {
		const count = Math.max(1, Math.ceil((to - t) / step));
		const h = (to - t) / count;
		for (let k = 0; k < count && h > 0; k++) {
			const a = f(x);
			const b = f(move(x, a, h / 2));
			const c = f(move(x, b, h / 2));
			const d = f(move(x, c, h));
			x = x.map((value, i) => value + (h / 6) * (a[i] + 2 * b[i] + 2 * c[i] + d[i]));
		}
		t = to;
		return x;
	});
}

/** Problem `seed`: a chain whose rates, saturation and first amount may be unknown. */
export function wideProblem(seed: number): TruthProblem {
	const draw = drawOf(1_000_000 + seed);
	const n = draw.whole(2, 4);
	const isSaturating = draw(0, 1) < 0.3;
	const truth: Record<string, number> = {};
	const sets: Record<string, readonly [number, number]> = {};
	const width = 10 ** draw(-1.5, 0);
	const declare = (name: string, value: number, least: number): string => {
		const { set } = setAround(draw, value, width * draw(0.3, 1));
		const own = [Math.max(set[0], least), set[1]] as const;
		truth[name] = value;
		sets[name] = own;
		return `in [${own[0]}, ${own[1]}]`;
	};
	const params = Array.from({ length: n }, (_, i) => `k${i} ${declare(`k${i}`, draw(0.2, 1), 0.01)}`);
	if (isSaturating) params.push(`s ${declare("s", draw(0.3, 1.5), 0)}`);
	const isOpen = !isSaturating && draw(0, 1) < 0.5;
	const first = draw(0.5, 1.5);
	const start = isOpen ? declare("x0(0)", first, 0.01) : `= ${first}`;
	const flowOf = (i: number): string => `k${i}*x${i}${isSaturating ? `/(1 + s*x${i})` : ""}`;
	const equations = Array.from(
		{ length: n },
		(_, i) => `x${i}' = -${flowOf(i)}${i === 0 ? "" : ` + ${flowOf(i - 1)}`}`,
	);
	const seen = draw(0, 1) < 0.7 ? [0, n - 1] : [n - 1];
	const bars = Object.fromEntries(seen.map((_, i) => [`y${i}`, 10 ** draw(-3.5, -0.5)]));
	const course: Course = (values, _record, times) => {
		const rhs = (x: readonly number[]): number[] => {
			const out = x.map((value, i) => (values[`k${i}`] * value) / (1 + (values.s ?? 0) * value));
			return out.map((own, i) => (i === 0 ? 0 : out[i - 1]) - own);
		};
		const from = [values["x0(0)"] ?? first, ...Array.from({ length: n - 1 }, () => 0)];
		const states = integrated(rhs, from, times);
		return { states, outputs: Object.fromEntries(seen.map((i, k) => [`y${k}`, states.map((x) => x[i])])) };
	};
	const end = draw(1, 8);
	const samples = Object.fromEntries(seen.map((_, i) => [`y${i}`, someTimes(draw, 0, end, 6)]));
	return {
		family: `chain of ${n}, ${Object.keys(truth).length} unknowns`,
		text: [
			`param ${params.join(", ")}`,
			`state ${equations.map((_, i) => `x${i} ${i === 0 ? start : "= 0"}`).join(", ")}`,
			...equations,
			...seen.map((i, k) => `measure y${k} in x${i} +- ${bars[`y${k}`]}`),
		].join("\n"),
		train: [measured("a", 0, samples, (times) => course(truth, "a", times)!.outputs, bars, draw)],
		test: [],
		options: {
			...someOptions(draw),
			order: draw(0, 1) < 0.5 ? "auto" : draw.whole(1, 4),
			prediction: "taylor",
		},
		truth,
		sets,
		course,
		bars,
		slack: 1e-8,
		draw,
	};
}
