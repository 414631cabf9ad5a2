/** `prior:` of a study: parameters that are known together, by a covariance or from an earlier run. */
import { type GivenJointPrior, jointPriorFrom } from "../estimate/law/given-joint.ts";
import type { JointPrior } from "../estimate/law/joint.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Model } from "../model/model.ts";
import { problemAt, type Study } from "./study.ts";
import { mapping, named, number, oneOrMany, type Places, text } from "./text/schema.ts";

/** As it is written: one of both. */
export type StudyPrior = { readonly from: string; readonly only?: readonly string[] } | GivenJointPrior;

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
	return jointPriorFrom(prior, model, (where, ...words) =>
		where === "covariance"
			? wrong("prior.covariance", "value", ...words)
			: wrong(`prior.mean.${where.key}`, "key", ...words),
	);
}
