/** Other threads for the search, where the place to compute has some: they follow boxes, and cut pieces of parts. */
import type { Crew } from "../../../compute/compute.ts";
import type { Part } from "../part.ts";
import { type Cut, cutPiece, type Halves, type HullSearch } from "../paving/hull-search.ts";
import type { Models } from "./models.ts";
import { commonOf, type PassAnswer, type PassItem, passWork } from "./pass-work.ts";
import { pieceCommon, pieceWork } from "./piece-work.ts";
import type { Question } from "./question.ts";
import type { Flight } from "./waiting.ts";

type PassHands = Crew<PassItem, PassAnswer>;
type PieceHands = Crew<readonly Cut[], Halves[]>;

export class Hands {
	readonly #question: Question;
	readonly #models: Models;
	#passes: PassHands | undefined;
	#pieces: PieceHands | "none" | undefined;

	constructor(question: Question, models: Models) {
		this.#question = question;
		this.#models = models;
	}

	get forPasses(): PassHands | undefined {
		const { problem, options, isFree } = this.#question;
		const { effort, timeOrder, tolerance, correction } = options;
		if (this.#passes || !problem.compute.crew) return this.#passes;
		const common = commonOf(problem, { effort, timeOrder, tolerance, correction, isFree });
		if (common) this.#passes = problem.compute.crew(passWork, common);
		return this.#passes;
	}

	forPieces(parts: readonly Part[], outliers: number): PieceHands | undefined {
		const { order, flows } = this.#models;
		const { compute } = this.#question.problem;
		// Asked for once: what all of them have to be told takes some time to put together.
		if (this.#pieces === undefined)
			this.#pieces = compute.crew?.(pieceWork, pieceCommon(parts, flows, { order, outliers })) ?? "none";
		return this.#pieces === "none" ? undefined : this.#pieces;
	}

	/** Parts are others now. */
	release(): void {
		if (this.#pieces !== "none") this.#pieces?.close();
		this.#pieces = undefined;
	}

	dismiss(): void {
		this.#passes?.close();
		this.#passes = undefined;
		this.release();
	}

	/** A pass that another hand does; undefined where it cannot. */
	async followed(
		hands: PassHands,
		{ from, endsBlind, spent }: Flight,
		outliers: number,
	): Promise<PassAnswer | undefined> {
		try {
			return await hands.do({ box: from.box, order: this.#models.order, endsBlind, outliers, spent });
		} catch {
			return undefined;
		}
	}

	/** A round of the search for the ends, by several hands; here, where they cannot. */
	async narrowed(
		hands: PieceHands,
		hull: HullSearch,
		parts: readonly Part[],
		outliers: number,
	): Promise<void> {
		const { reader } = this.#models;
		const some = async (cuts: readonly Cut[]): Promise<Halves[]> => {
			try {
				return await hands.do(cuts);
			} catch {
				return cuts.map((cut) => cutPiece(reader, parts[cut.part].constraints, cut, outliers));
			}
		};
		// Pieces are small: a message each would cost more. What one hand is slow with, others make up for.
		await hull.advanceBy(async (cuts) => {
			const each = Math.max(1, Math.ceil(cuts.length / (2 * hands.size)));
			const shares = Array.from({ length: Math.ceil(cuts.length / each) }, (_, i) =>
				some(cuts.slice(i * each, (i + 1) * each)),
			);
			return (await Promise.all(shares)).flat();
		});
	}
}
