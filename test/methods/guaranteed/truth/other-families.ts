/** Problems in closed form of two more kinds: with samples that are far beyond their bars, and without any sample. */
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
