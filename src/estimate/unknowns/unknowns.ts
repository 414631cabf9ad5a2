/**
 * What is to be estimated: free parameters, and initial values that are not exactly known (each experiment has its
 * own, and each record its own of parameters that differ without a law). Each unknown has a scale on which it is searched, bounds, a start, and a law to draw other starts from.
 */
import { InputError } from "../../errors.ts";
import { constantValue } from "../../model/constant.ts";
import type { Knowledge, Model } from "../../model/model.ts";
import { exp, log } from "../../num/elementary/number.ts";
import type { Stream } from "../../num/random.ts";
import { numberLaw } from "../law/declared.ts";
import type { Law } from "../law/law.ts";

export interface Unknown {
	/** `k`, `x(0)`, or `x(0) of run2` where several experiments have initial values of their own; `k of run2`. */
	readonly name: string;
	/** For a parameter that differs from record to record: what the equations call it, and the experiments that it is of. */
	readonly own?: { readonly param: string; readonly experiments: readonly number[] };
	readonly kind: "param" | "initial";
	/** For an initial value: which state component, and of which experiment. */
	readonly component: number;
	readonly experiment: number;
	/** `log`: it is positive and searched on a logarithmic scale. */
	readonly scale: "linear" | "log";
	readonly lo: number;
	readonly hi: number;
	readonly start: number;
	/** Whether the study or the model gave the start; otherwise it is a guess. */
	readonly informed: boolean;
	/** Its law, where the model declares one. */
	readonly law?: Law;
	/** A value drawn from what is known of it; `index` counts the draws. */
	draw(random: Stream, index: number): number;
}

/** The search coordinate of a value, and back. */
export const toSearch = (unknown: Unknown, value: number): number =>
	unknown.scale === "log" ? log(value) : value;
export const fromSearch = (unknown: Unknown, z: number): number => (unknown.scale === "log" ? exp(z) : z);

export interface UnknownsSpec {
	readonly model: Model;
	readonly experiments: readonly string[];
	/** Whose record each experiment is, where several are of one. */
	readonly units?: readonly string[];
	readonly start: Readonly<Record<string, number>>;
	/** Parameters that are estimated in another way (spreads of measurements). */
	readonly except: ReadonlySet<string>;
	/** First measured value of each component where it is measured directly: the best guess of an initial value. */
	initialGuess(component: number, experiment: number): number | undefined;
}

export function unknownsOf(spec: UnknownsSpec): Unknown[] {
	const { model, experiments, start } = spec;
	const params = model.params
		.filter(({ name, knowledge }) => knowledge.kind !== "exact" && !spec.except.has(name))
		.flatMap(({ name, knowledge, byRecord }): Unknown[] => {
			const place = { kind: "param", component: -1, experiment: -1 } as const;
			if (!byRecord || knowledge.kind === "distribution")
				return [describe(name, knowledge, start[name], undefined, place)];
			const units = spec.units ?? experiments;
			return [...new Set(units)].map((unit) => {
				const full = `${name} of ${unit}`;
				const own = units.flatMap((each, e) => (each === unit ? [e] : []));
				const unknown = describe(full, knowledge, start[full] ?? start[name], undefined, place);
				return { ...unknown, own: { param: name, experiments: own } };
			});
		});
	const initials = experiments.flatMap((experiment, e) =>
		model.initial.flatMap((knowledge, component) => {
			if (knowledge.kind === "exact") return [];
			const plain = `${model.components[component]}(0)`;
			const name = experiments.length > 1 ? `${plain} of ${experiment}` : plain;
			const place = { kind: "initial" as const, component, experiment: e };
			return [describe(name, knowledge, start[name] ?? start[plain], spec.initialGuess(component, e), place)];
		}),
	);
	return [...params, ...initials];
}

function describe(
	name: string,
	knowledge: Knowledge,
	given: number | undefined,
	guess: number | undefined,
	place: { kind: "param" | "initial"; component: number; experiment: number },
): Unknown {
	const law = knownSearch(name, knowledge, guess);
	if (given !== undefined && !(given >= law.lo && given <= law.hi && (law.scale === "linear" || given > 0)))
		throw new InputError(
			`set: ${name}`,
			`the start ${given} lies outside what the model allows, ${law.lo} to ${law.hi}`,
			"Give a start inside, or change the declaration in the model.",
		);
	const centre = given ?? law.centre;
	return {
		name,
		...place,
		scale: law.scale,
		lo: law.lo,
		hi: law.hi,
		start: centre,
		...(knowledge.kind === "distribution" ? { law: numberLaw(name, knowledge.distribution) } : {}),
		informed: given !== undefined || knowledge.kind !== "none" || guess !== undefined,
		draw: (random, index) => {
			// Where the user gave a start, every other draw is taken around it: the prior may be the wrong one.
			if (given !== undefined && (knowledge.kind === "none" || index % 2 === 1))
				return clamp(around(centre, law.scale, random, index), law.lo, law.hi);
			return law.draw(random, index);
		},
	};
}

/** How an unknown is searched. */
interface Search {
	readonly scale: "linear" | "log";
	readonly lo: number;
	readonly hi: number;
	readonly centre: number;
	draw(random: Stream, index: number): number;
}

function knownSearch(name: string, knowledge: Knowledge, guess: number | undefined): Search {
	if (knowledge.kind === "set")
		return between(constantValue(knowledge.lo), constantValue(knowledge.hi), name);
	if (knowledge.kind === "distribution") return searchOf(name, numberLaw(name, knowledge.distribution));
	const centre = guess ?? 1;
	return {
		scale: "linear",
		lo: Number.NEGATIVE_INFINITY,
		hi: Number.POSITIVE_INFINITY,
		centre,
		draw: (random, index) => around(centre, "linear", random, index),
	};
}

/** Positive numbers are searched by their logarithm, numbers between bounds as a set would be. */
function searchOf(name: string, law: Law): Search {
	const { lo, hi, centre } = law;
	if (hi < Number.POSITIVE_INFINITY) {
		const set = between(lo, hi, name);
		if (law.isFlat) return set.scale === "log" ? set : { ...set, centre };
		return { ...set, centre, draw: (random, index) => law.fromSampled(law.draw(random, index)) };
	}
	return {
		scale: lo === 0 ? "log" : "linear",
		lo,
		hi,
		centre,
		draw: (random, index) => law.fromSampled(law.draw(random, index)),
	};
}

function between(lo: number, hi: number, name: string): Search {
	if (!(lo <= hi)) throw new InputError(name, `has bounds the wrong way round: ${lo} > ${hi}`);
	const log10 = lo > 0 && hi > 10 * lo;
	return {
		scale: log10 ? "log" : "linear",
		lo,
		hi,
		centre: log10 ? Math.sqrt(lo * hi) : (lo + hi) / 2,
		draw: (random, index) => {
			const u = random.uniform(index);
			return clamp(log10 ? lo * exp(u * log(hi / lo)) : lo + u * (hi - lo), lo, hi);
		},
	};
}

/** Within a factor of about 30 of a centre; for a centre that may be of either sign, of either sign at times. */
function around(centre: number, scale: "linear" | "log", random: Stream, index: number): number {
	const factor = exp(log(30) * (2 * random.uniform(index) - 1));
	if (scale === "log") return centre * factor;
	const sign = random.uniform(index + 2 ** 40) < 0.25 ? -1 : 1;
	return sign * (centre === 0 ? random.normal(index) : centre * factor);
}

function clamp(value: number, lo: number, hi: number): number {
	return Math.min(Math.max(value, lo), hi);
}
