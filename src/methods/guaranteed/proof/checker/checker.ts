/**
 * A small checker of certificates that shares nothing with the solver but the reading of models and records: arithmetic, functions, derivatives and integration are its own. It says whether
 * one sample excludes all of a box. What it does not know it says.
 */
import type { Experiment } from "../../../../data/experiment.ts";
import { asSets } from "../../../../model/as-sets.ts";
import { foldFormulaInputs } from "../../../../model/formula-inputs.ts";
import type { Node } from "../../../../model/graph.ts";
import type { Knowledge, Model } from "../../../../model/model.ts";
import { type Rational, rationalFromDouble } from "../../../../model/rational.ts";
import {
	add,
	type Bounds,
	both,
	down,
	isNumber,
	middle,
	multiply,
	nothing,
	point,
	subtract,
	unit,
	up,
} from "./bounds.ts";
import { boxOf, Course, type Frame, type Place } from "./course.ts";
import { Equations } from "./equations.ts";
import { applied, inBounds, product } from "./linear.ts";
import { Series } from "./series.ts";
import { Tape, Unknown } from "./tape.ts";

export interface Sample {
	readonly record: number;
	/** Of all times at which something was measured, in order. */
	readonly instant: number;
	readonly measure: number;
}

interface DeclaredSet {
	readonly lo: Rational;
	readonly hi: Rational;
}

interface Instant {
	readonly t: number;
	readonly data: readonly { readonly measure: number; readonly y: number }[];
}

/** A tape with some outputs, and their derivatives by states and parameters. */
interface Outputs {
	readonly tape: Tape;
	readonly values: readonly number[];
	readonly slopes: readonly (readonly (number | undefined)[])[];
}

class Checker {
	readonly #model: Model;
	readonly #params: readonly string[];
	readonly #equations: Equations;
	/** Value and largest error of each; undefined where the checker does not know it. */
	readonly #measures: readonly (Outputs | undefined)[];
	readonly #initials: Outputs;
	/** Position among all unknowns of the start of each state of each record; undefined where it follows from parameters. */
	readonly #starts: readonly (readonly (number | undefined)[])[];
	/** The declared sets, in the order of the unknowns: parameters, then starts, record by record. */
	readonly sets: readonly DeclaredSet[];

