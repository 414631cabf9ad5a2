/** The model at each integration that was asked for, planned once. */
import type { Estimation, Integration } from "../../estimate/forward/estimation.ts";
import type { Forward } from "../../estimate/forward/forward.ts";
import { forwardOf } from "../../estimate/forward/forward-of.ts";
import { upTo } from "../../estimate/forward/horizon.ts";

export class Forwards {
	readonly #planned = new Map<string, Forward>();
	readonly #parts = new Map<number, Estimation>();

	constructor(readonly estimation: Estimation) {}

	/** The problem with this share of each record. */
	part(share: number): Estimation {
		const part = this.#parts.get(share) ?? upTo(this.estimation, share);
		this.#parts.set(share, part);
		return part;
	}

	at(integration: Integration, share = 1): Forward {
		const key = JSON.stringify([integration, share]);
		const forward = this.#planned.get(key) ?? forwardOf(this.part(share), integration);
		this.#planned.set(key, forward);
		return forward;
	}

	/** Of all simulations so far. */
	get operations(): number {
		return [...this.#planned.values()].reduce((sum, { operations }) => sum + operations, 0);
	}
}
