/**
 * Events at times that are known: conditions on the clock alone (t, and conditions of the record). Each time is enclosed between two doubles; between these the condition becomes true exactly once, which its
 * derivative by time shows.
 */
import { InputError } from "../../../../errors.ts";
import type { Bounds } from "../../../../interval/arithmetic.ts";
import { IntervalEvaluator } from "../../../../lower/interval/evaluate-interval.ts";
import { tapeOf } from "../../../../lower/interval/tape.ts";
import { Differentiator } from "../../../../model/derivative.ts";
import type { Model, ModelEvent } from "../../../../model/model.ts";
import { discontinuities } from "../../../../model/structure/discontinuity.ts";
import { symbolsOf } from "../../../../model/walk.ts";
import { constantInterval, type GuaranteedSystem, readTime } from "../../system.ts";
import { guardObstacle, isClockEvent } from "./guards.ts";
import { type Clock, type SwitchingTime, switchingTimes } from "./switching-times.ts";

/** Some events happen once each, between `lo` and `hi`. */
export interface Happening extends SwitchingTime {
	readonly events: readonly number[];
}

/** Why an event cannot be followed, whatever the record is; nothing where it can. */
export function eventObstacle(model: Model): string | undefined {
	for (const [k, event] of model.events.entries()) {
		const { delay, persistent, late, assignments } = event;
		if (!isClockEvent(event, model)) {
			const why = guardObstacle(model, event);
			if (why) return `${labelOf(k)} ${why}`;
			continue;
		}
		if (!delay || delay === model.graph.zero) continue;
		if (symbolsOf([delay]).size > 0) return `${labelOf(k)} has a delay that is no number.`;
		const known = new Set(model.params.map(({ name }) => name));
		const values = [...symbolsOf(assignments.map(({ value }) => value))];
		if (!late && values.some((name) => !known.has(name)))
			return `${labelOf(k)} has a delay, and sets values of the time of its condition: guaranteed takes  late: true.`;
		if (!persistent)
			return `${labelOf(k)} has a delay and  persistent: false, which guaranteed does not follow.`;
	}
	return undefined;
}

const labelOf = (k: number): string => `Event ${k + 1} (when …)`;

/** What happens on a record, in order; what may be at the same time is together, and so are times at which equations switch. */
export function happenings(
	system: GuaranteedSystem,
	clock: Clock,
	switches: readonly SwitchingTime[],
): Happening[] {
	const byClock = system.model.events.flatMap((event, k) => (isClockEvent(event, system.model) ? [k] : []));
	const found = byClock.flatMap((k) =>
		timesOf(system, system.model.events[k], k, clock).map((slab): Happening => {
			const near = switches.filter(({ lo, hi }) => lo <= slab.hi && slab.lo <= hi);
			return {
				lo: Math.max(clock.from, Math.min(slab.lo, ...near.map(({ lo }) => lo))),
				hi: Math.max(slab.hi, ...near.map(({ hi }) => hi)),
				events: [k],
			};
		}),
	);
	const out: Happening[] = [];
	for (const each of found.sort((a, b) => a.lo - b.lo)) {
		const last = out[out.length - 1];
		if (!last || each.lo > last.hi) {
			out.push(each);
			continue;
		}
		const events = [...last.events, ...each.events];
		refuseDependent(system, events);
		out[out.length - 1] = { lo: last.lo, hi: Math.max(last.hi, each.hi), events };
	}
	return out;
}

/** Events that are due at once happen in an order that nobody knows: it must not matter. */
function refuseDependent({ model }: GuaranteedSystem, events: readonly number[]): void {
	const sets = events.map((k) => new Set(model.events[k].assignments.map(({ target }) => target)));
	events.forEach((k, i) => {
		const uses = symbolsOf(model.events[k].assignments.map(({ value }) => value));
		const touched = new Set([...uses, ...sets[i]]);
		if (sets.some((set, j) => j !== i && [...set].some((name) => touched.has(name))))
			throw new InputError(
				model.fileName,
				`has events at the same time that act on one another: ${events.map(labelOf).join(", ")}`,
				"Write one event that sets all of it, or move one of them in time.",
			);
	});
}

