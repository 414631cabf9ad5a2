/** What the posterior is of: parameters and initial values with a distribution, in the coordinates they are sampled in. */
import { InputError } from "../../../errors.ts";
import { numberLaw } from "../../../estimate/law/declared.ts";
import type { Law } from "../../../estimate/law/law.ts";
import type { Knowledge, Model } from "../../../model/model.ts";
import { stream } from "../../../num/random.ts";
import { squared } from "../../../num/whole-power.ts";

export interface PosteriorUnknown {
	/** `k`, `x(0)`, or `x(0) of run2` where several experiments have initial values of their own. */
	readonly name: string;
	readonly kind: "param" | "initial";
	/** For an initial value: its component and experiment. */
	readonly component?: string;
	readonly experiment?: number;
	readonly prior: Law;
}

export function posteriorUnknowns(model: Model, experiments: readonly string[]): PosteriorUnknown[] {
	const params = model.params
		.filter(({ knowledge }) => knowledge.kind !== "exact")
		.map(
			({ name, knowledge }): PosteriorUnknown => ({
				name,
				kind: "param",
				prior: priorOf(`param ${name}`, name, knowledge),
			}),
		);
	const initials = experiments.flatMap((experiment, e) =>
		model.components.flatMap((component, i): PosteriorUnknown[] => {
			const knowledge = model.initial[i];
			if (knowledge.kind === "exact") return [];
			const plain = `${component}(0)`;
			return [
				{
					name: experiments.length > 1 ? `${plain} of ${experiment}` : plain,
					kind: "initial",
					component,
					experiment: e,
					prior: priorOf(`state ${component}`, component, knowledge),
				},
			];
		}),
	);
	return [...params, ...initials];
}

function priorOf(subject: string, name: string, knowledge: Knowledge): Law {
	if (knowledge.kind !== "distribution")
		throw new InputError(
			subject,
			knowledge.kind === "set" ? "is known by a set, and bayes needs a distribution" : "has no prior",
			`Write  ${subject} ~ normal(0, 1)  or another distribution; a set becomes  ${name} ~ uniform(lo, hi).`,
		);
	return numberLaw(subject, knowledge.distribution);
}

/** Natural values of n points; columns: unknown i of point b stands at i * n + b. */
export function naturalValues(
	unknowns: readonly PosteriorUnknown[],
	z: Float64Array,
	n: number,
): Float64Array {
	const theta = new Float64Array(z.length);
	for (const [i, { prior }] of unknowns.entries())
		for (let b = i * n; b < (i + 1) * n; b++) theta[b] = prior.fromSampled(z[b]);
	return theta;
}

/** Log prior density of n points in sampled coordinates. */
export function logPriors(unknowns: readonly PosteriorUnknown[], z: Float64Array, n: number): Float64Array {
	const sum = new Float64Array(n);
	for (const [i, { prior }] of unknowns.entries())
		for (let b = 0; b < n; b++) sum[b] += prior.logDensitySampled(z[i * n + b]);
	return sum;
}

/** n draws from the prior, in sampled coordinates. */
export function drawPriors(
	unknowns: readonly PosteriorUnknown[],
	n: number,
	seed: number,
	purpose: string,
): Float64Array {
	const z = new Float64Array(unknowns.length * n);
	for (const [i, { name, prior }] of unknowns.entries()) {
		const random = stream(seed, `bayes ${purpose} ${name}`);
		for (let b = 0; b < n; b++) z[i * n + b] = prior.draw(random, b);
	}
	return z;
}

/** Standard deviation of each prior in sampled coordinates. */
export function priorSpreads(unknowns: readonly PosteriorUnknown[]): Float64Array {
	const n = 512;
	return Float64Array.from(unknowns, ({ prior }, i) => {
		const random = stream(0, `bayes spread ${i}`);
		const z = Array.from({ length: n }, (_, b) => prior.draw(random, b));
		const mean = z.reduce((a, b) => a + b) / n;
		return Math.sqrt(z.reduce((a, b) => a + squared(b - mean), 0) / n);
	});
}
