/**
 * Are residuals what a fault of an instrument leaves: a clock that is behind, an offset, a drift, a wrong gain? Each adds, to first
 * order, one direction c to them: the slope of what is predicted, 1, the time, what is predicted. Fitting takes out of it what its unknowns can do
 * (P), and of residuals r that are noise
 *
 *   t = rᵀ(I - P)c / (s |(I - P)c|)
 *
 * follows Student's law, s from what is left of r beside it: a score test (Rao), shared among the directions that are asked. It sees
 * what a test of neighbours does not: a first sample, or a few, that all the others put in the wrong place.
 *
 * Reference: Rao, "Large sample tests of statistical hypotheses concerning several parameters", Proc. Camb. Phil. Soc. 44, 1948.
 */
import { Reflections } from "../../num/linear/reflections.ts";
import { studentTails } from "../../num/statistics/student.ts";
import type { Doubt } from "../result.ts";
import { dependences } from "./independence.ts";
import { biasMatters, byOutput, level, type ResidualSeries, shared } from "./series.ts";
import { strangeSizes } from "./size.ts";
import { doubt, list, triedByAll } from "./words.ts";

type Kind = "clock" | "offset" | "drift" | "gain";

/** A direction of which the unknowns leave less than this share of its squares is theirs: slopes are known by differences. */
const leastLeft = 1e-5;

export interface InstrumentFault {
	readonly kind: Kind;
	/** One of several, or all. */
	readonly outputs: readonly string[];
	/** Time that samples were taken too late; units of the output, or of it by time; share of the output. */
	readonly size: number;
	/** Chance that sound residuals of the whole result look so. */
	readonly chance: number;
	/** How far estimates are moved by it, at most, in their standard errors. */
	readonly bias: number;
	/** Whether what is left beside it is noise. */
	readonly isAll: boolean;
}

/** The fault that the residuals show most clearly; undefined where they show none, or nothing that matters. */
export function instrumentFault(
	series: readonly ResidualSeries[],
	nUnknowns: number,
): InstrumentFault | undefined {
	const looked = lookedAt(series, nUnknowns);
	if (!looked) return undefined;
	const { rows, basis, rest, faults } = looked;
	const found = faults
		.filter(({ chance, bias }) => chance < level && bias > biasMatters)
		.sort((a, b) => b.t - a.t);
	if (found.length === 0) return undefined;
	const [{ direction, own, size, chance, bias }] = found;
	const without = rest.map((value, i) => (i < basis.rank ? value : value - size * own[i]));
	basis.applyInto(without);
	const { kind, outputs } = direction;
	return { kind, outputs, size, chance, bias, isAll: isNoise(rows, without, nUnknowns + 1) };
}

/** Chance that sound residuals follow a fault as closely as these do; undefined where that is not asked. Of sound ones it is even, or larger. */
export function instrumentChance(series: readonly ResidualSeries[], nUnknowns: number): number | undefined {
	const faults = lookedAt(series, nUnknowns)?.faults;
	return faults && faults.length > 0 ? Math.min(...faults.map(({ chance }) => chance)) : undefined;
}

interface Looked {
	readonly rows: readonly ResidualSeries[];
	/** In it, what fitting leaves of a vector is behind its first numbers. */
	readonly basis: Reflections;
	readonly rest: Float64Array;
	readonly faults: readonly (Pick<InstrumentFault, "size" | "chance" | "bias"> & {
		readonly direction: Direction;
		readonly own: Float64Array;
		readonly t: number;
	})[];
}

function lookedAt(series: readonly ResidualSeries[], nUnknowns: number): Looked | undefined {
	const rows = [...byOutput(series).values()].flat();
	if (rows.length === 0 || rows.some(({ taken, predicted }) => !taken || !predicted)) return undefined;
	const n = rows.reduce((sum, { residual }) => sum + residual.length, 0);
	const nTaken = rows[0].taken!.count;
	const degrees = n - Math.max(nTaken, nUnknowns) - 1;
	if (degrees < 1) return undefined;
	const basis = new Reflections(
		stackedRows(rows, n * nTaken, ({ taken }) => taken!.of),
		n,
		nTaken,
	);
	const turned = (vector: Float64Array): Float64Array => {
		const out = vector.slice();
		basis.applyTransposeInto(out);
		return out;
	};
	const rest = turned(stackedRows(rows, n, (each) => each.residual));
	const squares = sumOf(rest, rest, basis.rank);
	const asked = directionsOf(rows).flatMap((direction) => {
		const c = stackedRows(rows, n, direction.of);
		if (!c.every(Number.isFinite)) return [];
		const own = turned(c);
		const left = sumOf(own, own, basis.rank);
		const all = sumOf(own, own, 0);
		return left > leastLeft * all ? [{ direction, own, left, all }] : [];
	});
	const faults = asked.map(({ direction, own, left, all }) => {
		const size = sumOf(rest, own, basis.rank) / left;
		const beside = Math.max(squares - size * size * left, 0) / degrees;
		const t = (Math.abs(size) * Math.sqrt(left)) / Math.sqrt(beside);
		return {
			direction,
			own,
			size,
			t,
			chance: shared(studentTails(t, degrees), asked.length),
			bias: (Math.abs(size) * Math.sqrt(all - left)) / Math.sqrt(beside),
		};
	});
	return { rows, basis, rest, faults };
}

