/**
 * When the set of consistent values became empty. A box that was narrowed by all data and dies of an early datum says nothing of that
 * time; so records that end earlier are tried, by bisection, for the earliest end that is refuted already.
 */
import type { Experiment } from "../../data/experiment.ts";
import type { Problem } from "../problem.ts";
import type { ExperimentFlow } from "./flow/experiment-flow.ts";
import type { Death } from "./pass.ts";

/** A search that goes on in small pieces; whether anything is left shows when it is done. */
interface Search {
	readonly done: boolean;
	readonly enclosure: Float64Array | undefined;
	readonly deaths: readonly Death[];
	step(): void;
}

interface End {
	readonly experiment: number;
	readonly t: number;
	readonly outputs: readonly string[];
}

export class EmptySearch {
	readonly #ends: readonly End[];
	/** The end at `#hi` is refuted; those before `#lo` are not. */
	#lo = 0;
	#hi: number;
	#search: Search | undefined;
	#found: Death;

	constructor(
		readonly problem: Problem,
		readonly make: (problem: Problem) => Search,
		flows: readonly ExperimentFlow[],
	) {
		this.#ends = flows.flatMap(({ instants, index, system }) =>
			instants.map(({ t, data }) => ({
				experiment: index,
				t,
				outputs: data.map(({ measure }) => system.model.measures[measure].name),
			})),
		);
		this.#hi = this.#ends.length - 1;
		this.#found = this.#death([]);
	}

	get done(): boolean {
		return this.#lo >= this.#hi;
	}

	/** The instant, and the output that emptied the set. */
	get found(): Death {
		return this.#found;
	}

	advance(): void {
		if (this.done) return;
		const middle = (this.#lo + this.#hi) >> 1;
		this.#search ??= this.make(upTo(this.problem, this.#ends[middle]));
		if (!this.#search.done) {
			this.#search.step();
			return;
		}
		const { enclosure, deaths } = this.#search;
		this.#search = undefined;
		if (enclosure) this.#lo = middle + 1;
		else {
			this.#hi = middle;
			this.#found = this.#death(deaths);
		}
	}

	#death(deaths: readonly Death[]): Death {
		const { experiment, t, outputs } = this.#ends[this.#hi];
		const own = deaths.findLast((each) => each.experiment === experiment && each.t === t);
		return { experiment, t, output: own?.output ?? outputs.join(" and ") };
	}
}

/** The problem with the data up to an instant: of the records before, and of its own up to it. */
function upTo(problem: Problem, { experiment, t }: End): Problem {
	const train = problem.train.slice(0, experiment + 1).map((each, e): Experiment => {
		if (e < experiment) return each;
		const outputs = new Map(
			[...each.outputs].map(([name, series]) => {
				const count = series.times.filter((time) => time <= t).length;
				return [
					name,
					{
						...series,
						times: series.times.slice(0, count),
						values: series.values.slice(0, count),
						rows: series.rows.slice(0, count),
					},
				];
			}),
		);
		return { ...each, outputs };
	});
	return { ...problem, train };
}
