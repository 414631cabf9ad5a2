/**
 * Do the answers to one question agree? For each parameter every answer is held against every other:
 *
 * - an interval that misses a proved set: the bound of the noise, or the model, is wrong;
 * - a posterior outside a proved set: the same, and by how much;
 * - two estimates further apart than chance makes them. Both use the same data: were the one with the smaller error the best
 *   there is, their difference would have the variance of the larger error less that of the smaller (Hausman, "Specification
 *   tests in econometrics", Econometrica 46, 1978). The larger one alone is taken, so false alarms are rarer than stated.
 */
import { normalTail } from "../../num/statistics/incomplete-gamma.ts";
import { normalQuantile975 as normal95 } from "../../num/statistics/quantile.ts";
import type { Agreement, MethodAnswer, ParameterRow } from "../result.ts";
import { level, shared } from "./series.ts";
import { percent } from "./words.ts";

/** Posterior mass that may lie outside a proved set that is wider than the posterior. */
const massOutside = 0.5;
/** Share of a posterior, in its middle, that must meet a proved set that is narrower: bounds can tell more than spreads. */
const middle = 0.98;
/** How many times wider than another an answer may be that still checks it. */
const muchWider = 10;

export interface Answer extends MethodAnswer {
	/** Equally likely values of each parameter, where the method draws them. */
	readonly draws?: ReadonlyMap<string, ArrayLike<number>>;
}

interface Claim {
	readonly method: string;
	readonly row: ParameterRow;
	readonly draws?: ArrayLike<number>;
}

export function agreementOf(answers: readonly Answer[]): Agreement[] {
	const names = new Set(answers.flatMap(({ parameters }) => parameters.map(({ name }) => name)));
	return [...names].map((name) => {
		const claims = answers.flatMap(({ method, parameters, draws }): Claim[] => {
			const row = parameters.find((each) => each.name === name);
			return row ? [{ method, row, draws: draws?.get(name) }] : [];
		});
		return verdictOf(name, claims, names.size);
	});
}

function verdictOf(parameter: string, claims: readonly Claim[], nParameters: number): Agreement {
	const methods = claims.map(({ method }) => method);
	if (claims.length < 2)
		return { parameter, verdict: "single", why: `Only ${methods.join()} has an answer.`, methods };
	const questions = (nParameters * claims.length * (claims.length - 1)) / 2;
	const against = claims.flatMap((first, i) =>
		claims.slice(i + 1).flatMap((second) => contradiction(parameter, first, second, questions) ?? []),
	);
	if (against.length > 0) return { parameter, verdict: "contradict", why: against.join(" "), methods };
	// An answer that is compatible with everything checks nothing.
	const vague = claims.filter((claim) => isVague(claim, claims));
	const checked = claims.filter((claim) => !vague.includes(claim));
	const tooWide = vague.map(
		({ method, row }) => ` ${method} has ${widthText(row)}: too wide to contradict the others.`,
	);
	if (checked.length < 2)
		return {
			parameter,
			verdict: "single",
			why: `${checked.map(({ method }) => `Nothing checks ${method}'s answer.`).join("")}${tooWide.join("")}`.trim(),
			methods,
		};
	const why = checked.some(({ row }) => row.proved)
		? `What was estimated reaches into what is proved.${massOutsideText(checked)}${leavesText(checked)}`
		: `${checked.map(({ method }) => method).join(" and ")} differ by less than their errors (${errorsText(checked)}).`;
	return {
		parameter,
		verdict: "agree",
		why: why + tooWide.join(""),
		methods: checked.map(({ method }) => method),
	};
}

/** Whether an estimate is much wider than another answer, and than the size of the parameter. */
function isVague({ row }: Claim, claims: readonly Claim[]): boolean {
	if (row.proved) return false;
	const own = deviation(row);
	return claims.some(({ row: other }) => {
		if (other === row) return false;
		const size = Math.max(Math.abs(other.estimate), Math.abs(row.estimate));
		return own > size && own > muchWider * deviation(other);
	});
}

function widthText(row: ParameterRow): string {
	const { lo, hi } = row;
	if (deviation(row) < Number.POSITIVE_INFINITY) return `${short(row.estimate)} ± ${short2(deviation(row))}`;
	return lo !== undefined && hi !== undefined ? `${short(lo)} to ${short(hi)}` : "no error to go by";
}

