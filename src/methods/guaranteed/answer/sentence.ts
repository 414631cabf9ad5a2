/** The answer in a sentence: what is proved, or where and why it could not be. */
import { counted } from "../../../estimate/judge/words.ts";
import type { Interval } from "../../../interval/interval.ts";
import type { GuaranteedRun } from "../guaranteed-run.ts";
import { firstFailure } from "../part.ts";
import { outliersOf } from "./outliers.ts";
import { timeText } from "./time-text.ts";

export type GuaranteedOutcome = "proved" | "refuted" | "undecided";

export function sentence(run: GuaranteedRun, outcome: GuaranteedOutcome): string {
	if (outcome === "refuted") {
		const where = run.emptied!;
		const { name, times } = run.problem.train[where.experiment];
		// What is known before any integration is the initial values: perhaps they are not meant for this instant.
		const atOnce =
			where.t === times[0]
				? ` Initial values hold there, at the first row of the record. If they hold at an earlier time, say when under data:  start: ${timeText(earlier(where.t))}.`
				: "";
		return `No value of the unknowns is consistent with the data: the set became empty at t = ${timeText(where.t)}, by ${where.output} of ${name}.${atOnce}`;
	}
	if (outcome === "undecided") {
		const stop = firstFailure(run.parts);
		if (!stop) return "Undecided: the run was not finished.";
		const used =
			run.options.prediction === "mueller"
				? "with Müller's brackets"
				: `with ${run.parts.length} of at most ${counted(run.mostModels, "Taylor model")}`;
		return `Undecided: at t = ${timeText(stop.t)} the enclosure could not be carried on (${stop.why}), ${used}. No value outside the bounds is consistent with all data, but not all data were used. ${stop.advice}`;
	}
	if (run.isUnbound && run.isOneCourse)
		return "Proved: the course of the states is in the bands. Nothing was measured, and nothing is unknown.";
	if (run.isUnbound)
		return "Proved: every course of the states from the declared sets is in the bands. Nothing was measured, so no set was narrowed.";
	const inside = run.innerBoxes.inner.length;
	const share = shareText(run.innerShare);
	const said = boundsText(run);
	const outlying = outlierText(run);
	return inside > 0
		? `Proved: every consistent value is enclosed${said}, and ${inside === 1 ? "1 box holds" : `${inside} boxes hold`} nothing but consistent values${share}.${outlying}`
		: `Proved: every consistent value is enclosed${said}. No value was proved to be consistent, so there may be none.${outlying}`;
}

/** How much of what is left is surely consistent, rounded down. */
function shareText(share: number | undefined): string {
	if (!(share! > 0)) return "";
	if (share === 1) return ": all that is left";
	const percent = 100 * share!;
	const unit = percent >= 10 ? 1 : percent >= 1 ? 0.1 : percent >= 0.1 ? 0.01 : 0;
	if (unit === 0) return ": less than 0.1 % of the volume that is left";
	const least = Math.floor(percent / unit) * unit;
	return `: at least ${Number(least.toPrecision(2))} % of the volume that is left`;
}

/** What is said of samples that are beyond their largest errors. */
function outlierText(run: GuaranteedRun): string {
	if (run.outliers === 0) {
		if (run.options.outliers !== "auto") return "";
		// Without a value that surely is consistent, samples may contradict one another unseen.
		return run.innerBoxes.inner.length > 0
			? " No sample has to be an outlier."
			: " No sample was shown to be an outlier.";
	}
	const found = outliersOf(run);
	const errors = run.outliers === 1 ? "its largest error" : "their largest errors";
	const allowed =
		run.options.outliers === "auto"
			? ` At least ${counted(run.outliers, "sample")} must be beyond ${errors}: with fewer no value is consistent.`
			: ` Up to ${counted(run.outliers, "sample")} may be beyond ${errors}.`;
	if (found.length === 0) return allowed;
	const isOne = run.problem.train.length === 1;
	const shown = found
		.slice(0, 5)
		.map(({ t, output, record }) => `${output}${isOne ? "" : ` of ${record}`} at t = ${timeText(t)}`);
	return `${allowed} For every value that is left ${found.length === 1 ? "this one is" : "these are"}: ${shown.join(", ")}${found.length > 5 ? ", …" : ""}.`;
}

/** A time before another, as an example: the origin, or as far again from it. */
function earlier(t: number): number {
	return t > 0 ? 0 : Math.min(t - 1, 2 * t);
}

/** The bounds of a few unknowns, rounded outward: a table that rounds to nearest may cut a consistent value off. */
function boundsText(run: GuaranteedRun): string {
	const box = run.enclosure;
	if (!box || run.unknowns.length > 3) return "";
	const parts = run.unknowns.map(({ name }, k) => {
		const { lo, hi } = shownBounds(run, box, k);
		return `${name} in [${roundedOutward(lo, -1)}, ${roundedOutward(hi, 1)}]`;
	});
	return ` (${parts.join(", ")})`;
}

/** Bounds of an unknown as a reader should see them: an end that was not narrowed is the number that was declared. */
export function shownBounds({ unknowns }: GuaranteedRun, box: Float64Array, k: number): Interval {
	const { prior, declared } = unknowns[k];
	return {
		lo: box[2 * k] === prior.lo ? declared.lo : box[2 * k],
		hi: box[2 * k + 1] === prior.hi ? declared.hi : box[2 * k + 1],
	};
}

/** A number of six digits that is not above (side -1) or not below (side 1) x. */
export function roundedOutward(x: number, side: -1 | 1): number {
	const near = Number(x.toPrecision(6));
	if (side < 0 ? near <= x : near >= x) return near;
	const [, exponent] = x.toExponential().split("e");
	return Number((near + side * Number(`1e${Number(exponent) - 5}`)).toPrecision(6));
}
