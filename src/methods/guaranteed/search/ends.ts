/** The ends of what is left of many unknowns, before its paving. */
import type { Part } from "../part.ts";
import type { Death } from "../pass.ts";
import { HullSearch } from "../paving/hull-search.ts";
import type { BoxSearch } from "./box-search.ts";

export class Ends {
	#hull: HullSearch | undefined;

	constructor(
		readonly search: BoxSearch,
		/** Whether they are known, or nobody looks for them. */
		public areKnown: boolean,
	) {}

	/** Some work by other hands; false where there are none, or nothing to do for them. */
	async stepTogether(): Promise<boolean> {
		const hands = this.#hull && !this.#hull.done && this.#hands;
		if (!hands) return false;
		const { search } = this;
		await search.hands.narrowed(hands, this.#hull!, search.parts, search.outliers);
		return true;
	}

	get #hands() {
		return this.search.hands.forPieces(this.search.parts, this.search.outliers);
	}

	/** Some work; whether they are known. */
	step(): boolean {
		if (this.areKnown) return true;
		const { question, models, parts, deaths, outliers } = this.search;
		this.#hull ??= new HullSearch(models.reader, parts, question.options.boxes, question.effort, outliers);
		// Several hands do it where there are some.
		if (!this.#hands) this.#hull.advance(1);
		if (!this.#hull.done) return false;
		const { boxes } = this.#hull;
		for (const [i, part] of parts.splice(0).entries()) {
			const box = boxes[i];
			if (box) parts.push({ ...part, box });
			else deaths.push({ ...lastOf(part), later: true });
		}
		this.#hull = undefined;
		this.areKnown = true;
		this.search.settledEffort = question.effort.spent;
		return true;
	}
}

/** The last datum that a part was held against. */
function lastOf({ constraints }: Part): Death {
	const { t, output, experiment } = constraints[constraints.length - 1];
	return { t, output, experiment };
}
