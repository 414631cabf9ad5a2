/** A model in one condition, solved to the times of its measurements, or to rest. */
import { InputError } from "../../errors.ts";
import type { Model } from "../../model/model.ts";
import { eventText } from "../../model/print/model.ts";
import type { Ivp } from "../../solve/ivp.ts";
import { longest, restOf } from "../../solve/rest/rest.ts";
import { solveIvp } from "../../solve/solve-ivp.ts";
import { OdeSystem } from "../../solve/system.ts";

const tolerances = { rtol: 1e-9, atol: 1e-12, maxSteps: 1_000_000 };
/** States by time, the infinite one included. `ends`: nothing may wait for its time after the last of them. */
export function solveCondition(
	model: Model,
	from: number,
	start: Float64Array,
	times: readonly number[],
	name: string,
	ends = false,
): Map<number, Float64Array> {
	const found = new Map<number, Float64Array>();
	const finite = times.filter((time) => time < Infinity);
	if (finite.length > 0) {
		const ivp = ivpOf(model);
		const n = start.length;
		const last = finite[finite.length - 1];
		const solution = solveIvp(ivp, from, last, start, { ...tolerances, saveAt: finite });
		if (solution.outcome !== "converged") throw new InputError(name, solution.message);
		if (ends && ivp.switching && ivp.switching.next < Infinity)
			throw new InputError(
				name,
				`an event still waits for its delay when a period ends at t = ${last}`,
				"Let the period end before its trigger or after its delay.",
			);
		finite.forEach((time, k) => {
			found.set(time, solution.x.slice(k * n, (k + 1) * n));
		});
	}
	if (times.some((time) => time === Infinity)) found.set(Infinity, steadyState(model, start, name, from));
	return found;
}

/** Where a model comes to rest. */
export function steadyState(model: Model, start: Float64Array, name: string, from = 0): Float64Array {
	const rest = restOf(ivpOf(model), from, start, tolerances);
	if (rest.outcome === "rest") return rest.x;
	if (rest.message !== undefined) throw new InputError(name, rest.message);
	throw new InputError(
		name,
		`the model does not come to rest by t = 1e${longest}`,
		"A steady state is asked for, before the measurements or at time inf: check the condition.",
	);
}

function ivpOf({ graph, components, rhs, events }: Model): Ivp {
	const system = new OdeSystem({
		graph,
		states: components,
		rhs,
		params: [],
		events: events.map((event) => ({ ...event, label: eventText(event) })),
	});
	return system.ivp([]);
}
