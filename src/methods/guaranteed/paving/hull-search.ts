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

/** An end is known when the piece that sets it is not longer than this share of the hull. */
const fine = 0.02;

/** Narrows a piece; whether anything is left of it. */
function contractPiece(
	reader: (constraint: Constraint) => ConstraintReader,
	constraints: readonly Constraint[],
	box: Float64Array,
	outliers: number,
): boolean {
	if (outliers > 0) return contractRelaxed(reader, dataOf(constraints), box, outliers, fine) !== undefined;
	return !contractBox(reader, constraints, box, { kind: "together", precision: fine });
}

export class HullSearch {
	readonly #reader: (constraint: Constraint) => ConstraintReader;
	readonly #parts: readonly Part[];
	readonly #effort: Effort;
	readonly #most: number;
	#pieces: Piece[];
	/** Pieces whose halves are being narrowed. */
	readonly #taken = new Set<Piece>();
	#tried = 0;
	/** The ends that are known: lower and upper of each unknown. */
	readonly #known: boolean[];

	constructor(
		reader: (constraint: Constraint) => ConstraintReader,
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
		for (let i = 0; i < rounds && !this.done; i++)
			this.#settle(
				this.#batch().map(({ part, box }) => {
					const isLeft = contractPiece(this.#reader, this.#parts[part].constraints, box, this.outliers);
					return isLeft ? { part, box } : undefined;
				}),
			);
	}

	/** The halves of the pieces that stand out at each end that is not known yet. */
	#batch(): Piece[] {
		const halves: Piece[] = [];
		const whole = hullOf(this.#pieces.map(({ box }) => box))!;
		this.#taken.clear();
		for (let end = 0; end < this.#known.length && this.#tried < this.#most; end++) {
			if (this.#known[end]) continue;
			this.#tried++;
			halves.push(...this.#one(end, whole));
		}
		return halves;
	}

	#settle(left: readonly (Piece | undefined)[]): void {
		this.#pieces = this.#pieces.filter((piece) => !this.#taken.has(piece));
		for (const piece of left) if (piece) this.#pieces.push(piece);
	}

	#one(end: number, whole: Float64Array): Piece[] {
		const k = end >> 1;
		const isUpper = end % 2 === 1;
		let piece = this.#pieces[0];
		for (const other of this.#pieces)
			if (isUpper ? other.box[end] > piece.box[end] : other.box[end] < piece.box[end]) piece = other;
		// What stands out here is cut already, for another end.
		if (this.#taken.has(piece)) return [];
		const { part, box } = piece;
		// Of what was not followed nothing is known that could narrow it.
		const isUnseen = this.#parts[part].constraints.length === 0;
		if (isUnseen || !(box[2 * k + 1] - box[2 * k] > fine * (whole[2 * k + 1] - whole[2 * k]))) {
			this.#known[end] = true;
			return [];
		}
		this.#taken.add(piece);
		const { constraints } = this.#parts[part];
		return this.#halves(box, constraints, k).map((half) => {
			for (const { coefficients } of constraints) this.#effort.spend(200 + 60 * coefficients.length);
			return { part, box: half };
		});
	}

	/** Cut across the unknown that the data depend on most beside their bars, or that whose end is looked for. */
	#halves(box: Float64Array, constraints: readonly Constraint[], own: number): Float64Array[] {
		const score = new Float64Array(box.length / 2);
		for (const constraint of constraints) this.#reader(constraint).addSmear(constraint, box, score);
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
}
