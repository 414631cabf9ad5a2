/** Whether a simulation stays where the data are: beyond them a learned function is an extrapolation. */
import { DataDistance } from "./data-distance.ts";
import { BoundDynamics } from "./dynamics.ts";
import type { KrigingRecord } from "./records.ts";
import { type Simulation, type SimulationSpec, sitesOf } from "./simulation.ts";
import { withConditions } from "./smoothed-record.ts";

export interface Far {
	/** Share of the instants, and the first of them; NaN where there is none. */
	readonly share: number;
	readonly from: number;
}

export function farFromData(spec: SimulationSpec, { t, x }: Simulation): Far {
	const { dynamics, field, functions, params, record } = spec;
	const { n } = dynamics;
	const p = withConditions(params, record as KrigingRecord);
	const bound = new BoundDynamics(dynamics, functions, p, record.signals);
	const distance = new DataDistance(field);
	let far = 0;
	let from = Number.NaN;
	const every = Math.max(1, Math.floor(t.length / 300));
	let seen = 0;
	for (let i = 0; i < t.length; i += every) {
		bound.argsAt(t[i], x.subarray(i * n, (i + 1) * n));
		seen++;
		if (!sitesOf(spec, bound.args).some((site) => distance.of(site) > 1)) continue;
		if (far === 0) from = t[i];
		far++;
	}
	return { share: far / Math.max(seen, 1), from };
}
