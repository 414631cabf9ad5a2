/**
 * Spreads that samples share and that are to be found: at a simulation, the root mean square of their errors fits best.
 *
 * A key with no more samples than there are unknowns can be met exactly, where the likelihood has no end unless the spread
 * has a least value: else, in units of the output's own deviation, it is taken to be that of the key with most samples.
 */
import { exp, log } from "../../num/elementary/number.ts";
import { squared } from "../../num/whole-power.ts";
import type { Observations, OutputGroup } from "./observations.ts";

/** The least spread beside the deviation of the data: as small as rounding lets errors be. */
const roundingShare = 1e-12;

interface Part {
	readonly group: OutputGroup;
	/** The unit in which errors of this group are compared with others of the same key. */
	readonly unit: number;
	readonly isBorrowed?: boolean;
}

interface Key {
	readonly parts: readonly Part[];
	readonly count: number;
	/** Deviation of the data, in units of the parts. */
	readonly size: number;
	readonly lo: number;
	readonly hi: number;
}

const made = new WeakMap<Observations, Map<number, CommonSpreads>>();

export class CommonSpreads {
	private constructor(
		readonly keys: readonly Key[],
		readonly observations: Observations,
	) {}

	/** Found once for a set of observations. */
	static of(observations: Observations, nUnknowns: number): CommonSpreads {
		const own = made.get(observations) ?? new Map<number, CommonSpreads>();
		made.set(observations, own);
		const known = own.get(nUnknowns) ?? new CommonSpreads(keysOf(observations, nUnknowns), observations);
		own.set(nUnknowns, known);
		return known;
	}

	/** Names of outputs whose spread is taken from others. */
	get borrowed(): string[] {
		return [
			...new Set(
				this.keys.flatMap(({ parts }) =>
					parts.filter(({ isBorrowed }) => isBorrowed).map(({ group }) => group.measure.name),
				),
			),
		];
	}

	/** The spreads themselves, at the simulated `value`. */
	fill(sd: Float64Array, value: Float64Array): void {
		for (const key of this.keys) {
			const spread = Math.min(Math.max(this.#rms(key, value), key.lo), key.hi);
			for (const { group, unit } of key.parts) sd.fill(spread * unit, group.from, group.to);
		}
	}

	/**
	 * The same over √V, where V is the product of the mean squares in units of the data's variance, each to the power of its
	 * share of the samples. One key alone then has the same weight at every point: plain least squares.
	 */
	fillScaled(sd: Float64Array, value: Float64Array): void {
		const total = this.keys.reduce((sum, { count }) => sum + count, 0);
		if (this.keys.length === 1) {
			const [{ parts, size }] = this.keys;
			for (const { group, unit } of parts) sd.fill(size * unit, group.from, group.to);
			return;
		}
		const rms = this.keys.map((key) => this.#rms(key, value));
		const logRoot = this.keys.reduce(
			(sum, { count, size }, k) => sum + (count / total) * log(rms[k] / size),
			0,
		);
		const root = exp(logRoot);
		this.keys.forEach(({ parts }, k) => {
			for (const { group, unit } of parts) sd.fill((rms[k] / root) * unit, group.from, group.to);
		});
	}

	#rms({ parts, count, size }: Key, value: Float64Array): number {
		const { values } = this.observations;
		let sum = 0;
		for (const { group, unit } of parts)
			for (let i = group.from; i < group.to; i++) {
				const error = (values[i] - value[i]) / unit;
				sum += error * error;
			}
		return Math.max(Math.sqrt(sum / count), roundingShare * size);
	}
}

function keysOf({ groups }: Observations, nUnknowns: number): Key[] {
	const byName = new Map<string, OutputGroup[]>();
	for (const group of groups)
		if (group.spread.kind === "common")
			byName.set(group.spread.key, [...(byName.get(group.spread.key) ?? []), group]);
	const all = [...byName.values()].sort((a, b) => samplesOf(b) - samplesOf(a));
	const [most, ...others] = all;
	if (!most) return [];
	const few = others.filter((own) => samplesOf(own) <= nUnknowns && !(rangeOf(own).lo > 0));
	const size = deviationOf(most);
	return [
		keyOf(most, [
			...most.map(ownPart),
			...few.flatMap((own) =>
				own.map((group) => ({
					group,
					unit: (ownPart(group).unit * deviationOf(own)) / size,
					isBorrowed: true,
				})),
			),
		]),
		...others.filter((own) => !few.includes(own)).map((own) => keyOf(own, own.map(ownPart))),
	];
}

/** In units of the parameter that its spread is a multiple of. */
function ownPart(group: OutputGroup): Part {
	return { group, unit: (group.spread.kind === "common" && group.spread.perParam) || 1 };
}

function rangeOf([{ spread }]: readonly OutputGroup[]): { readonly lo: number; readonly hi: number } {
	return spread.kind === "common" ? spread : { lo: 0, hi: Number.POSITIVE_INFINITY };
}

function keyOf(own: readonly OutputGroup[], parts: readonly Part[]): Key {
	const { lo, hi } = rangeOf(own);
	return {
		parts,
		count: samplesOf(parts.map(({ group }) => group)),
		size: deviationOf(own),
		lo,
		hi,
	};
}

function samplesOf(groups: readonly OutputGroup[]): number {
	return groups.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** Root of the mean variance of the groups' data, in units of the parameter. */
function deviationOf(groups: readonly OutputGroup[]): number {
	let sum = 0;
	let size = 0;
	for (const group of groups) {
		const { observed } = group;
		const { unit } = ownPart(group);
		let mean = 0;
		for (const value of observed) mean += value / observed.length;
		for (const value of observed) sum += squared((value - mean) / unit);
		size = Math.max(size, Math.abs(mean) / unit);
	}
	return Math.sqrt(sum / samplesOf(groups)) || size || 1;
}
