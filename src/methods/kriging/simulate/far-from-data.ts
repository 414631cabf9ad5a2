/** Whether a simulation stays where the data are: beyond them a learned function is an extrapolation. */
import { BoundDynamics } from "../dynamics.ts";
import type { KrigingRecord } from "../records.ts";
import { withConditions } from "../time/smoothed-record.ts";
import { sitesOf } from "./path-error.ts";
import type { Simulation, SimulationSpec } from "./simulation.ts";

/** Instants of a simulation beyond some leverage. */
export interface Visits {
	/** Share of the instants, and the first of them; NaN where there is none. */
	readonly share: number;
	readonly from: number;
	/** Share of those beyond all samples that were learned from. */
	readonly ahead: number;
}

export interface Far {
	/** Outside the hull of the data, where the error of an open trend begins to count. */
	readonly outside: Visits;
	/** Where it is all that counts. */
	readonly far: Visits;
}

/** Leverage from which on all of the error is what extrapolation leaves open. */
export const far = 2;

/** `seenUntil`: up to then the record itself was learned from. */
export function farFromData(spec: SimulationSpec, { t, x }: Simulation, seenUntil: number): Far {
	const { dynamics, error, functions, params, record } = spec;
	const { n } = dynamics;
	const p = withConditions(params, record as KrigingRecord);
	const bound = new BoundDynamics(dynamics, functions, p, record.signals);
	const every = Math.max(1, Math.floor(t.length / 300));
	const instants: { t: number; leverage: number }[] = [];
	for (let i = 0; i < t.length; i += every) {
		bound.argsAt(t[i], x.subarray(i * n, (i + 1) * n));
		const leverages = sitesOf(spec, bound.args).map((site) => error.hull.leverage(site));
		instants.push({ t: t[i], leverage: Math.max(...leverages) });
	}
	const ahead = instants.filter((each) => each.t > seenUntil);
	const visits = (limit: number): Visits => {
		const beyond = instants.filter(({ leverage }) => leverage > limit);
		return {
			share: beyond.length / Math.max(instants.length, 1),
			from: beyond[0]?.t ?? Number.NaN,
			ahead: ahead.filter(({ leverage }) => leverage > limit).length / Math.max(ahead.length, 1),
		};
	};
	return { outside: visits(1), far: visits(far) };
}
