/** Problems in closed form of more kinds: with samples that are far beyond their bars, without any sample, with assumptions, with certificates. */
import { closedProblem, drawOf } from "./families.ts";
import type { TruthProblem } from "./problem.ts";

/** Up to two samples are wrong; as many may be, one more, or as few as possible. */
export function robustProblem(seed: number): TruthProblem | undefined {
	const problem = closedProblem(seed);
	if (!problem) return undefined;
	const draw = drawOf(2_000_000 + seed);
	const samples = problem.train.flatMap(({ outputs }, e) =>
		[...outputs].flatMap(([output, { times }]) => Array.from(times, (_, i) => `${e},${output},${i}`)),
	);
	const wrong = new Set(Array.from({ length: draw.whole(0, 2) }, () => draw.pick(samples)));
	const train = problem.train.map((record, e) => ({
		...record,
		outputs: new Map(
			[...record.outputs].map(([output, series]) => [
				output,
				{
					...series,
					values: series.values.map((value, i) =>
						wrong.has(`${e},${output},${i}`)
							? value + draw.pick([-1, 1]) * problem.bars[output] * 10 ** draw(0.5, 2)
							: value,
					),
				},
			]),
		),
	}));
	const outliers = draw.pick([Math.max(wrong.size, 1), wrong.size + 1, "auto" as const]);
	return {
		...problem,
		family: `${wrong.size} wrong of ${samples.length}, ${outliers} allowed: ${problem.family}`,
		train,
		options: { ...problem.options, prediction: "taylor", outliers },
	};
}

/** Where the declared sets lead. */
export function freeProblem(seed: number): TruthProblem | undefined {
	const problem = closedProblem(seed);
	return (
		problem && {
			...problem,
			family: `no data: ${problem.family}`,
			train: problem.train.map((record) => ({ ...record, outputs: new Map() })),
			test: [],
			options: { ...problem.options, prediction: "taylor" },
		}
	);
}

/** What is true of parameters and states is assumed, with or without data; some values of the sets contradict it. */
export function assumedProblem(seed: number): TruthProblem | undefined {
	const draw = drawOf(3_000_000 + seed);
	const isFree = draw(0, 1) < 0.3;
	const problem = isFree ? freeProblem(seed) : closedProblem(seed);
	if (!problem) return undefined;
	const name = draw.pick(Object.keys(problem.sets).filter((each) => !each.includes("(")));
	const [lo, hi] = problem.sets[name];
	const least = problem.truth[name] - draw(0, 0.5) * (problem.truth[name] - lo) - 1e-9 * (hi - lo);
	const most =
		Math.max(
			...problem.train.flatMap(({ name: record, times }) =>
				problem.course(problem.truth, record, [...times])!.states.map(([x]) => x),
			),
		) +
		10 ** draw(-3, 0);
	const ofState = draw(0, 1) < 0.6;
	return {
		...problem,
		family: `assume ${name}${ofState ? " and x" : ""}: ${problem.family}`,
		text: `${problem.text}\nassume ${name} ${draw.pick([">", ">="])} ${least}${ofState ? `\nassume ${most} - x >= 0` : ""}`,
		options: { ...problem.options, prediction: "taylor" },
		assumed: (values, states, isSure) =>
			values[name] >= least + (isSure ? 1e-12 * Math.abs(least) : 0) &&
			(!ofState || states.every(([x]) => x <= most - (isSure ? 1e-9 : 0))),
	};
}

/** With a certificate. */
export function certifiedProblem(seed: number): TruthProblem | undefined {
	const problem = closedProblem(seed);
	return (
		problem && {
			...problem,
			family: `certified: ${problem.family}`,
			options: { ...problem.options, proof: 40 },
		}
	);
}
