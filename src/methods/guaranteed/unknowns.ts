/** What is to be enclosed: constant parameters, and for each experiment its unknown initial values. */
import type { Interval } from "../../interval/interval.ts";
import { type GuaranteedSystem, knowledgeInterval } from "./system.ts";

export interface GuaranteedUnknown {
	/** `k`, `x(0)`, or `x(0) of run2` where several experiments have initial values of their own. */
	readonly name: string;
	readonly kind: "param" | "initial";
	/** Which state; -1 for a parameter. */
	readonly component: number;
	readonly experiment: number;
	readonly prior: Interval;
}

export function guaranteedUnknowns(
	system: GuaranteedSystem,
	experiments: readonly string[],
): GuaranteedUnknown[] {
	const { model, params, drifting } = system;
	const param = (name: string) => model.params.find((each) => each.name === name)!;
	return [
		...params.map((name) => ({
			name,
			kind: "param" as const,
			component: -1,
			experiment: -1,
			prior: knowledgeInterval(`param ${name}`, param(name).knowledge),
		})),
		...experiments.flatMap((experiment, e) => {
			const of = experiments.length > 1 ? ` of ${experiment}` : "";
			const states = model.initial.flatMap((knowledge, component) =>
				knowledge.kind === "exact"
					? []
					: [
							{
								name: model.components[component],
								component,
								knowledge,
								subject: `state ${model.components[component]}`,
							},
						],
			);
			const drifts = drifting.map((name, i) => ({
				name,
				component: model.components.length + i,
				knowledge: param(name).knowledge,
				subject: `param ${name}`,
			}));
			return [...states, ...drifts].map(({ name, component, knowledge, subject }) => ({
				name: `${name}(0)${of}`,
				kind: "initial" as const,
				component,
				experiment: e,
				prior: knowledgeInterval(subject, knowledge),
			}));
		}),
	];
}

/** The box of all priors. */
export function priorBox(unknowns: readonly GuaranteedUnknown[]): Float64Array {
	return Float64Array.from(unknowns.flatMap(({ prior }) => [prior.lo, prior.hi]));
}
