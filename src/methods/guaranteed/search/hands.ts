/** Other threads for the search, where the place to compute has some: they follow boxes, and cut pieces of parts. */
import type { Crew } from "../../../compute/compute.ts";
import type { Part } from "../part.ts";
import { cutPiece, type Halves, type HullSearch } from "../paving/hull-search.ts";
import type { Models } from "./models.ts";
import { commonOf, type PassAnswer, type PassItem, passWork } from "./pass-work.ts";
import { newRound, pieceCommon, pieceWork, type Round, type Taken, taken } from "./piece-work.ts";
import type { Question } from "./question.ts";
import type { Flight } from "./waiting.ts";

type PassHands = Crew<PassItem, PassAnswer>;
type PieceHands = Crew<Round, Taken>;

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

	/** A round of the search for the ends, by several hands, of which this is one: a round takes milliseconds, and others may be slow to begin. */
	async narrowed(
		hands: PieceHands,
		hull: HullSearch,
		parts: readonly Part[],
		outliers: number,
	): Promise<void> {
		const { reader } = this.#models;
		await hull.advanceBy(async (cuts) => {
			const round = newRound(cuts);
			const others = Array.from({ length: Math.min(hands.size, cuts.length) - 1 }, () =>
				hands.do(round).catch(() => []),
			);
			const cut = (i: number): Halves => cutPiece(reader, parts[cuts[i].part].constraints, cuts[i], outliers);
			const done = new Map(taken(round, cut));
			for (const each of await Promise.all(others)) for (const [i, halves] of each) done.set(i, halves);
			// What a hand took that did not come back is cut here.
			return cuts.map((_, i) => done.get(i) ?? cut(i));
		});
	}
}
