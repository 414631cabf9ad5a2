/** What to doubt about an answer, and which directions of the parameters the record does not determine. */
import type { Doubt } from "../result.ts";
import { openNames } from "./identifiability.ts";
import type { PeriodicRun } from "./periodic-run.ts";

export function doubtsOf(run: PeriodicRun): Doubt[] {
	return [
		...openDoubts(run),
		...scaleDoubts(run),
		...misfitDoubts(run),
		...simulationDoubts(run),
		...boundDoubts(run),
		...startDoubts(run),
		...looseDoubts(run),
		...recordDoubts(run),
	];
}

function openDoubts({ open, question }: PeriodicRun): Doubt[] {
	if (open.length === 0) return [];
	const names = openNames(open);
	const [{ parts }] = open;
	const example = parts
		.map(
			({ name, share }) =>
				`${name} by ${share >= 0 ? "+" : "−"}${Math.abs(Number((100 * share).toPrecision(2)))} %`,
		)
		.join(", ");
	const left = names.length - open.length;
	return doubt(
		`${list(names)} cannot be found from this record`,
		`They can change together without any effect on ${question.form.output} (for instance ${example}): only ${left === 1 ? "one combination of them is" : `${left} combinations of them are`} determined. Fix ${open.length === 1 ? "one of them" : `${open.length} of them`} in the model, or measure another state with  method: fit.`,
		true,
	);
}

function scaleDoubts({ question }: PeriodicRun): Doubt[] {
	return question.form.hidden.flatMap(({ component, closure }) =>
		closure?.scale === undefined
			? []
			: doubt(
					`${closure.scale} alone cannot be found: the scale of ${component} is open`,
					`Only the product ${closure.scale}·${component} acts on ${question.form.output}. ${closure.scale} was held at its start; ${component} is in the unit that goes with it. Give ${closure.scale} a value in the model if it is known.`,
					false,
				),
	);
}

function misfitDoubts(run: PeriodicRun): Doubt[] {
	const { adjusted, question } = run;
	if (!adjusted) return [];
	const { variance } = question.record;
	const share = relativeMisfit(run);
	const ratio = adjusted.misfit / variance / Math.max(adjusted.degrees, 1);
	const limit = 1 + 5 * Math.sqrt(2 / Math.max(adjusted.degrees, 1));
	if (!(ratio > limit) || share < 1e-7) return [];
	return doubt(
		"The model does not reproduce the record within its noise",
		`The least correction of the record that makes it a solution is ${Math.sqrt(ratio).toPrecision(2)} times what noise explains (ŷ - y is ${(100 * share).toPrecision(2)} % of the record). The model misses something, the search ended beside the best point, or the record is not quite periodic.`,
		Math.sqrt(ratio) > 3 && share > 1e-4,
	);
}

/** Root mean square of ŷ - y relative to that of y about its mean. */
export function relativeMisfit({ adjusted }: PeriodicRun): number {
	if (!adjusted) return Number.NaN;
	const { starts } = adjusted.representation.y;
	const mean = starts.reduce((a, b) => a + b, 0) / starts.length;
	let misfit = 0;
	let size = 0;
	starts.forEach((y, k) => {
		misfit += (adjusted.evaluation.y[k] - y) ** 2;
		size += (y - mean) ** 2;
	});
	return Math.sqrt(misfit / size);
}

function simulationDoubts({ simulated, question }: PeriodicRun): Doubt[] {
	if (!simulated) return [];
	const size = Math.sqrt(question.record.series.c.slice(1).reduce((sum, c) => sum + (c * c) / 2, 0));
	if (simulated.outcome !== "converged")
		return doubt(
			"Direct simulation of the answer breaks off",
			`${simulated.message} The orbit may be unstable, or the answer wrong.`,
			true,
		);
	const noise = Math.sqrt(question.record.variance);
	if (!(simulated.rms > 2 * noise + 1e-5 * size)) return [];
	return doubt(
		"Direct simulation of the answer leaves the record",
		`Simulated over the whole record the answer differs from it by ${simulated.rms.toPrecision(2)} (root mean square; the noise is ${noise.toPrecision(2)}), over the first period by ${simulated.rmsFirst.toPrecision(2)}. An orbit that is unstable or sensitive does so even with good parameters; otherwise try  polish: true.`,
		simulated.rmsFirst > 0.1 * size,
	);
}

function boundDoubts({ question, adjusted }: PeriodicRun): Doubt[] {
	if (!adjusted) return [];
	const names = question.unknowns.flatMap(({ name, lo, hi }, i) => {
		const value = adjusted.lambda[i];
		const span = Number.isFinite(hi - lo) ? hi - lo : 1;
		return Math.min(value - lo, hi - value) <= 1e-9 * span ? [name] : [];
	});
	const outside = question.model.params.flatMap(({ name, knowledge }) => {
		if (knowledge.kind !== "set" || question.unknowns.some((unknown) => unknown.name === name)) return [];
		return [name];
	});
	return [
		...(names.length > 0
			? doubt(
					`${list(names)} ended on a bound`,
					"The best answer may lie outside the range that the model allows. If the range is not certain, widen it.",
					false,
				)
			: []),
		...(outside.length > 0
			? doubt(
					`Bounds of ${list(outside)} were not used`,
					"They are found in closed form, which knows no bounds: see whether the answer lies inside.",
					false,
				)
			: []),
	];
}

function startDoubts(run: PeriodicRun): Doubt[] {
	const { best } = run;
	if (!best || best.outcome === "converged") return [];
	return doubt(
		"The search ran out of evaluations",
		`The best start had not converged after ${best.evaluations} evaluations. Raise  periodic: { maxEvaluations }.`,
		false,
	);
}

function looseDoubts({ natural }: PeriodicRun): Doubt[] {
	const loose = (natural?.params ?? []).filter(
		({ value, sd, from }) => from !== "held" && sd > Math.abs(value),
	);
	if (loose.length === 0) return [];
	return doubt(
		`The record hardly determines ${list(loose.map(({ name }) => name))}`,
		"The standard deviation is larger than the value. A longer record or less noise would help.",
		false,
	);
}

function recordDoubts({ question, adjusted }: PeriodicRun): Doubt[] {
	const { record } = question;
	if (adjusted && !adjusted.converged)
		return doubt(
			"The adjustment of record and parameters did not settle",
			"Noise may be too large for the parameters to be told apart: the answer is the last step of it.",
			true,
		);
	if (record.cycles >= 2 || record.variance === 0) return [];
	return doubt(
		`The record is only ${record.cycles.toFixed(2)} periods long`,
		"Whether it is periodic, and how long the period is, rests on the part that is seen twice.",
		false,
	);
}

function doubt(title: string, text: string, grave: boolean): Doubt[] {
	return [{ title, text, grave }];
}

function list(names: readonly string[]): string {
	return names.length < 2
		? (names[0] ?? "")
		: `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}
