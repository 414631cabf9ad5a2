/** Errors of measurements as a method needs them to be known. */
import { deviationPerSpread, sampleLaw } from "../../estimate/law/declared.ts";
import type { NoiseLaw } from "../../estimate/law/law.ts";
import { isDeclared } from "../../estimate/observe/declared-spreads.ts";
import { sigmasFor } from "../../methods/cross-check/noise-bound.ts";
import type { Need } from "../../methods/method.ts";
import { constantValue } from "../../model/constant.ts";
import type { Measure, Model } from "../../model/model.ts";
import { printExpression } from "../../model/print/expression.ts";
import { symbolsOf } from "../../model/walk.ts";
import { normalMass } from "../../num/statistics/tail-mass.ts";
import type { Change } from "./adapt.ts";
import type { Evidence } from "./evidence.ts";

const nothing: Change = { edits: [], says: [], lacks: [] };

export function measureChange(
	needs: Need,
	model: Model,
	measure: Measure,
	evidence: Evidence,
	spreads: ReadonlySet<string>,
): Change {
	if (needs === "sets" && measure.kind !== "set") return bounded(model, measure, evidence, spreads);
	if (needs === "distributions" && measure.kind !== "distribution") return random(model, measure, evidence);
	return nothing;
}

/** A largest error: so many spreads, by its law, that every sample is within, but for one chance in a hundred. */
function bounded(
	model: Model,
	measure: Measure,
	{ outputs }: Evidence,
	spreads: ReadonlySet<string>,
): Change {
	const { name, spread, rounded } = measure;
	// The size of an error that is a share of the value, or that of a count, has no bound that is one number.
	const law = sampleLaw(measure);
	if (measure.kind === "distribution" && (law.isCount || law.scale.isLog)) return nothing;
	const { nSamples = 1, rms } = outputs[name] ?? {};
	const sigmas = sigmasFor(nSamples);
	const reach = sigmas * (measure.kind === "distribution" ? widthBeyond(law as NoiseLaw, sigmas) : 1);
	const sd = spread ? constantValue(spread) : Number.NaN;
	const isFound = spread !== undefined && [...symbolsOf([spread])].every((symbol) => spreads.has(symbol));
	// What the records hold of it is known of each sample, by its name.
	const isSaid = isFound || isDeclared(model, measure);
	const half = rounded ? constantValue(rounded) / 2 : 0;
	const radius =
		sd > 0
			? short(reach * sd + half)
			: isSaid
				? `${short(reach)}*${spread!.op === "sym" ? textOf(model, measure, "spread") : `(${textOf(model, measure, "spread")})`}${half > 0 ? ` + ${short(half)}` : ""}`
				: rms !== undefined
					? short(sigmas * rms)
					: undefined;
	if (radius === undefined) return { ...nothing, lacks: [`the error of ${name}`] };
	const after = ` in ${textOf(model, measure, "value")} +- ${radius}`;
	const size =
		reach === sigmas ? `${sigmas} standard deviations` : `${short(reach)} times the spread of that law`;
	const why = `${size}${isSaid ? "" : " of what fit leaves"}${isSaid && half > 0 ? " and half of what is rounded off" : ""}, which hold all ${nSamples} errors but for 1 chance in 100.`;
	return {
		edits: [{ keyword: "measure", name, after }],
		says: [`measure ${name}${after}: ${why}`],
		lacks: [],
	};
}

/** How much wider a law is than a normal one of its spread, where that has what lies beyond so many standard deviations. */
function widthBeyond(law: NoiseLaw, sigmas: number): number {
	return law.isNormal ? 1 : law.widthOf(1 - 2 * normalMass(-sigmas));
}

function random(model: Model, measure: Measure, { outputs }: Evidence): Change {
	const { name, spread } = measure;
	const radius = spread ? constantValue(spread) : Number.NaN;
	const rms = isDeclared(model, measure) ? undefined : outputs[name]?.rms;
	const sd = radius > 0 ? deviationPerSpread(measure) * radius : rms;
	const written =
		sd !== undefined ? short(sd) : spread ? `(${textOf(model, measure, "spread")})/sqrt(3)` : undefined;
	if (written === undefined) return { ...nothing, lacks: [`the error of ${name}`] };
	const after = ` ~ normal(${textOf(model, measure, "value")}, ${written})`;
	const why =
		measure.kind === "set"
			? "the standard deviation of errors that are evenly spread between their bounds."
			: "the root mean square of what fit leaves.";
	return {
		edits: [{ keyword: "measure", name, after }],
		says: [`measure ${name}${after}: ${why}`],
		lacks: [],
	};
}

/** As it was written. */
function textOf({ source }: Model, { written, value, spread }: Measure, part: "value" | "spread"): string {
	const expr = part === "value" ? written?.value : written?.spread;
	return expr
		? source.slice(expr.span.start, expr.span.end)
		: printExpression((part === "value" ? value : spread)!);
}

function short(value: number): string {
	return String(Number(value.toPrecision(4)));
}
