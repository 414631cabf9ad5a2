/** A model in one condition, solved to the times of its measurements, or to rest. */
import { InputError } from "../../errors.ts";
import type { Model } from "../../model/model.ts";
import { eventText } from "../../model/print/model.ts";
import type { Ivp } from "../../solve/ivp.ts";
import { solveIvp } from "../../solve/solve-ivp.ts";
import { OdeSystem } from "../../solve/system.ts";

const tolerances = { rtol: 1e-9, atol: 1e-12, maxSteps: 1_000_000 };
/** At rest: nothing changes by more than this share of itself in a unit of time, and nothing has by more than that share while time grew tenfold. */
const RESTING = 1e-9;
const KEPT = 1e-6;
const NOTHING = 1e-14;
/** Powers of ten of the time that it may take. */
const LONGEST = 12;

/** States by time, the infinite one included. */
export function solveCondition(
	model: Model,
	start: Float64Array,
	times: readonly number[],
	name: string,
): Map<number, Float64Array> {
	const found = new Map<number, Float64Array>();
	const finite = times.filter((time) => time < Infinity);
	if (finite.length > 0) {
		const ivp = ivpOf(model);
		const n = start.length;
		const last = finite[finite.length - 1];
		const solution = solveIvp(ivp, Math.min(0, finite[0]), last, start, { ...tolerances, saveAt: finite });
		if (solution.outcome !== "converged") throw new InputError(`condition ${name}`, solution.message);
		finite.forEach((time, k) => {
			found.set(time, solution.x.slice(k * n, (k + 1) * n));
		});
	}
	if (times.some((time) => time === Infinity)) found.set(Infinity, steadyState(model, start, name));
	return found;
}

/** Where a model comes to rest: simulated until nothing changes any more. */
export function steadyState(model: Model, start: Float64Array, name: string): Float64Array {
	const ivp = ivpOf(model);
	const slope = new Float64Array(start.length);
	let x = start;
	let t = 0;
	for (let power = 1; power <= LONGEST; power++) {
		// 10, 100, …: what is slow is given more time.
		const end = Number(`1e${power}`);
		const solution = solveIvp(ivp, t, end, x, { ...tolerances, saveAt: [end] });
		if (solution.outcome !== "converged") throw new InputError(`condition ${name}`, solution.message);
		const before = x;
		x = solution.x;
		t = end;
		ivp.rhs(t, x, slope);
		const isAtRest = x.every((value, i) => {
			const size = Math.abs(value);
			const moved = Math.abs(value - before[i]);
			return Math.abs(slope[i]) <= RESTING * size + NOTHING && moved <= KEPT * size + NOTHING / RESTING;
		});
		if (isAtRest) return x;
	}
	throw new InputError(
		`condition ${name}`,
		`the model does not come to rest by t = 1e${LONGEST}`,
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
