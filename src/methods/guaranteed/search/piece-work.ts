/** Pieces of parts, cut and narrowed by the data of their part, anywhere: the parts are told once. */
import { monomials } from "../../../interval/taylor/monomials.ts";
import { type Constraint, ConstraintReader } from "../constraint/constraint.ts";
import { type Frame, type PackedConstraints, packed, unpacked } from "../constraint/packed.ts";
import type { Part } from "../part.ts";
import { type Cut, cutPiece, type Halves } from "../paving/hull-search.ts";

/** Where the threads of a crew find this. */
export const pieceWork = "methods/guaranteed/search/piece-work";

export interface PieceCommon {
	readonly order: number;
	readonly outliers: number;
	/** Unknowns of each experiment. */
	readonly variables: readonly Int32Array[];
	readonly parts: readonly PackedConstraints[];
}

/** Pieces to be cut, and how many were taken so far, a number that all hands share: each takes the next one when it has done one. */
export interface Round {
	readonly cuts: readonly Cut[];
	readonly next: Int32Array;
}

/** What a hand has done of a round: positions of pieces, and what is left of them. */
export type Taken = readonly (readonly [number, Halves])[];

export function newRound(cuts: readonly Cut[]): Round {
	return { cuts, next: new Int32Array(new SharedArrayBuffer(4)) };
}

/** Takes pieces of a round until none is left. */
export function taken({ cuts, next }: Round, cut: (i: number) => Halves): Taken {
	const own: [number, Halves][] = [];
	for (;;) {
		const i = Atomics.add(next, 0, 1);
		if (i >= cuts.length) return own;
		own.push([i, cut(i)]);
	}
}

export function pieceCommon(
	parts: readonly Part[],
	frames: readonly Frame[],
	rest: Pick<PieceCommon, "order" | "outliers">,
): PieceCommon {
	return {
		...rest,
		variables: frames.map(({ variables }) => variables),
		parts: parts.map(({ constraints }) => packed(constraints)),
	};
}

export function begin({ order, outliers, variables, parts }: PieceCommon): (round: Round) => Taken {
	const frames = variables.map((own) => ({ variables: own, table: monomials(own.length, order) }));
	const readers = frames.map(({ table }) => new ConstraintReader(table));
	const reader = ({ experiment }: Constraint): ConstraintReader => readers[experiment];
	const constraints = parts.map((part) => unpacked(part, frames));
	return (round) =>
		taken(round, (i) => cutPiece(reader, constraints[round.cuts[i].part], round.cuts[i], outliers));
}
