/**
 * The model as verified integration needs it: states (drifting parameters among them), constant unknowns, constants
 * known in intervals, inputs, time; with the tapes of right-hand side, Jacobian, outputs and initial values.
 */
import { InputError } from "../../errors.ts";
import type { Interval } from "../../interval/interval.ts";
import { after, before } from "../../interval/rounding.ts";
import { IntervalEvaluator } from "../../lower/interval/evaluate-interval.ts";
import { type Tape, tapeOf } from "../../lower/interval/tape.ts";
import { asSets } from "../../model/as-sets.ts";
import { Differentiator } from "../../model/derivative.ts";
import { foldFormulaInputs } from "../../model/formula-inputs.ts";
import type { Node } from "../../model/graph.ts";
import type { Knowledge, Model } from "../../model/model.ts";
import { assumptionText } from "../../model/print/model.ts";
import { symbolsOf } from "../../model/walk.ts";

export interface GuaranteedSystem {
	readonly model: Model;
	/** State components, then drifting parameters. */
	readonly states: readonly string[];
	readonly nStates: number;
	/** Unknown parameters that stay constant. */
	readonly params: readonly string[];
	/** Conditions of the experiment, rates of drift and inputs that are known within bounds: each is in an interval, the last two at all times, and may be anywhere in it at each. */
	readonly constants: readonly string[];
	readonly inputs: readonly string[];
	/** states, params, constants, inputs, t. */
	readonly symbols: readonly string[];
	readonly rhs: readonly Node[];
	readonly rhsTape: Tape;
	/** ∂rhs/∂states, row-major. */
	readonly jacobianTape: Tape;
	/** value and spread of each measure. */
	readonly outputTape: Tape;
	/** ∂value/∂states of each measure, row-major. */
	readonly outputSlopesTape: Tape;
	/** Spread in plain interval arithmetic. */
	readonly spreadTape: Tape;
	/** Measures whose spread is no number: it depends on unknowns or states. */
	readonly sided: readonly number[];
	/** value - spread and value + spread of each of these. */
	readonly sideTape: Tape;
	/** What is assumed not to be negative, at all times; and whether states, inputs or the time have to do with it. */
	readonly assumptions: readonly {
		readonly text: string;
		readonly isStrict: boolean;
		readonly varies: boolean;
	}[];
	readonly assumptionTape: Tape;
	/** For each event what all states are after it. */
	readonly resetTapes: readonly Tape[];
	/** Initial values that are expressions of parameters; 0 where the value is in a set. */
	readonly initialTape: Tape;
	/** The intervals of rates of drift and of bounded inputs. */
	readonly rates: readonly Interval[];
	/** Inputs that are known within bounds. */
	readonly bounded: readonly string[];
	readonly drifting: readonly string[];
}