interface Direction {
	readonly kind: Kind;
	readonly outputs: readonly string[];
	of(series: ResidualSeries): Float64Array;
}

/** Of each output, and the clock of all of them. */
function directionsOf(rows: readonly ResidualSeries[]): Direction[] {
	const names = [...new Set(rows.map(({ output }) => output))];
	const one = (kind: Kind, outputs: readonly string[]): Direction => ({
		kind,
		outputs,
		of: (series) =>
			outputs.includes(series.output) ? effects[kind](series) : new Float64Array(series.residual.length),
	});
	return [
		...(names.length > 1 ? [one("clock", names)] : []),
		...names.flatMap((name) =>
			(["clock", "offset", "drift", "gain"] as const).map((kind) => one(kind, [name])),
		),
	];
}

/** What a fault of size 1 adds to residuals. At the start of a record clocks are set, and states are what they are said to be there. */
const effects: Readonly<Record<Kind, (series: ResidualSeries) => Float64Array>> = {
	clock: ({ t, start = t[0], predicted }) =>
		predicted!.slope.map((slope, i) => (t[i] > start ? slope * predicted!.perUnit[i] : 0)),
	offset: ({ predicted }) => predicted!.perUnit,
	drift: ({ t, start = t[0], predicted }) => predicted!.perUnit.map((unit, i) => (t[i] - start) * unit),
	gain: ({ predicted }) => predicted!.y.map((y, i) => y * predicted!.perUnit[i]),
};

function isNoise(rows: readonly ResidualSeries[], residual: Float64Array, nUnknowns: number): boolean {
	let from = 0;
	const left = rows.map((each) => {
		const own = residual.slice(from, (from += each.residual.length));
		return { ...each, residual: own };
	});
	return (
		dependences(left, nUnknowns).length === 0 && strangeSizes(left, nUnknowns).every(({ ratio }) => ratio < 1)
	);
}

function stackedRows(
	rows: readonly ResidualSeries[],
	length: number,
	of: (series: ResidualSeries) => Float64Array,
): Float64Array {
	const out = new Float64Array(length);
	let at = 0;
	for (const series of rows) {
		const own = of(series);
		out.set(own, at);
		at += own.length;
	}
	return out;
}

function sumOf(a: Float64Array, b: Float64Array, from: number): number {
	let sum = 0;
	for (let i = from; i < a.length; i++) sum += a[i] * b[i];
	return sum;
}

/** In words. A fault is named where it is all that is wrong; beside other things it may be what the model misses. */
export function instrumentDoubt(fault: InstrumentFault | undefined): Doubt[] {
	if (!fault) return [];
	const { kind, outputs, bias, isAll } = fault;
	const chance = `Of sound runs about one in ${runsOf(fault)} has residuals that follow this, or another fault, so closely.`;
	const off = `Estimates are off by up to ${Number(bias.toPrecision(2))} standard errors by it.`;
	const said = isAll
		? doubt(
				"instrument",
				`The residuals of ${list(outputs)} are as if ${asIf(fault)}`,
				`With that, what is left is noise. ${chance} ${off} ${remedies[kind](outputs[0])}`,
				true,
			)
		: doubt(
				"lack-of-fit",
				`The residuals of ${list(outputs)} follow ${followed[kind]}`,
				`They are as if ${asIf(fault)}, but what is left beside that is no noise either: the model misses something, or a better optimum was not found. ${chance} ${off} Look for what is missing${triedByAll}.`,
				true,
			);
	return said.map((each) => ({ ...each, outputs }));
}

/** How many sound runs make one that looks so, in one digit: the law of the residuals is known to first order. */
function runsOf({ chance }: InstrumentFault): string {
	return chance > 1e-6 ? String(Number((1 / chance).toPrecision(1))) : "a million or more";
}

const followed: Readonly<Record<Kind, string>> = {
	clock: "how fast the prediction changes",
	offset: "a constant",
	drift: "the time",
	gain: "the prediction",
};

function asIf({ kind, size, outputs }: InstrumentFault): string {
	const much = String(Number(Math.abs(size).toPrecision(2)));
	const its = outputs.length > 1 ? "their" : "its";
	switch (kind) {
		case "clock":
			return `${its} samples were taken ${much} ${size > 0 ? "later" : "earlier"} than their times say`;
		case "offset":
			return `${outputs[0]} read ${much} too ${size > 0 ? "high" : "low"}`;
		case "drift":
			return `${outputs[0]} drifted ${size > 0 ? "up" : "down"} by ${much} per unit of time`;
		case "gain":
			return `${outputs[0]} read ${Number((1 + size).toPrecision(3))} times what it is`;
	}
}

const remedies: Readonly<Record<Kind, (output: string) => string>> = {
	clock: () =>
		"Look at the clock and at delays of the instrument, and whether the first sample belongs to the others.",
	offset: (output) =>
		`Look at the zero of the instrument, or let it be found: add a parameter to what is measured, like  measure ${output} ~ normal(x + offset, 0.1).`,
	drift: (output) =>
		`Look at the instrument, or let it be found: add it to what is measured, like  measure ${output} ~ normal(x + drift*t, 0.1).`,
	gain: (output) =>
		`Look at the unit and the calibration, or let it be found: multiply what is measured, like  measure ${output} ~ normal(gain*x, 0.1).`,
};
