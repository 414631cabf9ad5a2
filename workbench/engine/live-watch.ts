/**
 * The answer so far, now and then, while a method runs: its own `result`, asked for in the middle. That changes nothing of
 * what it does, and may cost a tenth of the time at most.
 */
import type { Figure, Method, Result } from "../../src/methods/index.ts";
import { standardFigures } from "../../src/report/index.ts";
import type { FromEngine } from "../contract.ts";

const firstAfter = 200;
const least = 250;
const share = 10;
/** Figures are for looking at in passing: the largest few. */
const mostFigures = 12;

/** Longest prediction that is shown on the way. */
const mostSamples = 50_000;

/** Measured and predicted, and what is left, of the first record: a fit that closes in. */
function predictionFigures({ predictions }: Result): readonly Figure[] {
	const [first] = predictions;
	if (!first || !(first.t.length <= mostSamples)) return [];
	return standardFigures([first])[0].figures.filter(({ small }) => !small);
}

export class LiveWatch {
	/** The method, with its state in view. */
	readonly method: Method;
	#state: unknown;
	#next: number;

	constructor(
		private readonly watched: Method,
		private readonly send: (event: FromEngine) => void,
	) {
		this.#next = performance.now() + firstAfter;
		this.method = {
			...watched,
			prepare: async (problem, options) => {
				this.#state = await watched.prepare(problem, options);
				return this.#state;
			},
		};
	}

	async look(): Promise<void> {
		if (this.#state === undefined || performance.now() < this.#next) return;
		const start = performance.now();
		let result: Result;
		try {
			result = await this.watched.result(this.#state);
		} catch {
			// Nothing to be seen at this stage; it is tried again, but not too often.
			this.#next = performance.now() + Math.max(1000, share * (performance.now() - start));
			return;
		}
		const { intervalName, figures } = result;
		// How sure that is shall be said at the end only.
		const parameters = result.parameters.map(({ verdict: _, ...row }) => row);
		const shown = [...predictionFigures(result), ...figures].slice(0, mostFigures);
		this.send({
			event: "live",
			live: { parameters, intervalName, figures: shown },
		});
		this.#next = performance.now() + Math.max(least, share * (performance.now() - start));
	}
}
