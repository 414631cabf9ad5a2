/** The outputs of a design as its fault makes them, without noise, and how strong the fault is. */
import { signalFrom } from "../data/signal/signal.ts";
import type { Design } from "./design.ts";
import { Leftover, type Outputs, simulateAll, stacked } from "./effect.ts";
import { TrueSystem } from "./truth-model.ts";

export interface Disturbed {
	readonly sound: Outputs;
	readonly outputs: Outputs;
	/** Standard deviation of the noise, by output. */
	readonly sd: readonly number[];
	/** Root mean square of what the fault leaves in the residuals, in units of the noise; undefined where it is none of the outputs'. */
	readonly strength?: number;
}

/** Undefined where the system does not reach the end of its records, or does not move. */
export function disturbed(design: Design): Disturbed | undefined {
	const system = new TrueSystem(design.family, design.outputs);
	const sound = simulateAll(system, design);
	if (!sound) return undefined;
	const sd = design.outputs.map((_, o) => design.noise.level * deviation(sound.map((record) => record[o])));
	if (sd.some((each) => !(each > 0))) return undefined;
	const { fault } = design;
	const make = fault && makers[fault.kind.name];
	if (!make) return { sound, outputs: sound, sd };
	const leftover = new Leftover(system, design, sound, sd);
	const strengthOf = (outputs: Outputs): number =>
		leftover.of(stacked(outputs, sd).map((value, i) => value - base[i]));
	const base = stacked(sound, sd);
	const { at, isScaled, first } = make(system, design, sound, sd);
	if (!isScaled) {
		const outputs = at(1);
		return outputs && { sound, outputs, sd, strength: strengthOf(outputs) };
	}
	// The size at which the strength is the dose: what is left grows with it, at first in proportion.
	let size = first;
	for (let round = 0; round < 12; round++) {
		const outputs = at(size);
		const strength = outputs ? strengthOf(outputs) : Number.POSITIVE_INFINITY;
		if (outputs && Math.abs(strength - fault.dose) < 0.1 * fault.dose)
			return { sound, outputs, sd, strength };
		size *= Math.max(0.1, Math.min(10, fault.dose / strength));
	}
	return undefined;
}

interface Maker {
	/** Outputs with a fault of this size. */
	at(size: number): Outputs | undefined;
	readonly isScaled: boolean;
	readonly first: number;
}

type Make = (system: TrueSystem, design: Design, sound: Outputs, sd: readonly number[]) => Maker;

const makers: Readonly<Record<string, Make>> = {
	"missing term": (system, design) => ({
		at: (size) => simulateAll(system, design, size),
		isScaled: true,
		first: 0.01,
	}),
	// The truth is what the model says otherwise: the data stay, the given model is changed.
	"wrong hold": (system, design) => ({
		at: () =>
			simulateAll(system, {
				...design,
				records: design.records.map((record, r) => ({
					...record,
					input: signalFrom(record.times, design.inputs[r], "linear"),
				})),
			}),
		isScaled: false,
		first: 1,
	}),
	"shifted clock": (system, design) => ({
		at: (size) =>
			simulateAll(system, {
				...design,
				records: design.records.map((record, r) => {
					const by = size * design.family.duration;
					const times = record.times.map((t, i) => (i === 0 ? t : t + by));
					const input = design.inputs[r];
					return {
						...record,
						times,
						...(input ? { input: signalFrom(record.times, input, design.hold) } : {}),
					};
				}),
			}),
		isScaled: true,
		first: 0.002,
	}),
	drift: (_system, design, sound, sd) => ({
		at: (size) =>
			sound.map((record, r) => {
				const { times } = design.records[r];
				const length = times[times.length - 1] - times[0];
				return record.map((values, o) =>
					values.map((value, i) => value + (size * sd[o] * (times[i] - times[0])) / length),
				);
			}),
		isScaled: true,
		first: 2,
	}),
	saturation: (_system, design, sound) => ({
		at() {
			const share = design.fault!.dose;
			return sound.map((record) =>
				record.map((values) => {
					const sorted = values.slice().sort();
					const top = sorted[Math.floor((1 - share) * (sorted.length - 1))];
					return values.map((value) => Math.min(value, top));
				}),
			);
		},
		isScaled: false,
		first: 1,
	}),
	"swapped columns": (_system, _design, sound) => ({
		at: () => sound.map(([first, second, ...others]) => [second, first, ...others]),
		isScaled: false,
		first: 1,
	}),
	"wrong start": (system, design) => ({
		at: (size) =>
			simulateAll(system, {
				...design,
				records: design.records.map((record) => {
					const [name] = Object.entries(design.family.states).find(([, value]) => typeof value === "number")!;
					const unit = Math.abs(record.start[name]) || 1;
					return { ...record, start: { ...record.start, [name]: record.start[name] + size * unit } };
				}),
			}),
		isScaled: true,
		first: 0.02,
	}),
};

/** Root mean square about the mean, over all records. */
export function deviation(parts: readonly Iterable<number>[]): number {
	const all = parts.flatMap((part) => Array.from(part));
	const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
	return Math.sqrt(all.reduce((sum, value) => sum + (value - mean) * (value - mean), 0) / all.length);
}
