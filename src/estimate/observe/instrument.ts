/** What an instrument would show of a value: its errors are drawn as they are declared. */
import { constantValue } from "../../model/constant.ts";
import type { Measure } from "../../model/model.ts";
import type { Stream } from "../../num/random.ts";
import { sampleLaw } from "../law/declared.ts";
import type { SampleLaw } from "../law/law.ts";
import { decayOf } from "./memory.ts";

/** What is remembered of the last error of an output, for each draw: how long, the error over its spread, and when it was. */
export interface Past {
	readonly time: Float64Array;
	readonly error: Float64Array;
	t: number;
}

export class Instrument {
	readonly #law: SampleLaw;
	readonly #digit: number;

	constructor(readonly measure: Measure) {
		this.#law = sampleLaw(measure);
		this.#digit = measure.rounded ? constantValue(measure.rounded) : 0;
	}

	/** `value` as it is compared. Where errors are remembered, all draws b of the time t come one after the other, and `past` moves on with the last. */
	shown(
		random: Stream,
		index: number,
		value: number,
		spread: number,
		past?: Past,
		b = 0,
		t = Number.NaN,
	): number {
		const { kind } = this.measure;
		if (kind === "exact") return value;
		if (kind === "set") return value + spread * (2 * random.uniform(index) - 1);
		const law = this.#law;
		if (law.isCount) return law.draw(random, index, value, spread);
		let error = law.draw(random, index);
		if (past) {
			const { rho, fresh } = Number.isNaN(past.t) ? { rho: 0, fresh: 1 } : decayOf(t - past.t, past.time[b]);
			error = past.error[b] = rho * past.error[b] + fresh * error;
			if (b === past.error.length - 1) past.t = t;
		}
		const shown = law.scale.fromCompared(value + spread * error);
		return this.#digit > 0 ? this.#digit * Math.round(shown / this.#digit) : shown;
	}
}
