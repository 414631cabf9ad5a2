/**
 * The least box around what is left of all parts, by best-first search on their output polynomials: what stands out the furthest is contracted by all data together, cut in two, or
 * emptied, one end of one unknown after another. No integration is needed, and a paving of all of the boundary neither: its boxes grow with the power of the unknowns, the ends do not.
 */
import type { Constraint, ConstraintReader } from "../constraint/constraint.ts";
import { contractBox } from "../constraint/contract.ts";
import { contractRelaxed, dataOf } from "../constraint/contract-relaxed.ts";
import type { Effort } from "../flow/effort.ts";
import type { Part } from "../part.ts";
import { hullOf } from "./sivia.ts";

/** Some of a part. */
interface Piece {
	readonly part: number;
	readonly box: Float64Array;
}

/** A piece to be cut in two, for an end of one unknown. */
export interface Cut extends Piece {
	readonly unknown: number;
}

/** What the data leave of each half of a piece; nothing where it is empty. */
export type Halves = readonly (Float64Array | undefined)[];

/** An end is known when the piece that sets it is not longer than this share of the hull. */
const fine = 0.02;
/** Pieces that are cut at once for an end: those that stand out the most have to be, all of them, before it is known. */
const perEnd = 24;

type Reader = (constraint: Constraint) => ConstraintReader;

export function cutPiece(
	reader: Reader,
	constraints: readonly Constraint[],
	{ box, unknown }: Cut,
	outliers: number,
): Halves {
	return halvesOf(reader, constraints, box, unknown).map((half) =>
		contractPiece(reader, constraints, half, outliers) ? half : undefined,
	);
}

/** Narrows a piece; whether anything is left of it. */
function contractPiece(
	reader: Reader,
	constraints: readonly Constraint[],
	box: Float64Array,
	outliers: number,
): boolean {
	if (outliers > 0) return contractRelaxed(reader, dataOf(constraints), box, outliers, fine) !== undefined;
	return !contractBox(reader, constraints, box, { kind: "together", precision: fine });
}

/** Cut across the unknown that the data depend on most beside their bars, or that whose end is looked for. */
function halvesOf(
	reader: Reader,
	constraints: readonly Constraint[],
	box: Float64Array,
	own: number,
): Float64Array[] {
	const score = new Float64Array(box.length / 2);
	for (const constraint of constraints) reader(constraint).addSmear(constraint, box, score);
	const ownSize = score[own];
	let side = own;
	// The unknown itself first where it is nearly as important: a cut across it moves the end at once.
	for (let k = 0; k < score.length; k++) if (score[k] > 2 * ownSize && score[k] > score[side]) side = k;
	const cut = box[2 * side] / 2 + box[2 * side + 1] / 2;
	if (!(box[2 * side] < cut && cut < box[2 * side + 1])) return [box.slice()];
	const lower = box.slice();
	const upper = box.slice();
	lower[2 * side + 1] = cut;
	upper[2 * side] = cut;
	return [lower, upper];
}

export class HullSearch {
	readonly #reader: Reader;
	readonly #parts: readonly Part[];
	readonly #effort: Effort;
	readonly #most: number;
	#pieces: Piece[];
	/** Pieces that are being cut. */
	readonly #taken = new Set<Piece>();
	#tried = 0;
	/** The ends that are known: lower and upper of each unknown. */
	readonly #known: boolean[];

	constructor(
		reader: Reader,
		parts: readonly Part[],
		most: number,
		effort: Effort,
		/** Data that may be beyond their bars, at most. */
		readonly outliers: number,
	) {
		this.#reader = reader;
		this.#parts = parts;
		this.#most = most;
		this.#effort = effort;
		this.#pieces = parts.map(({ box }, part) => ({ part, box }));
		this.#known = parts.length > 0 ? Array.from(parts[0].box, () => false) : [];
	}

	get done(): boolean {
		return (
			this.#tried >= this.#most ||
			this.#effort.isSpent ||
			this.#pieces.length === 0 ||
			this.#known.every((known) => known)
		);
	}

	/** What is left of each part, as one box; undefined where nothing is. */
	get boxes(): readonly (Float64Array | undefined)[] {
		return this.#parts.map((_, i) =>
			hullOf(this.#pieces.filter(({ part }) => part === i).map(({ box }) => box)),
		);
	}

	/** Some rounds of work on all ends. */
	advance(rounds: number): void {
		for (let i = 0; i < rounds && !this.done; i++) {
			const cuts = this.#cuts();
			this.#settle(
				cuts,
				cuts.map((cut) => cutPiece(this.#reader, this.#parts[cut.part].constraints, cut, this.outliers)),
			);
		}
	}

	/** One round, whose pieces are cut elsewhere: the same pieces, whoever does it. */
	async advanceBy(cutAll: (cuts: readonly Cut[]) => Promise<readonly Halves[]>): Promise<void> {
		const cuts = this.#cuts();
		this.#settle(cuts, await cutAll(cuts));
	}

	/** The pieces that stand out the most at each end that is not known yet. */
	#cuts(): Cut[] {
		const cuts: Cut[] = [];
		const whole = hullOf(this.#pieces.map(({ box }) => box))!;
		this.#taken.clear();
		for (let end = 0; end < this.#known.length; end++) {
			if (this.#known[end]) continue;
			const unknown = end >> 1;
			const isShort = ({ part, box }: Piece): boolean =>
				// Of what was not followed nothing is known that could narrow it.
				this.#parts[part].constraints.length === 0 ||
				!(box[2 * unknown + 1] - box[2 * unknown] > fine * (whole[2 * unknown + 1] - whole[2 * unknown]));
			const order = this.#outermost(end);
			// What is inside a short one does not set the end before it.
			const short = order.findIndex(isShort);
			if (short === 0) this.#known[end] = true;
			for (const piece of short < 0 ? order : order.slice(0, short)) {
				// Cut already, for another end.
				if (this.#taken.has(piece) || this.#tried >= this.#most) continue;
				this.#tried++;
				this.#taken.add(piece);
				cuts.push({ ...piece, unknown });
			}
		}
		return cuts;
	}

	/** Pieces by how far they stand out at an end, the furthest first. */
	#outermost(end: number): Piece[] {
		const sign = end % 2 === 1 ? 1 : -1;
		const order: Piece[] = [];
		for (const piece of this.#pieces) {
			const reach = sign * piece.box[end];
			if (order.length === perEnd && !(reach > sign * order[perEnd - 1].box[end])) continue;
			let at = order.length;
			while (at > 0 && reach > sign * order[at - 1].box[end]) at--;
			order.splice(at, 0, piece);
			order.length = Math.min(order.length, perEnd);
		}
		return order;
	}

	#settle(cuts: readonly Cut[], left: readonly Halves[]): void {
		this.#pieces = this.#pieces.filter((piece) => !this.#taken.has(piece));
		for (const [i, { part }] of cuts.entries())
			for (const box of left[i]) {
				for (const { coefficients } of this.#parts[part].constraints)
					this.#effort.spend(100 + 20 * coefficients.length);
				if (box) this.#pieces.push({ part, box });
			}
	}
}
