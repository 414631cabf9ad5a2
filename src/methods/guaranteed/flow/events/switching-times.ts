/**
 * Times at which equations jump or bend by the clock alone: conditions, signs and absolute values of expressions of t, inputs and conditions of
 * the record. Each is enclosed between two doubles by bisection in interval arithmetic, so that integration can stop before and go on
 * behind it.
 */
import type { Bounds } from "../../../../interval/arithmetic.ts";
import { IntervalEvaluator } from "../../../../lower/interval/evaluate-interval.ts";
import { tapeOf } from "../../../../lower/interval/tape.ts";
import { Differentiator } from "../../../../model/derivative.ts";
import type { Node } from "../../../../model/graph.ts";
import { discontinuities } from "../../../../model/structure/discontinuity.ts";
import { symbolsOf } from "../../../../model/walk.ts";
import type { GuaranteedSystem } from "../../system.ts";

/** Before `lo` and after `hi` it is certain on which side the clock is. */
export interface SwitchingTime {
	readonly lo: number;
	readonly hi: number;
}

/** What a record knows of the symbols that depend on time only. */
export interface Clock {
	readonly from: number;
	readonly to: number;
	/** Where inputs have corners. */
	readonly knots: Float64Array;
	/** Bounds of all symbols from one instant to another between knots; those of unknowns do not matter. */
	symbols(from: number, to: number): Bounds;
}

/** Bisections for one expression and one piece; an expression that is 0 for a while has no switching time. */
const mostTries = 600;
/** A switch that is not known better than to this share of the record is none. */
const widest = 1e-6;
/** How near to a switch to go, as a share of the record; bounds of a bent curve need some room to tell its sign. */
const near = 2 ** -45;
const notSoNear = 2 ** -32;
const U = 2 ** -53;

/** Expressions that switch by the clock alone: 0 where they do. */
export function clockSwitches({ rhs, model, inputs, constants }: GuaranteedSystem): Node[] {
	const { graph } = model;
	const known = new Set(["t", ...inputs, ...constants]);
	const timed = new Set(["t", ...inputs]);
	const found = discontinuities(rhs, graph.zero, (name) => timed.has(name)).map(({ switches }) =>
		graph.sub(switches.left, switches.right),
	);
	return [...new Set(found)].filter((node) => [...symbolsOf([node])].every((name) => known.has(name)));
}

/** All switching times of a record, in order and apart; undefined where they cannot be told. */
export function switchingTimes(
	{ symbols, inputs, model }: GuaranteedSystem,
	nodes: readonly Node[],
	clock: Clock,
): SwitchingTime[] | undefined {
	const found: SwitchingTime[] = [];
	const differentiator = new Differentiator(model.graph);
	for (const node of nodes) {
		const evaluator = new IntervalEvaluator(tapeOf([node], symbols), true);
		const own = symbolsOf([node]);
		const isLine =
			!symbolsOf([differentiator.derivative(node, "t")]).has("t") && !inputs.some((name) => own.has(name));
		const knots = inputs.some((name) => own.has(name)) ? [...clock.knots] : [];
		const ends = [clock.from, ...knots.filter((t) => clock.from < t && t < clock.to), clock.to];
		for (let k = 1; k < ends.length; k++) {
			const parts = bisect(evaluator, clock, ends[k - 1], ends[k], isLine ? near : notSoNear);
			if (!parts) return undefined;
			found.push(...parts);
		}
	}
	return merged(found, widest * (clock.to - clock.from));
}

function bisect(
	evaluator: IntervalEvaluator,
	clock: Clock,
	from: number,
	to: number,
	share: number,
): SwitchingTime[] | undefined {
	const out = new Float64Array(2);
	const found: SwitchingTime[] = [];
	const small = 256 * U * (Math.abs(from) + Math.abs(to)) + share * (clock.to - clock.from);
	const waiting: [number, number][] = [[from, to]];
	for (let tries = 0; waiting.length > 0; tries++) {
		if (tries > mostTries) return undefined;
		const [a, b] = waiting.pop()!;
		const isSound = evaluator.evaluate(clock.symbols(a, b), out);
		if (isSound && (out[0] > 0 || out[1] < 0)) continue;
		const middle = a / 2 + b / 2;
		if (b - a > small && a < middle && middle < b) waiting.push([a, middle], [middle, b]);
		// Times in integration are known to some roundings: the switch is wider by more than these.
		else found.push({ lo: a - small, hi: b + small });
	}
	return found;
}

/** In order, with those that touch made one. */
function merged(found: SwitchingTime[], most: number): SwitchingTime[] | undefined {
	const out: SwitchingTime[] = [];
	for (const { lo, hi } of found.sort((a, b) => a.lo - b.lo)) {
		const last = out[out.length - 1];
		if (last && lo <= last.hi) out[out.length - 1] = { lo: last.lo, hi: Math.max(last.hi, hi) };
		else out.push({ lo, hi });
	}
	return out.every(({ lo, hi }) => hi - lo <= most) ? out : undefined;
}
