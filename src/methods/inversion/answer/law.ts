/** The law that was found, as equations with numbers; the same with intervals; and the laws that come near it. */
import { type FoundLaw, type LawEquation, ofRecord } from "../../../estimate/result.ts";
import { decimalConstant } from "../../../model/decimal-constant.ts";
import type { Node } from "../../../model/graph.ts";
import type { Equation, Model } from "../../../model/model.ts";
import { equationToPlain } from "../../../model/print/expression.ts";
import { equationMathML } from "../../../model/print/mathml.ts";
import { equationTex } from "../../../model/print/tex.ts";
import { log } from "../../../num/elementary/number.ts";
import type { Candidates, Weight } from "../candidates/candidates.ts";
import { chosenTerms } from "./chosen-terms.ts";

/** A weight as the law shows it. */
export interface LawWeight {
	readonly weight: Weight;
	readonly estimate: number;
	readonly sd?: number;
	readonly lo?: number;
	readonly hi?: number;
}

/** Another set of terms, and what is to be said of it. */
export interface RivalLaw {
	readonly words: string;
	readonly weights: readonly LawWeight[];
}

/** Rivals that are written out; the rest is counted in the doubts. */
const mostRivals = 5;

export function foundLaw(
	model: Model,
	candidates: Candidates,
	weights: readonly LawWeight[],
	rivals: readonly RivalLaw[],
	/** Terms that were left out, with the interval that the data leave each. */
	out: readonly { readonly name: string; readonly lo: number; readonly hi: number }[] = [],
): FoundLaw {
	const { graph } = model;
	const numbers = ({ estimate, sd }: LawWeight): Node => decimalConstant(graph, shortened(estimate, sd));
	const intervals = (each: LawWeight): Node => graph.sym(intervalText(each));
	const records = recordsOf(weights);
	return {
		equations: lawEquations(model, candidates, weights, numbers),
		intervals: equationsOf(model, candidates, weights, intervals, records).map(({ equation, record }) =>
			ofRecord({ record, plain: equationToPlain(equation) }),
		),
		rivals: rivals.slice(0, mostRivals).map((rival) => ({
			words: rival.words,
			equations: lawEquations(model, candidates, rival.weights, numbers),
		})),
		leftOut: [...out]
			.sort((a, b) => leaning(b) - leaning(a))
			.map(({ name, lo, hi }) =>
				hi < Number.POSITIVE_INFINITY
					? `${name} in [${Number(lo.toPrecision(2))}, ${Number(hi.toPrecision(2))}]`
					: `${name} is open: the chosen terms could stand for it`,
			),
	};
}

/** How far the middle of an interval lies from 0, in halves of its length: what the data lean to comes first. */
function leaning({ lo, hi }: { readonly lo: number; readonly hi: number }): number {
	return hi < Number.POSITIVE_INFINITY ? Math.abs(lo + hi) / (hi - lo) : Number.POSITIVE_INFINITY;
}

/** Whose weights there are, where they differ from record to record. */
function recordsOf(weights: readonly LawWeight[]): string[] {
	return [...new Set(weights.flatMap(({ weight }) => weight.record ?? []))];
}

interface OwnEquation {
	readonly equation: Equation;
	/** The record that it is of; undefined where it is the same for all. */
	readonly record?: string;
}

/** Equations, record by record where their weights differ; those that are the same for all come first. */
function equationsOf(
	model: Model,
	candidates: Candidates,
	weights: readonly LawWeight[],
	nodeOf: (each: LawWeight) => Node,
	records: readonly string[],
): OwnEquation[] {
	const without = equationsWith(model, candidates, weights.filter(isShared), nodeOf);
	if (records.length === 0) return without.map((equation) => ({ equation }));
	const own = records.map((record) =>
		equationsWith(
			model,
			candidates,
			weights.filter((each) => isShared(each) || each.weight.record === record),
			nodeOf,
		),
	);
	const isSame = ({ left, right }: Equation, k: number): boolean =>
		without[k].left === left && without[k].right === right;
	return [
		...without.flatMap((equation, k) => (own.every((each) => isSame(each[k], k)) ? [{ equation }] : [])),
		...own.flatMap((each, r) =>
			each.flatMap((equation, k) =>
				own.every((other) => isSame(other[k], k)) ? [] : [{ equation, record: records[r] }],
			),
		),
	];
}

const isShared = ({ weight }: LawWeight): boolean => weight.record === undefined;

/** Equations, and named expressions that hold terms. */
function equationsWith(
	model: Model,
	candidates: Candidates,
	weights: readonly LawWeight[],
	nodeOf: (each: LawWeight) => Node,
): Equation[] {
	const { graph } = model;
	const replace = chosenTerms(model, candidates, weights, nodeOf);
	const span = { start: 0, end: 0 };
	const lets = model.lets.flatMap(({ name, value }): Equation[] => {
		const right = replace(value);
		return right === value ? [] : [{ left: graph.sym(name), right, span }];
	});
	return [
		...lets,
		...model.equations.map(({ left, right }) => ({ left: replace(left), right: replace(right), span })),
	];
}

function lawEquations(
	model: Model,
	candidates: Candidates,
	weights: readonly LawWeight[],
	nodeOf: (each: LawWeight) => Node,
): LawEquation[] {
	return equationsOf(model, candidates, weights, nodeOf, recordsOf(weights)).map(({ equation, record }) => ({
		...(record === undefined ? {} : { record }),
		plain: equationToPlain(equation),
		tex: equationTex(equation),
		mathml: equationMathML(equation),
	}));
}

function intervalText({ estimate, sd, lo, hi }: LawWeight): string {
	if (lo === undefined || hi === undefined) return `[open, near ${shortened(estimate, sd)}]`;
	const end = (value: number): string => (Number.isFinite(value) ? fixed(value, sd) : value > 0 ? "∞" : "-∞");
	return `[${end(lo)}, ${end(hi)}]`;
}

function shortened(value: number, sd: number | undefined): number {
	return Number(fixed(value, sd));
}

/** To a tenth of its error or less; four digits where there is none. */
function fixed(value: number, sd: number | undefined): string {
	if (sd === undefined || !(sd > 0 && Number.isFinite(sd))) return String(Number(value.toPrecision(4)));
	const places = 1 - Math.floor(log(sd) / log(10));
	return places > 15 ? value.toPrecision(15) : value.toFixed(Math.max(places, 0));
}
