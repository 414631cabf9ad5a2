/**
 * A certificate of an enclosure: the box of all declared sets, cut into parts, each of which is kept or excluded by one sample. It says what there is to check, and
 * nothing of how it was found.
 */
import { InputError } from "../../../errors.ts";

/** Where a part is excluded: its record, the instant, and the measurement, each by position. */
export interface Witness {
	readonly record: number;
	readonly instant: number;
	readonly measure: number;
	/** Who sees it: the checker, which shares no code with the solver, or only the solver's own integration. */
	readonly by: "checker" | "solver";
}

export type ProofTree =
	| {
			readonly cut: { readonly unknown: number; readonly at: number };
			readonly parts: readonly [ProofTree, ProofTree];
	  }
	| { readonly excluded: Witness }
	| { readonly kept: true };

export interface Certificate {
	readonly form: 4;
	readonly unknowns: readonly string[];
	/** The declared sets, outward: lo, hi of each unknown. */
	readonly sets: readonly number[];
	/** What is left, lo, hi of each unknown; null where nothing is. */
	readonly enclosure: readonly number[] | null;
	/** The same with what only the solver's integration excludes: all that the checker leaves. */
	readonly checked: readonly number[] | null;
	/** How parts are followed: degrees and tolerance. Whatever they are, what is found with them holds. */
	readonly order: number;
	readonly timeOrder: number;
	readonly tolerance: number;
	readonly tree: ProofTree;
	/** What the run says in summary.json, each entry as a sum over its text, and in boxes.csv. */
	readonly said: Readonly<Record<string, string>>;
	/** Of all that stands above. */
	readonly digest: string;
}

/** A box cut in two. */
export function halves(box: Float64Array, side: number, at: number): [Float64Array, Float64Array] {
	const lower = box.slice();
	const upper = box.slice();
	lower[2 * side + 1] = at;
	upper[2 * side] = at;
	return [lower, upper];
}

/** The sum over all but the digest itself. */
export function digestOf({
	digest: _,
	...rest
}: Omit<Certificate, "digest"> & { readonly digest?: string }): string {
	const { form, unknowns, sets, enclosure, checked, order, timeOrder, tolerance, tree, said } = rest;
	return sumOf(
		JSON.stringify([form, unknowns, sets, enclosure, checked, order, timeOrder, tolerance, tree, said]),
	);
}

/** Two sums over a text. */
export function sumOf(text: string): string {
	let a = 0x811c9dc5;
	let b = 0x12345678;
	for (let i = 0; i < text.length; i++) {
		const code = text.charCodeAt(i);
		a = Math.imul(a ^ code, 0x01000193) >>> 0;
		b = (Math.imul(b, 31) + code) >>> 0;
	}
	return a.toString(16).padStart(8, "0") + b.toString(16).padStart(8, "0");
}

/** Cuts of cuts: no proof comes near, and what is far deeper cannot be written out again. */
const deepest = 1000;

function isDeeper(read: unknown, most: number): boolean {
	let level: unknown[] = [read];
	for (let depth = 0; depth <= most; depth++) {
		level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
		if (level.length === 0) return false;
	}
	return true;
}

/** A certificate from a file; its parts are checked as they are used. */
export function parseCertificate(text: string, subject: string): Certificate {
	const refuse = (problem: string): never => {
		throw new InputError(subject, problem, "Run the study again with  guaranteed: { proof: 400 }.");
	};
	let read: unknown;
	try {
		read = JSON.parse(text);
	} catch {
		return refuse("is no JSON");
	}
	if (isDeeper(read, deepest)) return refuse(`is nested more than ${deepest} deep`);
	const certificate = read as Certificate;
	const isBox = (value: unknown): boolean =>
		Array.isArray(value) && value.every((each) => typeof each === "number" && Number.isFinite(each));
	if (typeof read !== "object" || read === null || certificate.form !== 4)
		return refuse("is no certificate of form 4");
	if (!Array.isArray(certificate.unknowns) || !isBox(certificate.sets))
		return refuse("has no unknowns or sets");
	for (const left of [certificate.enclosure, certificate.checked])
		if (left !== null && !isBox(left)) return refuse("has no enclosure");
	const isWhole = (value: unknown, most: number): boolean =>
		Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;
	if (!isWhole(certificate.order, 12) || !isWhole(certificate.timeOrder, 30) || !(certificate.tolerance > 0))
		return refuse("has no degrees or no tolerance");
	if (typeof certificate.said !== "object" || certificate.said === null)
		return refuse("does not say what the run said");
	return certificate;
}