function errorsText(claims: readonly Claim[]): string {
	return claims.map(({ row }) => `± ${short2(deviation(row))}`).join(", ");
}

function contradiction(name: string, a: Claim, b: Claim, questions: number): string | undefined {
	if (a.row.proved && b.row.proved) return undefined;
	if (a.row.proved) return againstSet(name, b, a);
	return b.row.proved ? againstSet(name, a, b) : againstEstimate(name, a, b, questions);
}

function againstSet(name: string, { method, row, draws }: Claim, set: Claim): string | undefined {
	const { lo, hi } = set.row as { lo: number; hi: number };
	const proved = `the set that ${set.method} proved, ${short(lo)} to ${short(hi)}`;
	const remedy = "A bound of the noise, or the model, is wrong.";
	if (draws) {
		const share = shareOutside(draws, lo, hi);
		const [from, to] = middleOf(draws);
		const isOutside = to - from > hi - lo ? from > hi || to < lo : share > massOutside;
		return isOutside
			? `${percent(share)} of ${method}'s posterior of ${name} lies outside ${proved}. ${remedy}`
			: undefined;
	}
	const [from, to] = interval(row);
	if (from <= hi && to >= lo) return undefined;
	return `${method}'s ${name}, ${short(from)} to ${short(to)}, lies outside ${proved}. ${remedy}`;
}

/** How much of a posterior lies outside a proved set. */
function massOutsideText(claims: readonly Claim[]): string {
	const set = claims.find(({ row }) => row.proved)!;
	return claims
		.flatMap(({ method, draws }) =>
			draws
				? [` Of ${method}'s posterior ${percent(shareOutside(draws, set.row.lo!, set.row.hi!))} lie outside.`]
				: [],
		)
		.join("");
}

/** What of an interval leaves the proved set: it is excluded, however likely it was. */
function leavesText(claims: readonly Claim[]): string {
	const { method: by, row } = claims.find((claim) => claim.row.proved)!;
	const { lo, hi } = row as { lo: number; hi: number };
	return claims
		.flatMap(({ method, row: own, draws }) => {
			const [from, to] = interval(own);
			if (own.proved || draws || (from >= lo && to <= hi)) return [];
			const isOut = own.estimate < lo || own.estimate > hi;
			const beyond = [from < lo ? `below ${short(lo)}` : "", to > hi ? `above ${short(hi)}` : ""];
			return [
				` Of ${method}'s ${short(from)} to ${short(to)} what is ${beyond.filter((each) => each !== "").join(" or ")} is excluded: ${by} proved that it breaks the bound of a sample.${isOut ? ` So does ${method}'s estimate, ${short(own.estimate)}.` : ""}`,
			];
		})
		.join("");
}

function middleOf(draws: ArrayLike<number>): [number, number] {
	const sorted = Float64Array.from(draws).sort();
	const at = (part: number): number => sorted[Math.round(part * (sorted.length - 1))];
	return [at((1 - middle) / 2), at((1 + middle) / 2)];
}

function shareOutside(draws: ArrayLike<number>, lo: number, hi: number): number {
	let outside = 0;
	for (let i = 0; i < draws.length; i++) if (!(draws[i] >= lo && draws[i] <= hi)) outside++;
	return outside / draws.length;
}

function againstEstimate(name: string, a: Claim, b: Claim, questions: number): string | undefined {
	const sd = Math.max(deviation(a.row), deviation(b.row));
	const distance = Math.abs(a.row.estimate - b.row.estimate);
	if (!(shared(2 * normalTail(distance / sd), questions) < level)) return undefined;
	return `${a.method} and ${b.method} have ${name} at ${short(a.row.estimate)} and ${short(b.row.estimate)}, ${(distance / sd).toPrecision(2)} standard deviations apart.`;
}

function interval({ estimate, sd, lo, hi }: ParameterRow): [number, number] {
	return [lo ?? estimate - normal95 * (sd ?? 0), hi ?? estimate + normal95 * (sd ?? 0)];
}

function deviation({ sd, lo, hi }: ParameterRow): number {
	if (sd !== undefined && sd > 0) return sd;
	return lo !== undefined && hi !== undefined ? (hi - lo) / (2 * normal95) : Number.POSITIVE_INFINITY;
}

const short = (value: number): string => String(Number(value.toPrecision(4)));
const short2 = (value: number): string => String(Number(value.toPrecision(2)));
