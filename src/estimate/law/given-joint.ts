/** Parameters that are known together as a person gives them: by coordinate, checked against the model. */
import { nearestName } from "../../errors.ts";
import type { Model } from "../../model/model.ts";
import { counted } from "../judge/words.ts";
import { numberLaw } from "./declared.ts";
import { coordinateName, factorOf, type JointPrior } from "./joint.ts";
import type { Law } from "./law.ts";

export interface GivenJointPrior {
	/** By coordinate: `k`, or `log(k)` of what is positive. */
	readonly mean: Readonly<Record<string, number>>;
	readonly covariance: readonly (readonly number[])[];
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

/** What is wrong: with one of the keys of `mean`, or with the covariance. */
export type Complaint = (
	where: { readonly key: string } | "covariance",
	message: string,
	remedy: string,
) => void;

/** The law of parameters of the model together; undefined after a complaint. */
export function jointPriorFrom(
	{ mean, covariance }: GivenJointPrior,
	model: Model,
	complain: Complaint,
): JointPrior | undefined {
	const known = knownParams(model);
	const keys = Object.keys(mean);
	let isRight = true;
	const names = keys.map((key) => {
		const found = known.find(({ coordinate }) => coordinate === key);
		if (!found) {
			isRight = false;
			complain({ key }, ...strange(key, known, model));
		}
		return found?.name ?? key;
	});
	if (!isRight) return undefined;
	const wrong = (message: string, remedy: string): undefined =>
		complain("covariance", message, remedy) as undefined;
	const d = keys.length;
	const rows = `${counted(d, "row")} of ${counted(d, "number")}, in the order of  mean`;
	if (d === 0 || covariance.length !== d || covariance.some((row) => row.length !== d))
		return wrong(`the covariance of ${keys.join(", ")} has not ${rows}`, `Give ${rows}.`);
	const isEven = covariance.every((row, i) =>
		row.every(
			(value, j) =>
				Math.abs(value - covariance[j][i]) <= 1e-9 * Math.sqrt(covariance[i][i] * covariance[j][j]),
		),
	);
	if (!isEven || !factorOf(covariance))
		return wrong(
			"this is no covariance: it must be the same across its diagonal, and positive definite",
			"Variances stand on the diagonal; a covariance is at most the root of the product of its two variances.",
		);
	return { names, mean: keys.map((key) => mean[key]), covariance };
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