	/** Throws `Unknown` where the model has something that it does not know. */
	constructor(
		given: Model,
		readonly records: readonly Experiment[],
	) {
		const model = foldFormulaInputs(asSets(given));
		this.#model = model;
		if (model.inputs.length > 0) throw new Unknown("inputs");
		if (model.events.length > 0) throw new Unknown("events");
		if (model.params.some(({ rate, terms, byRecord }) => rate ?? terms ?? byRecord))
			throw new Unknown("parameters that drift or are of a record");
		if (records.some(({ rest, reset }) => rest ?? reset)) throw new Unknown("records that begin with a rest");
		const open = model.params.filter(({ knowledge }) => knowledge.kind !== "exact");
		this.#params = open.map(({ name }) => name);
		const symbols = [...model.components, ...this.#params, ...model.conditions.map(({ name }) => name), "t"];
		this.#equations = new Equations(model.rhs, symbols, open.length);
		const outputs = (nodes: readonly Node[]): Outputs => this.#outputs(nodes, symbols);
		const measures = model.measures.map(({ value, spread }) =>
			known(() => outputs([value, spread ?? model.graph.zero])),
		);
		this.#measures = measures.map(({ found }) => found);
		if (measures.every(({ found }) => !found))
			throw new Unknown(measures[0]?.unknown ?? "records without measurements");
		this.#initials = outputs(
			model.initial.map((each) => (each.kind === "exact" ? each.value : model.graph.zero)),
		);
		let next = open.length;
		this.#starts = records.map(() =>
			model.initial.map(({ kind }) => (kind === "exact" ? undefined : next++)),
		);
		this.sets = [
			...open.map(({ knowledge }) => declared(knowledge)),
			...records.flatMap(() => model.initial.filter(({ kind }) => kind !== "exact").map(declared)),
		];
	}

	#outputs(nodes: readonly Node[], symbols: readonly string[]): Outputs {
		const tape = new Tape(symbols);
		const values = tape.read(nodes);
		const one = tape.constant(unit);
		const nDirections = this.#model.components.length + this.#params.length;
		const slopes = values.map((line) =>
			Array.from({ length: nDirections }, (_, j) =>
				tape.slope(line, String(j), (symbol) => (symbol === j ? one : undefined)),
			),
		);
		return { tape, values, slopes };
	}

	/** The first sample that excludes all of a box, or the one that is asked for; undefined where it sees none. */
	excludes(box: ArrayLike<number>, only?: Sample): Sample | undefined {
		for (let record = 0; record < this.records.length; record++) {
			if (only && only.record !== record) continue;
			const found = this.#excludesIn(record, box, only);
			if (found) return found;
		}
		return undefined;
	}

	#excludesIn(record: number, box: ArrayLike<number>, only?: Sample): Sample | undefined {
		const instants = this.#instants(record);
		const { times, conditions } = this.records[record];
		const frame = this.#frame(record, box, conditions);
		const start = times[0];
		const course = new Course(this.#equations, frame, instants[instants.length - 1].t - start || 1);
		let place = this.#start(record, frame, start);
		if (!place) return undefined;
		const initial = place;
		place = course.within(place, spread(start));
		for (const [instant, { t, data }] of instants.entries()) {
			if (only && instant > only.instant) return undefined;
			const when = spread(t);
			if (t !== start && place && when.lo > place.t) place = course.to(place, when.lo);
			if (!place) return undefined;
			if (only && instant < only.instant) continue;
			const there = t === start ? initial : when.lo < place.t ? undefined : course.within(place, when);
			for (const { measure, y } of there ? data : []) {
				if (only && only.measure !== measure) continue;
				if (this.#contradicts(there!, frame, when, measure, y)) return { record, instant, measure };
			}
		}
		return undefined;
	}

	#instants(record: number): Instant[] {
		const at = new Map<number, { measure: number; y: number }[]>();
		this.#model.measures.forEach(({ name }, measure) => {
			const series = this.records[record].outputs.get(name);
			series?.times.forEach((t, i) => {
				const data = at.get(t) ?? [];
				if (!series.limits?.[i]) data.push({ measure, y: series.values[i] });
				at.set(t, data);
			});
		});
		return [...at].sort(([a], [b]) => a - b).map(([t, data]) => ({ t, data }));
	}

	/** The unknowns of a record: parameters, then its own starts. */
	#frame(record: number, box: ArrayLike<number>, conditions: Readonly<Record<string, number>>): Frame {
		const own = [
			...this.#params.map((_, k) => k),
			...this.#starts[record].filter((each) => each !== undefined),
		];
		const sides = own.map((k): Bounds => ({ lo: box[2 * k], hi: box[2 * k + 1] }));
		const centre = sides.map(middle);
		return {
			centre,
			around: sides.map((side, k) => subtract(side, point(centre[k]))),
			params: sides.slice(0, this.#params.length),
			constants: this.#model.conditions.map(({ name }) => asRead(conditions[name])),
		};
	}

	#start(record: number, frame: Frame, t: number): Place | undefined {
		const n = this.#model.components.length;
		const nParams = this.#params.length;
		const zeros = Array.from({ length: n }, () => nothing);
		const clock = spread(t);
		const { values: near } = this.#evaluate(this.#initials, zeros, frame, clock, true);
		const { slopes } = this.#evaluate(this.#initials, zeros, frame, clock, false);
		let own = nParams;
		const m: number[] = [];
		const C: number[][] = [];
		const r: Bounds[] = [];
		this.#starts[record].forEach((unknown, i) => {
			const row = frame.centre.map(() => 0);
			if (unknown !== undefined) {
				row[own] = 1;
				m.push(frame.centre[own++]);
				r.push(nothing);
			} else {
				const byParams = slopes[i].slice(n);
				byParams.forEach((each, k) => {
					row[k] = middle(each);
				});
				m.push(middle(near[i]));
				const bent = byParams.map((each, k) => multiply(subtract(each, point(row[k])), frame.around[k]));
				r.push(bent.reduce(add, subtract(near[i], point(m[i]))));
			}
			C.push(row);
		});
		const Q = m.map((_, i) => m.map((_, j) => (i === j ? 1 : 0)));
		const box = boxOf({ m, C, Q, r }, frame);
		return box.every(isNumber) ? { t, m, C, Q, r, box } : undefined;
	}

	/** Whether the output is beyond the bar for all of a box. */
	#contradicts({ m, C, Q, r, box }: Place, frame: Frame, t: Bounds, measure: number, y: number): boolean {
		const n = m.length;
		const own = this.#measures[measure];
		if (!own) return false;
		const plain = this.#evaluate(own, box, frame, t, false);
		const near = this.#evaluate(own, m.map(point), frame, t, true);
		const [value, largest] = plain.values;
		const row = plain.slopes[0];
		const byStates = [row.slice(0, n)];
		const byUnknowns = product(byStates, inBounds(C))[0].map((each, u) =>
			u < this.#params.length ? add(each, row[n + u]) : each,
		);
		const shift = add(applied([byUnknowns], frame.around)[0], applied(product(byStates, inBounds(Q)), r)[0]);
		const output = both(value, add(near.values[0], shift));
		const bar = add(asRead(y), { lo: -Math.max(0, largest.hi), hi: Math.max(0, largest.hi) });
		return isNumber(value) && isNumber(bar) && (output.hi < bar.lo || output.lo > bar.hi);
	}

	/** Outputs and their derivatives, for all parameters or for those in the middle. */
	#evaluate(
		{ tape, values, slopes }: Outputs,
		box: readonly Bounds[],
		frame: Frame,
		t: Bounds,
		isNear: boolean,
	): { readonly values: Bounds[]; readonly slopes: Bounds[][] } {
		const params = isNear ? frame.params.map((_, k) => point(frame.centre[k])) : frame.params;
		const given = [...box, ...params, ...frame.constants, t];
		const series = new Series(tape);
		series.extend(0, (symbol) => given[symbol]);
		const at = (line: number | undefined): Bounds => (line === undefined ? nothing : series.at(line, 0));
		return { values: values.map(at), slopes: slopes.map((row) => row.map(at)) };
	}
}

