/** Whether a simulation stays where the data are: beyond them a learned function is an extrapolation of its trend. */

import { BoundDynamics } from "./dynamics.ts";
import type { KrigingRecord } from "./records.ts";
import type { KrigingRun } from "./run.ts";
import type { Simulation, SimulationSpec } from "./simulation.ts";
import { withConditions } from "./smoothed-record.ts";

export interface Far {
	/** Share of the instants, and the first of them; NaN where there is none. */
	readonly share: number;
	readonly from: number;
}

/** Far: farther from every observation of a function than observations are from one another. */
export function farFromData(run: KrigingRun, spec: SimulationSpec, { t, x }: Simulation): Far {
	const { dynamics, layout } = run;
	const { n } = dynamics;
	const { design, data } = spec.field;
	const bound = new BoundDynamics(
		dynamics,
		spec.functions,
		withConditions(spec.params, spec.record as KrigingRecord),
		spec.record.signals,
	);
	const own = design.functions.map((_, fn) => data.sites.filter(({ of }) => of === fn).map((site) => site.x));
	const gap = own.map((points) => {
		const nearest = points.map((a, i) =>
			points.reduce(
				(least, b, j) => (i === j ? least : Math.min(least, distance(a, b))),
				Number.POSITIVE_INFINITY,
			),
		);
		return Math.max(3 * Math.max(...nearest), 0.5);
	});
	let far = 0;
	let from = Number.NaN;
	const every = Math.max(1, Math.floor(t.length / 300));
	let seen = 0;
	for (let i = 0; i < t.length; i += every) {
		bound.argsAt(t[i], x.subarray(i * n, (i + 1) * n));
		const isFar = layout.calls.some(({ fn, node, start }) => {
			const { centre, scale } = design.functions[fn];
			const site = Float64Array.from(node.args, (_, a) => (bound.args[start + a] - centre[a]) / scale[a]);
			return !own[fn].some((point) => distance(point, site) <= gap[fn]);
		});
		seen++;
		if (!isFar) continue;
		if (far === 0) from = t[i];
		far++;
	}
	return { share: far / Math.max(seen, 1), from };
}

function distance(a: Float64Array, b: Float64Array): number {
	let sum = 0;
	for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) ** 2;
	return Math.sqrt(sum);
}
