/** Whether a simulation stays where the data are: beyond them a learned function is an extrapolation. */
import { BoundDynamics } from "./dynamics.ts";
import type { KrigingRecord } from "./records.ts";
import { type Simulation, type SimulationSpec, sitesOf } from "./simulation.ts";
import { withConditions } from "./smoothed-record.ts";

export interface Far {
	/** Share of the instants, and the first of them; NaN where there is none. */
	readonly share: number;
	readonly from: number;
	/** Share of those beyond all samples that were learned from. */
	readonly ahead: number;
}

/** Leverage from which on all of the error is what extrapolation leaves open. */
export const far = 2;

/** `seenUntil`: up to then the record itself was learned from. */
export function farFromData(spec: SimulationSpec, { t, x }: Simulation, seenUntil: number): Far {
	const { dynamics, error, functions, params, record } = spec;
	const { n } = dynamics;
	const p = withConditions(params, record as KrigingRecord);
	const bound = new BoundDynamics(dynamics, functions, p, record.signals);
	let count = 0;
	let from = Number.NaN;
	const every = Math.max(1, Math.floor(t.length / 300));
	let seen = 0;
	const ahead = { seen: 0, count: 0 };
	for (let i = 0; i < t.length; i += every) {
		bound.argsAt(t[i], x.subarray(i * n, (i + 1) * n));
		seen++;
		if (t[i] > seenUntil) ahead.seen++;
		if (!sitesOf(spec, bound.args).some((site) => error.hull.leverage(site) > far)) continue;
		if (count === 0) from = t[i];
		count++;
		if (t[i] > seenUntil) ahead.count++;
	}
	return { share: count / Math.max(seen, 1), from, ahead: ahead.count / Math.max(ahead.seen, 1) };
}