/** The checker of a problem, or what of it it does not know. */
export function checkerOf(
	model: Model,
	records: readonly Experiment[],
): { readonly checker?: Checker; readonly unknown?: string } {
	const { found, unknown } = known(() => new Checker(model, records));
	return found ? { checker: found } : { unknown: unknown! };
}

function known<Found>(make: () => Found): { readonly found?: Found; readonly unknown?: string } {
	try {
		return { found: make() };
	} catch (error) {
		if (error instanceof Unknown) return { unknown: error.message };
		throw error;
	}
}

/** A number of a record: what was written is within one unit in the last place. */
function asRead(x: number): Bounds {
	return { lo: down(x), hi: up(x) };
}

/** A time of a record: a few roundings lie between what was meant and the double. */
function spread(t: number): Bounds {
	const slack = Math.abs(t) * 2 ** -51;
	return { lo: t - slack, hi: t + slack };
}

/** The ends of a declared set, as they are written. */
function declared(knowledge: Knowledge): DeclaredSet {
	if (knowledge.kind !== "set") throw new Unknown("unknowns without a set");
	const { lo, hi } = knowledge;
	if (!lo.value || !hi.value) throw new Unknown("sets whose ends are no fractions");
	return { lo: lo.value, hi: hi.value };
}

/** Whether two doubles are around a declared set, exactly. */
export function isAround(lo: number, hi: number, set: DeclaredSet): boolean {
	return compared(lo, set.lo) <= 0 && compared(hi, set.hi) >= 0;
}

/** The sign of a double less a fraction. */
function compared(x: number, { num, den }: Rational): number {
	const own = rationalFromDouble(x);
	const difference = own.num * den - num * own.den;
	return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
