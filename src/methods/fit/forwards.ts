/** The model at each integration that was asked for, planned once. */
import type { Estimation, Integration } from "../../estimate/forward/estimation.ts";
import type { Forward } from "../../estimate/forward/forward.ts";
import { forwardOf } from "../../estimate/forward/forward-of.ts";

export class Forwards {
	readonly #planned = new Map<string, Forward>();

	constructor(readonly estimation: Estimation) {}

	at(integration: Integration): Forward {
		const key = JSON.stringify(integration);
		const forward = this.#planned.get(key) ?? forwardOf(this.estimation, integration);
		this.#planned.set(key, forward);
		return forward;
	}

	/** Of all simulations so far. */
	get operations(): number {
		return [...this.#planned.values()].reduce((sum, { operations }) => sum + operations, 0);
	}
}