export function systemOf(given: Model): GuaranteedSystem {
	const model = foldFormulaInputs(asSets(given));
	const { graph } = model;
	const drifts = model.params.filter(({ rate }) => rate !== undefined);
	const drifting = drifts.map(({ name }) => name);
	const rateNames = drifting.map((name) => `${name}'`);
	const params = model.params
		.filter(({ knowledge, rate }) => rate === undefined && knowledge.kind !== "exact")
		.map(({ name }) => name);
	const states = [...model.components, ...drifting];
	const boundedInputs = model.inputs.filter(({ knowledge }) => knowledge.kind === "set");
	const bounded = boundedInputs.map(({ name }) => name);
	const constants = [...model.conditions.map(({ name }) => name), ...rateNames, ...bounded];
	const inputs = model.inputs.map(({ name }) => name).filter((name) => !bounded.includes(name));
	const symbols = [...states, ...params, ...constants, ...inputs, "t"];
	const rhs = [...model.rhs, ...rateNames.map((name) => graph.sym(name))];
	const differentiator = new Differentiator(graph);
	const jacobian = differentiator.jacobian(rhs, states);
	const measures = model.measures;
	const initial = model.initial.map((knowledge) =>
		knowledge.kind === "exact" ? knowledge.value : graph.zero,
	);
	const uncertain = new Set([...states, ...params]);
	const sided = measures.flatMap(({ spread }, k) =>
		spread && [...symbolsOf([spread])].some((name) => uncertain.has(name)) ? [k] : [],
	);
	return {
		model,
		states,
		nStates: states.length,
		params,
		constants,
		inputs,
		symbols,
		rhs,
		rhsTape: tapeOf(rhs, symbols, { smooth: true }),
		jacobianTape: tapeOf(jacobian, symbols),
		outputTape: tapeOf(
			measures.map(({ value }) => value),
			symbols,
			{ smooth: true },
		),
		outputSlopesTape: tapeOf(
			differentiator.jacobian(
				measures.map(({ value }) => value),
				states,
			),
			symbols,
		),
		spreadTape: tapeOf(
			measures.map(({ spread }) => spread ?? graph.zero),
			symbols,
		),
		sided,
		sideTape: tapeOf(
			sided.flatMap((k) => {
				const { value, spread } = measures[k];
				return [graph.sub(value, spread!), graph.add(value, spread!)];
			}),
			symbols,
			{ smooth: true },
		),
		assumptions: (model.assumptions ?? []).map((each) => ({
			text: `assume ${assumptionText(each)}`,
			isStrict: each.isStrict,
			varies: [...symbolsOf([each.value])].some((name) => !params.includes(name)),
		})),
		assumptionTape: tapeOf(
			(model.assumptions ?? []).map(({ value }) => value),
			symbols,
			{ smooth: true },
		),
		resetTapes: resetsOf(model, states).map((nodes) => tapeOf(nodes, symbols, { smooth: true })),
		initialTape: tapeOf([...initial, ...drifting.map(() => graph.zero)], symbols, { smooth: true }),
		rates: [
			...drifts.map(({ name, rate }) => knowledgeInterval(`${name}'`, rate!)),
			...boundedInputs.map(({ name, knowledge }) =>
				knowledgeInterval(`input ${name}`, knowledge as Knowledge),
			),
		],
		bounded,
		drifting,
	};
}

/** For each event what all states are after it: those that it sets, and the others as they are. */
function resetsOf({ events, graph }: Model, states: readonly string[]): Node[][] {
	return events.map(({ assignments }) => {
		const values = new Map(assignments.map(({ target, value }) => [target, value]));
		return states.map((name) => values.get(name) ?? graph.sym(name));
	});
}

/** What a declaration says as an interval, its numbers read outward. */
export function knowledgeInterval(
	subject: string,
	knowledge: Model["params"][number]["knowledge"],
): Interval {
	if (knowledge.kind === "exact") return constantInterval(subject, knowledge.value);
	if (knowledge.kind !== "set")
		throw new InputError(
			subject,
			"is not in a set",
			`Write  ${subject} in [0, 1]  with bounds that surely hold it.`,
		);
	const lo = constantInterval(subject, knowledge.lo);
	const hi = constantInterval(subject, knowledge.hi);
	if (!(lo.lo <= hi.hi))
		throw new InputError(
			subject,
			`has bounds the wrong way round: ${lo.lo} is above ${hi.hi}`,
			"Write the lower bound first:  in [lo, hi].",
		);
	return { lo: lo.lo, hi: hi.hi };
}

/** The value of an expression without symbols, read outward. */
export function constantInterval(subject: string, node: Node): Interval {
	const free = [...symbolsOf([node])];
	if (free.length > 0)
		throw new InputError(
			subject,
			`has a bound that depends on ${free.join(", ")}`,
			"Bounds are numbers here: write them out.",
		);
	const out = new Float64Array(2);
	const sound = new IntervalEvaluator(tapeOf([node], [])).evaluate(new Float64Array(0), out);
	if (!sound || !Number.isFinite(out[0]) || !Number.isFinite(out[1]))
		throw new InputError(subject, "has a bound that is no finite number", "Write finite bounds.");
	return { lo: out[0], hi: out[1] };
}

/**
 * A double that was read from text, perhaps times a factor that was: three roundings, of which those of the two that are
 * multiplied count up to one ulp of the product each. What was written is within three of it.
 */
export function readOutward(x: number): Interval {
	return { lo: before(before(before(x))), hi: after(after(after(x))) };
}

/** A time that was read from text, or follows from a rate that was: three roundings at most. */
export function readTime(t: number): Interval {
	const slack = Math.abs(t) * 4 * 2 ** -53;
	return { lo: t - slack, hi: t + slack };
}
