/** Other threads for the search, where the place to compute has some: they follow boxes. Pieces of parts are narrowed in less time than a message takes. */
import type { Crew } from "../../../compute/compute.ts";
import type { Models } from "./models.ts";
import { commonOf, type PassAnswer, type PassItem, passWork } from "./pass-work.ts";
import type { Question } from "./question.ts";
import type { Flight } from "./waiting.ts";

type PassHands = Crew<PassItem, PassAnswer>;

export class Hands {
	readonly #question: Question;
	readonly #models: Models;
	#passes: PassHands | undefined;

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

	dismiss(): void {
		this.#passes?.close();
		this.#passes = undefined;
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
}
