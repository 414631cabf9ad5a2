/** Everything about a problem but its noise: drawn from one number. */
import { signalFrom } from "../data/signal/signal.ts";
import { exp, sin } from "../num/elementary/number.ts";
import { Draws } from "../num/statistics/draws.ts";
import { families } from "./families.ts";
import type { Family } from "./family.ts";
import { type Fault, faults } from "./faults.ts";
import type { TrueRecord } from "./truth-model.ts";

export type NoiseKind = "normal" | "open" | "lognormal" | "bounded";
export type Sampling = "dense" | "sparse" | "uneven" | "gaps";

export interface Design {
	readonly number: number;
	readonly family: Family;
	readonly fault?: { readonly kind: Fault; readonly dose: number };
	readonly params: Readonly<Record<string, number>>;
	readonly outputs: readonly string[];
	readonly records: readonly TrueRecord[];
	readonly hold: "zoh" | "linear";
	/** Values of the input at the times of a record. */
	readonly inputs: readonly Float64Array[];
	readonly sampling: Sampling;
	readonly noise: { readonly kind: NoiseKind; readonly level: number };
}

/** Of all problems. */
const soundShare = 0.6;
const levels = [0.001, 0.01, 0.03, 0.1, 0.2];

export function designOf(number: number): Design {
	const d = new Draws(number, "problem");
	const family = families[number % families.length];
	const fault = d.chance(soundShare) ? undefined : possibleFault(d, family);
	const params = Object.fromEntries(
		Object.entries(family.params).map(([name, [centre, spread]]) => [
			name,
			rounded(centre * exp(spread * within(d.normal(), 2.9))),
		]),
	);
	const names = Object.keys(family.outputs);
	const outputs = fault?.kind.name === "swapped columns" || d.chance(0.6) ? names : [names[0]];
	const nRecords = d.pick([1, 1, 1, 2, 3, 5]);
	const hold = fault?.kind.name === "wrong hold" ? "zoh" : d.pick(["zoh", "linear"] as const);
	const sampling = d.pick(["dense", "dense", "sparse", "uneven", "gaps"] as const);
	const made = Array.from({ length: nRecords }, () => record(d, family, { hold, sampling, fault }));
	return {
		number,
		family,
		...(fault ? { fault } : {}),
		params,
		outputs,
		records: made.map(({ times, start, input }) => ({
			times,
			start,
			...(input ? { input: signalFrom(times, input, hold) } : {}),
		})),
		inputs: made.flatMap(({ input }) => (input ? [input] : [])),
		hold,
		sampling,
		noise: { kind: noiseKind(d, family, fault?.kind), level: d.pick(levels) },
	};
}

function possibleFault(d: Draws, family: Family): Design["fault"] {
	const hasKnownStart = Object.values(family.states).some((value) => typeof value === "number");
	const can: Record<string, boolean> = {
		"wrong hold": family.input !== undefined,
		"swapped columns": Object.keys(family.outputs).length > 1,
		"wrong start": hasKnownStart,
	};
	const kind = d.pick(faults.filter(({ name }) => can[name] ?? true));
	return { kind, dose: d.pick(kind.doses) };
}

function noiseKind(d: Draws, family: Family, fault: Fault | undefined): NoiseKind {
	if (fault?.name === "bound too small") return "bounded";
	if (fault?.name === "wrong declared noise") return "normal";
	const kinds: NoiseKind[] = ["normal", "normal", "open", "bounded"];
	return d.pick(family.isPositive ? [...kinds, "lognormal"] : kinds);
}

function record(
	d: Draws,
	family: Family,
	{ hold, sampling, fault }: { hold: "zoh" | "linear"; sampling: Sampling; fault: Design["fault"] },
): { times: Float64Array; start: Record<string, number>; input?: Float64Array } {
	const share = fault?.kind.name === "short record" ? fault.dose : d.between(0.7, 1.3);
	const n =
		fault?.kind.name === "coarse sampling"
			? fault.dose
			: sampling === "dense"
				? d.whole(101, 301)
				: sampling === "sparse"
					? d.whole(15, 40)
					: d.whole(40, 120);
	const step = Number(((family.duration * share) / (n - 1)).toPrecision(4));
	const inGap = (i: number): boolean => sampling === "gaps" && Math.abs(i / n - 0.5) < 0.12;
	const times = Float64Array.from(
		Array.from({ length: n }, (_, i) => i)
			.filter((i) => !inGap(i))
			.map((i) => rounded(step * (i + (sampling === "uneven" && i > 0 ? d.between(-0.4, 0.4) : 0)))),
	);
	const start = Object.fromEntries(
		Object.entries(family.states).map(([name, value]) => [
			name,
			typeof value === "number" ? value : rounded(d.between(value[0], value[1])),
		]),
	);
	if (family.input === undefined) return { times, start };
	return { times, start, input: inputValues(d, times, family.input, hold) };
}

function inputValues(d: Draws, times: Float64Array, size: number, hold: "zoh" | "linear"): Float64Array {
	const length = times[times.length - 1] - times[0];
	if (hold === "zoh") {
		const nSteps = d.whole(4, 12);
		const values = Array.from({ length: nSteps }, () => rounded(size * d.between(-1, 1)));
		return times.map((t) => values[Math.min(Math.floor((nSteps * (t - times[0])) / length), nSteps - 1)]);
	}
	const tones = [1, 2, 3].map((k) => ({
		rate: (2 * Math.PI * k * d.between(0.7, 1.6)) / length,
		phase: d.between(0, 6.28),
	}));
	return times.map((t) =>
		rounded((size / 2) * tones.reduce((sum, { rate, phase }) => sum + sin(rate * t + phase), 0)),
	);
}

/** A draw whose true value lies in the set that its law comes with. */
export function within(z: number, most: number): number {
	return Math.max(-most, Math.min(most, z));
}

/** As it is written in a file, so that files and truth are the same. */
export function rounded(value: number): number {
	return Number(value.toPrecision(7));
}
