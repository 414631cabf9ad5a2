/**
 * Doses that were repeated for ever before a record: the last of them are given, from a start before it, and what all
 * earlier ones left is told by three numbers (`steadyStart` says what they are).
 */
import { InputError } from "../errors.ts";
import type { Dose } from "./doses.ts";

export type Doses = Readonly<Record<string, readonly Dose[]>>;

export interface SteadyLead {
	/** When initial values hold: before the record. */
	readonly start: number;
	/** When the record begins. */
	readonly begins: number;
	/** All doses, with those that lead to the steady state. */
	readonly doses: Doses;
	/** By place: mean rate of what was repeated, and the factors of the corrections. */
	readonly left: Readonly<Record<string, readonly [number, number, number]>>;
	/** How long ago the last and the one before were given, of the longest interval. */
	readonly every: number;
	/** Whether all that is repeated comes back after it. */
	readonly isPeriodic: boolean;
}

export const isSteady = ({ steady }: Dose): boolean => steady === true;

/** `undefined` where no dose is in a steady state. `intervals`: how many of the longest are given in full, by whether they come back. */
export function steadyLead(
	doses: Doses,
	intervals: (isPeriodic: boolean) => number,
	subject: string,
): SteadyLead | undefined {
	const all = Object.values(doses).flat();
	const steady = all.filter(isSteady);
	if (steady.length === 0) return undefined;
	for (const { time, every } of steady)
		if (!(every !== undefined && every > 0 && every < Number.POSITIVE_INFINITY))
			throw new InputError(
				subject,
				`has a dose at ${time} in a steady state, but not how often it was given`,
				"Give the interval:  every: 24",
			);
	const begins = steady[0].time;
	const other = all.find(({ time, steady: repeated }) => (repeated ? time !== begins : time < begins));
	if (other)
		throw new InputError(
			subject,
			`is in a steady state at ${begins}, and has a dose at ${other.time}`,
			"A steady state is what a record begins with: give what follows to a record of its own.",
		);
	const longest = Math.max(...steady.map(({ every }) => every!));
	const isPeriodic = steady.every(
		({ every }) => Math.abs(longest / every! - Math.round(longest / every!)) < 1e-9,
	);
	const start = begins - intervals(isPeriodic) * longest;
	const left: Record<string, [number, number, number]> = {};
	const given = Object.entries(doses).map(([place, list]): [string, Dose[]] => {
		const sums: [number, number, number] = [0, 0, 0];
		left[place] = sums;
		return [
			place,
			list.flatMap(({ steady: repeated, ...dose }) => {
				if (!repeated) return [dose];
				const { amount } = dose;
				const every = dose.every!;
				const length = dose.duration ?? (dose.rate === undefined ? 0 : amount / dose.rate);
				const count = Math.floor((begins - start) / every + 1e-9);
				const ahead = Math.max(0, (begins - start) / every - count);
				const [first, second] = corrections(ahead, length / every);
				sums[0] += amount / every;
				sums[1] += amount * first;
				sums[2] += amount * second * every;
				const { more: _, beforeSample: __, ...plain } = dose;
				// Infusions that still run at the start.
				const running: Dose[] = [];
				for (let k = 1; k < ahead + length / every; k++) {
					const remaining = length - (k - ahead) * every;
					running.push({ time: start, amount: (amount * remaining) / length, duration: remaining });
				}
				return [...running, { ...plain, time: begins - count * every, more: count - 1 }, dose];
			}),
		];
	});
	return { start, begins, doses: Object.fromEntries(given), left, every: longest, isPeriodic };
}

/** B1 and B2/2 at the dose; of an infusion their means over it. Parts of an interval, from 0 to 1 at the start. */
function corrections(ahead: number, length: number): [number, number] {
	if (length === 0) return [ahead - 0.5, second(ahead) / 2];
	const end = (ahead + length) % 1;
	return [(second(end) - second(ahead)) / (2 * length), (third(end) - third(ahead)) / (6 * length)];
}

/** Bernoulli's polynomials of degree 2 and 3. */
const second = (t: number): number => t * (t - 1) + 1 / 6;
const third = (t: number): number => t * (t - 0.5) * (t - 1);
