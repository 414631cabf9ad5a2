/** Pieces of parts, cut and narrowed by the data of their part, anywhere: the parts are told once. */
import { monomials } from "../../../interval/monomials.ts";
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

export function begin({
	order,
	outliers,
	variables,
	parts,
}: PieceCommon): (cuts: readonly Cut[]) => Halves[] {
	const frames = variables.map((own) => ({ variables: own, table: monomials(own.length, order) }));
	const readers = frames.map(({ table }) => new ConstraintReader(table));
	const reader = ({ experiment }: Constraint): ConstraintReader => readers[experiment];
	const constraints = parts.map((part) => unpacked(part, frames));
	return (cuts) => cuts.map((cut) => cutPiece(reader, constraints[cut.part], cut, outliers));
}