function timesOf(system: GuaranteedSystem, event: ModelEvent, k: number, clock: Clock): SwitchingTime[] {
	const { model, symbols } = system;
	const { graph } = model;
	const refuse = (problem: string): never => {
		throw new InputError(labelOf(k), problem, "Write a condition such as  t >= 3.");
	};
	const shift = event.delay ? constantInterval(labelOf(k), event.delay) : { lo: 0, hi: 0 };
	const at = new IntervalEvaluator(tapeOf([event.trigger], symbols), true);
	/** Whether the condition holds from one time to another; nothing where that cannot be told. */
	const holds = (from: number, to: number): boolean | undefined => {
		const out = new Float64Array(2);
		if (!at.evaluate(withTime(clock.symbols(from, to), from, to), out)) return undefined;
		return out[0] > 0 ? true : out[1] < 1 ? false : undefined;
	};
	const compared = discontinuities([event.trigger], graph.zero, (name) => name === "t").map(({ switches }) =>
		graph.sub(switches.left, switches.right),
	);
	const nodes = [...new Set(compared)];
	const { lo: first, hi: last } = readTime(clock.from);
	const held = holds(first, last);
	if (held === undefined)
		refuse(
			"may or may not happen at the very start of the record, as times are known to the last digit only",
		);
	const soon = clock.from + near * (clock.to - clock.from) + roundings * Math.abs(clock.from);
	const atStart = held && !event.initially ? [{ lo: clock.from, hi: soon }] : [];
	const slabs = switchingTimes(system, nodes, clock);
	if (!slabs) return refuse("has a condition whose times cannot be told");
	const differentiator = new Differentiator(graph);
	const slopes = nodes.map(
		(node) => new IntervalEvaluator(tapeOf([differentiator.derivative(node, "t")], symbols), true),
	);
	const values = nodes.map((node) => new IntervalEvaluator(tapeOf([node], symbols), true));
	const isZero = (each: IntervalEvaluator, { lo, hi }: SwitchingTime): boolean => {
		const out = new Float64Array(2);
		return !each.evaluate(clock.symbols(lo, hi), out) || (out[0] <= 0 && out[1] >= 0);
	};
	const times = slabs.flatMap((slab): SwitchingTime[] => {
		const mayCross = nodes.flatMap((_, i) => (isZero(values[i], slab) ? [i] : []));
		// One comparison that turns once: the condition changes once at most.
		const isOnce = mayCross.length <= 1 && mayCross.every((i) => !isZero(slopes[i], slab));
		const gap = slab.hi - slab.lo;
		const before = slab.lo <= clock.from ? held : holds(slab.lo - gap, slab.lo);
		const after = holds(slab.hi, slab.hi + gap);
		if (!isOnce || before === undefined || after === undefined)
			return refuse(`has a condition that may change more than once about t = ${slab.lo}`);
		return !before && after ? [{ lo: Math.max(slab.lo, clock.from), hi: slab.hi }] : [];
	});
	return [...atStart, ...times].map(({ lo, hi }) => ({
		lo: shift.lo === 0 ? lo : lo + shift.lo - roundings * (Math.abs(lo) + shift.lo),
		hi: shift.hi === 0 ? hi : hi + shift.hi + roundings * (Math.abs(hi) + shift.hi),
	}));
}

const roundings = 8 * 2 ** -53;
/** What happens at the start has happened so soon after it, as a share of the record. */
const near = 2 ** -45;

/** Symbols of a while, with its time as it is. */
function withTime(box: Bounds, from: number, to: number): Bounds {
	const own = Float64Array.from(box);
	own.set([from, to], own.length - 2);
	return own;
}
