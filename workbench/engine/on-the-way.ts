/**
 * What a run shows before its method has an answer: the figures of its glimpses; and while there is none, the levels of all
 * glimpses so far, as lines.
 */
import type { Figure, Glimpse, Levels, Mark } from "../../src/methods/index.ts";

/** Steps that are remembered; beyond, every other one is. */
const mostSteps = 400;

interface Step {
	readonly step: number;
	readonly values: readonly number[];
}

export class OnTheWay {
	#levels: Levels | undefined;
	#steps: Step[] = [];
	#step = 0;
	#figures: readonly Figure[] = [];

	/** Called after every step. */
	note({ figures, levels }: Glimpse): void {
		this.#step++;
		this.#figures = figures;
		if (!levels) return;
		const { values } = levels;
		const last = this.#steps.at(-1)?.values ?? [];
		const isSame = values.length === last.length && levels.title === this.#levels?.title;
		if (values.length === 0 || (isSame && values.every((value, i) => Object.is(value, last[i])))) return;
		if (!isSame) this.#steps = [];
		this.#levels = levels;
		this.#steps.push({ step: this.#step, values });
		if (this.#steps.length > mostSteps) this.#steps = this.#steps.filter((_, i) => i % 2 === 0);
	}

	get figures(): readonly Figure[] {
		if (this.#figures.length > 0) return this.#figures;
		return this.#levels && this.#steps.length > 1 ? [linesOf(this.#levels, this.#steps)] : [];
	}
}

function linesOf({ name, title, yLabel, values }: Levels, steps: readonly Step[]): Figure {
	const best = values.indexOf(Math.min(...values));
	const line = (at: number): Mark => {
		const seen = steps.filter((each) => Number.isFinite(each.values[at]));
		return {
			type: "line",
			x: seen.map(({ step }) => step),
			y: seen.map((each) => each.values[at]),
			role: at === best ? "model" : "muted",
			...(at === best && values.length > 1 ? { label: "best" } : {}),
		};
	};
	return {
		name,
		title,
		caption: "",
		xLabel: "step",
		yLabel,
		section: "sure",
		// The best is drawn last, above the others.
		marks: [...values.keys()].sort((a, b) => Number(a === best) - Number(b === best)).map(line),
	};
}
