/** What is to be enclosed: constant parameters, and for each experiment its unknown initial values. */
import { InputError } from "../../errors.ts";
import type { Interval } from "../../interval/interval.ts";
import { IntervalEvaluator } from "../../lower/interval/evaluate-interval.ts";
import { tapeOf } from "../../lower/interval/tape.ts";
import { constantValue } from "../../model/constant.ts";
import type { Node } from "../../model/graph.ts";
import type { Knowledge } from "../../model/model.ts";
import { printExpression } from "../../model/print/expression.ts";
import { symbolsOf } from "../../model/walk.ts";
import { constantInterval, type GuaranteedSystem, knowledgeInterval } from "./system.ts";

export interface GuaranteedUnknown {
	/** `k`, `x(0)`, or `x(0) of run2` where several experiments have initial values of their own. */
	readonly name: string;
	readonly kind: "param" | "initial";
	/** Which state; -1 for a parameter. */
	readonly component: number;
	readonly experiment: number;
	readonly prior: Interval;
	/** The bounds as declared, to the nearest double: what to show where nothing was narrowed. */
	readonly declared: Interval;
	/** From the first to the last double that is inside the declared bounds; the wrong way round where there is none. */
	readonly inside: Interval;
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
			...boundsOf(`param ${name}`, param(name).knowledge),
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
				...boundsOf(subject, knowledge),
			}));
		}),
	];
}

function boundsOf(
	subject: string,
	knowledge: Knowledge,
): Pick<GuaranteedUnknown, "prior" | "declared" | "inside"> {
	const prior = knowledgeInterval(subject, knowledge);
	const shown = (node: Node, outward: number): number =>
		node.op === "const" ? constantValue(node) : outward;
	if (knowledge.kind !== "set") return { prior, declared: prior, inside: prior };
	return {
		prior,
		declared: { lo: shown(knowledge.lo, prior.lo), hi: shown(knowledge.hi, prior.hi) },
		inside: {
			lo: constantInterval(subject, knowledge.lo).hi,
			hi: constantInterval(subject, knowledge.hi).lo,
		},
	};
}

/** Refuses a largest error that is an unknown, or made of some, and may be negative. */
export function refuseNegativeErrors(
	{ model }: GuaranteedSystem,
	unknowns: readonly GuaranteedUnknown[],
): void {
	const known = new Map(unknowns.filter(({ kind }) => kind === "param").map((each) => [each.name, each]));
	for (const { name, spread } of model.measures) {
		const own = spread ? [...symbolsOf([spread])] : [];
		if (!spread || own.length === 0 || !own.every((each) => known.has(each))) continue;
		const out = new Float64Array(2);
		const box = Float64Array.from(
			own.flatMap((each) => [known.get(each)!.prior.lo, known.get(each)!.prior.hi]),
		);
		new IntervalEvaluator(tapeOf([spread], own)).evaluate(box, out);
		// Of an expression some values of the sets may give an error below 0: these are inconsistent, and found to be so.
		if (spread.op === "sym" ? out[0] >= 0 : !(out[1] < 0)) continue;
		const { lo, hi } = spread.op === "sym" ? known.get(own[0])!.declared : { lo: out[0], hi: out[1] };
		const text = printExpression(spread);
		throw new InputError(
			`measure ${name}`,
			`has the largest error ${text}, in [${lo}, ${hi}]: where that is negative, the bounds of a datum stand the wrong way round`,
			spread.op === "sym"
				? `Write  param ${text} in [0, ${hi > 0 ? hi : -lo}].`
				: "Write an error that is positive.",
		);
	}
}

/** The box of all priors. */
export function priorBox(unknowns: readonly GuaranteedUnknown[]): Float64Array {
	return Float64Array.from(unknowns.flatMap(({ prior }) => [prior.lo, prior.hi]));
}
