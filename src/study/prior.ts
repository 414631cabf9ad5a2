/** `prior:` of a study: parameters that are known together, by a covariance or from an earlier run. */
import { nearestName } from "../errors.ts";
import { counted } from "../estimate/judge/words.ts";
import { numberLaw } from "../estimate/law/declared.ts";
import { coordinateName, factorOf, type JointPrior } from "../estimate/law/joint.ts";
import type { Law } from "../estimate/law/law.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Model } from "../model/model.ts";
import { mapping, named, number, oneOrMany, type Places, text } from "./schema.ts";
import { problemAt, type Study } from "./study.ts";

/** As it is written: one of both. */
export type StudyPrior =
	| { readonly from: string; readonly only?: readonly string[] }
	| {
			/** By coordinate: `k`, or `log(k)` of what is positive. */
			readonly mean: Readonly<Record<string, number>>;
			readonly covariance: readonly (readonly number[])[];
	  };

const example = "prior: { mean: { a: 1, log(k): 0 }, covariance: [[0.04, 0.01], [0.01, 0.09]] }";

export const priorShape = mapping("from, or mean and covariance", {
	from: text,
	only: oneOrMany(text),
	mean: named(number(), "parameters with their means, like { a: 1, log(k): 0 }"),
	covariance: oneOrMany(oneOrMany(number())),
});

export function priorOf(
	given: ReturnType<typeof priorShape.read>,
	places: Places,
	report: (diagnostic: Diagnostic) => void,
): StudyPrior | undefined {
	if (!given) return undefined;
	const has = (key: string): boolean => places.has(`prior.${key}`);
	const wrong = (key: string, message: string, remedy: string): undefined =>
		report({ span: places.get(has(key) ? `prior.${key}` : "prior")!.key, message, remedy }) as undefined;
	const { from, only, mean, covariance } = given;
	if (has("from") && (has("mean") || has("covariance")))
		return wrong("from", "a prior is from a run, or has a mean and a covariance", "Remove one of them.");
	if (has("from")) return from === undefined ? undefined : { from, ...(only && { only }) };
	if (has("only"))
		return wrong("only", "only chooses parameters of a run, and none is named", "Add  from: runs/a");
	if (!has("mean") || !has("covariance"))
		return wrong(
			"prior",
			"a prior needs a mean and a covariance, or a run that it is from",
			`For example  ${example}`,
		);
	return mean && covariance ? { mean, covariance } : undefined;
}

/** In a line: what is known together, over what the model says of each. */
export function priorWords({ prior }: Pick<Study, "prior">): string[] {
	if (!prior) return [];
	if ("from" in prior) return [`as ${prior.from} found it`];
	const rows = Object.entries(prior.mean).map(
		([name, mean], i) =>
			`${name} ${Number(mean.toPrecision(3))} ± ${Number(Math.sqrt(prior.covariance[i]?.[i]).toPrecision(2))}`,
	);
	return [`${rows.join(", ")}${rows.length > 1 ? " together" : ""}, in the place of the model's`];
}

/** A parameter of the model with the ends of what it may be. */
interface Known {
	readonly name: string;
	readonly ends: Pick<Law, "lo" | "hi">;
	readonly coordinate: string;
}

/** Parameters that have a law of their own, the same in all records. */
export function knownParams({ params }: Model): Known[] {
	return params.flatMap(({ name, knowledge, byRecord }) => {
		if (knowledge.kind !== "distribution" || byRecord) return [];
		const { lo, hi } = numberLaw(`param ${name}`, knowledge.distribution);
		return [{ name, ends: { lo, hi }, coordinate: coordinateName(name, { lo, hi }) }];
	});
}

/** The law of parameters of the model together; undefined after a report. */
export function jointPriorOf(
	study: Study,
	model: Model,
	report: (diagnostic: Diagnostic) => void,
): JointPrior | undefined {
	const { prior } = study;
	if (!prior) return undefined;
	const wrong = (path: string, part: "key" | "value", message: string, remedy: string): undefined =>
		report(problemAt(study, path, part, message, remedy)) as undefined;
	if ("from" in prior)
		return wrong(
			"prior.from",
			"value",
			"the folder of a run cannot be read here",
			"odentify run  reads it, and writes mean and covariance into study.yaml of its run: take them from there.",
		);
	const known = knownParams(model);
	const keys = Object.keys(prior.mean);
	let isRight = true;
	const names = keys.map((key) => {
		const found = known.find(({ coordinate }) => coordinate === key);
		if (!found) {
			isRight = false;
			wrong(`prior.mean.${key}`, "key", ...strange(key, known, model));
		}
		return found?.name ?? key;
	});
	if (!isRight) return undefined;
	const { covariance } = prior;
	const d = keys.length;
	const rows = `${counted(d, "row")} of ${counted(d, "number")}, in the order of  mean`;
	if (d === 0 || covariance.length !== d || covariance.some((row) => row.length !== d))
		return wrong(
			"prior.covariance",
			"value",
			`the covariance of ${keys.join(", ")} has not ${rows}`,
			`Give ${rows}.`,
		);
	const isEven = covariance.every((row, i) =>
		row.every(
			(value, j) =>
				Math.abs(value - covariance[j][i]) <= 1e-9 * Math.sqrt(covariance[i][i] * covariance[j][j]),
		),
	);
	if (!isEven || !factorOf(covariance))
		return wrong(
			"prior.covariance",
			"value",
			"this is no covariance: it must be the same across its diagonal, and positive definite",
			"Variances stand on the diagonal; a covariance is at most the root of the product of its two variances.",
		);
	return { names, mean: keys.map((key) => prior.mean[key]), covariance };
}

/** Why a key names no coordinate of a parameter, and what would. */
function strange(key: string, known: readonly Known[], { params }: Model): [string, string] {
	const inside = /([A-Za-z]\w*)\)?$/.exec(key.replace(/[-+] [\d.e]+\)$/, ")"))?.[1] ?? key;
	const found = known.find(({ name }) => name === inside);
	if (found)
		return [
			`by its law ${found.name} is known as ${found.coordinate}`,
			`Give mean and covariance of  ${found.coordinate}  (of the logarithm of what is positive, of the log-odds between bounds).`,
		];
	const param = params.find(({ name }) => name === inside);
	if (param?.byRecord)
		return [`${inside} differs from record to record`, "Give the parameters of its law instead."];
	if (param)
		return [`${inside} has no law in the model`, `Declare what it may be:  param ${inside} ~ normal(0, 1)`];
	const near = nearestName(
		inside,
		known.map(({ name }) => name),
	);
	return [
		`the model has no parameter "${key}"`,
		near
			? `Did you mean "${near}"?`
			: `It has ${known.map(({ coordinate }) => coordinate).join(", ") || "none with a law"}.`,
	];
}
