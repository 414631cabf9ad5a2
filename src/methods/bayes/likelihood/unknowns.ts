/** What the posterior is of: parameters and initial values with a distribution, in the coordinates they are sampled in. */
import { InputError } from "../../../errors.ts";
import { numberLaw } from "../../../estimate/law/declared.ts";
import { JointNormal, type JointPrior } from "../../../estimate/law/joint.ts";
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
	/** By itself. */
	readonly prior: Law;
	/** The law that it obeys together with others, and its place there. */
	readonly together?: { readonly law: JointNormal; readonly at: number };
}

/** `joint`: what is known of parameters together, in the place of their own laws. */
export function posteriorUnknowns(
	model: Model,
	experiments: readonly string[],
	joint?: JointPrior,
): PosteriorUnknown[] {
	const law = joint && new JointNormal(joint);
	const params = model.params
		.filter(({ knowledge }) => knowledge.kind !== "exact")
		.map(({ name, knowledge }): PosteriorUnknown => {
			const prior = priorOf(`param ${name}`, name, knowledge);
			const at = joint?.names.indexOf(name) ?? -1;
			if (at < 0) return { name, kind: "param", prior };
			return { name, kind: "param", prior: law!.marginal(at, prior), together: { law: law!, at } };
		});
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
	for (const [i, { prior, together }] of unknowns.entries())
		if (!together) for (let b = 0; b < n; b++) sum[b] += prior.logDensitySampled(z[i * n + b]);
	const { law, places } = jointOf(unknowns);
	if (law) for (let b = 0; b < n; b++) sum[b] += law.logDensity((at) => z[places[at] * n + b]);
	return sum;
}

/** The law of several together, and where its numbers stand among the unknowns. */
function jointOf(unknowns: readonly PosteriorUnknown[]): { law?: JointNormal; places: number[] } {
	const places: number[] = [];
	for (const [i, { together }] of unknowns.entries()) if (together) places[together.at] = i;
	return { law: unknowns.find(({ together }) => together)?.together?.law, places };
}

/** n draws from the prior, in sampled coordinates. */
export function drawPriors(
	unknowns: readonly PosteriorUnknown[],
	n: number,
	seed: number,
	purpose: string,
): Float64Array {
	const z = new Float64Array(unknowns.length * n);
	const randoms = unknowns.map(({ name }) => stream(seed, `bayes ${purpose} ${name}`));
	const { places } = jointOf(unknowns);
	for (const [i, { prior, together }] of unknowns.entries())
		for (let b = 0; b < n; b++)
			z[i * n + b] = together
				? together.law.drawn(together.at, (of) => randoms[places[of]].normal(b))
				: prior.draw(randoms[i], b);
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
