/**
 * What is given at known times: a bolus all at once, an infusion at a constant rate for a while. As signals: the rate
 * of the infusions, and the sum of the boluses so far.
 */
import { InputError } from "../errors.ts";
import type { Signal } from "./signal/signal.ts";
import { SignalZoh } from "./signal/signal-zoh.ts";

export interface Dose {
	readonly time: number;
	readonly amount: number;
	/** An infusion lasts so long, or has this rate; a bolus has neither. */
	readonly duration?: number;
	readonly rate?: number;
	/** How many more follow, and how long after one another. */
	readonly more?: number;
	readonly every?: number;
	/** The same was given every `every` before it, for ever: a steady state, which the record begins with. */
	readonly steady?: boolean;
	/** Whether a sample of the very same time is taken after the (first) one; else it is taken before. */
	readonly beforeSample?: boolean;
}

/** Doses in the rows of a file: the column of their amounts, and the number (CMT) of the place they go into. */
export interface DoseColumn {
	readonly amount: string;
	readonly compartment?: number;
}

/** One of a series: its parts are numbers that make sense. */
interface Given {
	readonly time: number;
	readonly amount: number;
	/** 0: a bolus. */
	readonly duration: number;
	readonly beforeSample: boolean;
}

/** Doses that follow one another, at most. */
const mostDoses = 10_000;

export const isInfusion = ({ duration = 0, rate = 0 }: Dose): boolean => duration > 0 || rate > 0;

/** Every dose by itself, in order of time; `subject` is whose they are. */
function givenOf(doses: readonly Dose[], subject: string): Given[] {
	const wrong = (problem: string, remedy: string): never => {
		throw new InputError(subject, problem, remedy);
	};
	const given = doses.flatMap((dose): Given[] => {
		const { time, amount, duration, rate, more = 0, every } = dose;
		const at = `a dose at ${time}`;
		if (!Number.isFinite(time)) return wrong(`has a dose at the time ${time}`, "Give a number.");
		if (!Number.isFinite(amount)) return wrong(`has ${at} of ${amount}`, "Give its amount.");
		if (duration !== undefined && rate !== undefined)
			return wrong(`has ${at} with a duration and a rate`, "One follows from the other: give one.");
		const length = duration ?? (rate === undefined ? 0 : amount / rate);
		if (!(length >= 0 && length < Number.POSITIVE_INFINITY))
			return wrong(
				`has ${at} of ${amount} with ${rate === undefined ? `the duration ${duration}` : `the rate ${rate}`}`,
				"An infusion lasts longer than 0: its amount over its rate.",
			);
		if (!(Number.isInteger(more) && more >= 0 && more <= mostDoses))
			return wrong(`has ${at} that is followed by ${more} more`, `Give a whole number to ${mostDoses}.`);
		if (more > 0 && !(every !== undefined && every > 0 && every < Number.POSITIVE_INFINITY))
			return wrong(`has ${at} with ${more} more, but not how long after one another`, "Give the interval.");
		return Array.from({ length: more + 1 }, (_, k) => ({
			time: k === 0 ? time : time + k * every!,
			amount,
			duration: length,
			beforeSample: k === 0 && dose.beforeSample === true,
		}));
	});
	return given.sort((a, b) => a.time - b.time);
}

/** The doses of one record into one place, from its start on. */
export class DoseSignals {
	/** Rate of all infusions. */
	readonly rate: Signal;
	/** Sum of the boluses so far, one at this very time counted. */
	readonly given: Signal;
	/** The same as a sample sees it. */
	readonly seen: Signal;

	/** Doses before `start` are errors where it is that of the record; they are history where rows were chosen. */
	constructor(doses: readonly Dose[], start: number, isChosen: boolean, subject: string) {
		const all = givenOf(doses, subject);
		const early = all.find(({ time }) => !(time >= start));
		if (early && !isChosen)
			throw new InputError(
				subject,
				`has a dose at ${early.time}, before the record starts at ${start}`,
				`Begin the record there:  start: ${early.time}  Initial values then hold at that time.`,
			);
		const from = all.filter(({ time }) => time >= start);
		const infusions = from.filter(({ duration }) => duration > 0);
		const boluses = from.filter(({ duration }) => duration === 0);
		this.rate = held(
			start,
			infusions.flatMap(({ time, duration }) => [time, time + duration]),
			(t) =>
				infusions.reduce(
					(sum, { time, amount, duration }) =>
						t >= time && t < time + duration ? sum + amount / duration : sum,
					0,
				),
		);
		// They rise in time: a sum is that of the earlier ones, and of those at the very time that count.
		const sums = new Float64Array(boluses.length + 1);
		for (const [k, { amount }] of boluses.entries()) sums[k + 1] = sums[k] + amount;
		const times = Float64Array.from(boluses, ({ time }) => time);
		const sum = (t: number, counts: (dose: Given) => boolean): number => {
			let k = countBelow(times, t);
			let total = sums[k];
			for (; k < times.length && times[k] === t; k++) if (counts(boluses[k])) total += boluses[k].amount;
			return total;
		};
		this.given = held(start, [...times], (t) => sum(t, () => true));
		this.seen = { at: (t) => sum(t, ({ beforeSample }) => beforeSample), knots: this.given.knots };
	}
}

/** How many of rising times are before t. */
function countBelow(times: Float64Array, t: number): number {
	let [lo, hi] = [0, times.length];
	while (lo < hi) {
		const middle = (lo + hi) >> 1;
		if (times[middle] < t) lo = middle + 1;
		else hi = middle;
	}
	return lo;
}

/** A signal that changes at some times only. */
function held(start: number, changes: readonly number[], value: (t: number) => number): Signal {
	const times = Float64Array.from(new Set([start, ...changes])).sort();
	return new SignalZoh(times, times.map(value));
}
