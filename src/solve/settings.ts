/**
 * The options of a solve, checked and with their defaults.
 */
import { InputError } from "../errors.ts";
import type { Ivp, MethodName, SolveOptions } from "./ivp.ts";

export interface Settings {
	readonly rtol: number;
	/** One for each component. */
	readonly atol: Float64Array;
	readonly method: MethodName | "auto";
	readonly maxSteps: number;
	readonly firstStep: number | undefined;
	readonly maxStep: number;
	/** Ends of the smooth pieces, from the first knot after t0 to t1. */
	readonly pieceEnds: Float64Array;
	readonly saveAt: Float64Array | undefined;
	readonly dense: boolean;
	/** 1 forwards, -1 backwards. */
	readonly direction: number;
}

const METHODS = ["auto", "tsit5", "dop853", "rodas5p", "rodas6p", "radau9"];

export function checkedSettings(
	ivp: Ivp,
	t0: number,
	t1: number,
	x0: Float64Array,
	options: SolveOptions,
): Settings {
	const { rtol = 1e-6, atol = 1e-9, method = "auto", maxStep = Infinity, firstStep, dense = false } = options;
	finite("t0", t0);
	finite("t1", t1);
	if (x0.length !== ivp.n)
		throw new InputError("initial state", `has ${x0.length} values, the problem has ${ivp.n} states`);
	x0.forEach((value, i) => {
		finite(`initial value of ${ivp.names?.[i] ?? `state ${i + 1}`}`, value);
	});
	positive("rtol", rtol);
	if (!(rtol >= 1e-14))
		throw new InputError("rtol", `is ${rtol}`, "Doubles carry 16 digits: take 1e-14 or more.");
	if (!METHODS.includes(method))
		throw new InputError("method", `"${method}" is not known`, `Take one of ${METHODS.join(", ")}.`);
	positive("maxStep", maxStep);
	if (firstStep !== undefined) positive("firstStep", firstStep);
	const direction = t1 >= t0 ? 1 : -1;
	const knots = [...Array.from(options.knots ?? []), ...(ivp.switching?.knots(t0, t1) ?? [])];
	const pieceEnds = endsOfPieces(t0, t1, direction, knots);
	const maxSteps = options.maxSteps ?? 100_000 + 10 * pieceEnds.length;
	positive("maxSteps", maxSteps);
	return {
		rtol,
		atol: tolerances(ivp, atol),
		method,
		maxSteps,
		firstStep,
		maxStep,
		pieceEnds,
		saveAt: options.saveAt && checkedTimes(options.saveAt, t0, t1, direction),
		dense,
		direction,
	};
}

function finite(what: string, value: number): void {
	if (!Number.isFinite(value)) throw new InputError(what, `is ${value}`, "Give a finite number.");
}

function positive(what: string, value: number): void {
	if (!(value > 0)) throw new InputError(what, `is ${value}`, "Give a number above 0.");
}

function tolerances(ivp: Ivp, atol: number | ArrayLike<number>): Float64Array {
	if (typeof atol === "number") {
		positive("atol", atol);
		return new Float64Array(ivp.n).fill(atol);
	}
	if (atol.length !== ivp.n)
		throw new InputError(
			"atol",
			`has ${atol.length} values, the problem has ${ivp.n} states`,
			"Give one each.",
		);
	const each = Float64Array.from(atol);
	each.forEach((value, i) => {
		positive(`atol[${i}]`, value);
	});
	return each;
}

function endsOfPieces(t0: number, t1: number, direction: number, knots: ArrayLike<number>): Float64Array {
	const inside: number[] = [];
	for (let i = 0; i < knots.length; i++) {
		if (!Number.isFinite(knots[i]))
			throw new InputError(`knots[${i}]`, `is ${knots[i]}`, "Give finite times.");
		if (direction * knots[i] > direction * t0 && direction * knots[i] < direction * t1) inside.push(knots[i]);
	}
	inside.sort((a, b) => direction * (a - b));
	const ends = inside.filter((knot, i) => i === 0 || knot !== inside[i - 1]);
	if (t1 !== t0) ends.push(t1);
	return Float64Array.from(ends);
}

function checkedTimes(times: ArrayLike<number>, t0: number, t1: number, direction: number): Float64Array {
	const checked = Float64Array.from(times);
	let previous = t0;
	checked.forEach((time, i) => {
		if (!(direction * time >= direction * previous && direction * time <= direction * t1)) {
			throw new InputError(
				`saveAt[${i}]`,
				`is ${time}, after ${previous}, in a solution from ${t0} to ${t1}`,
				"Give times in the order from t0 to t1, none outside.",
			);
		}
		previous = time;
	});
	return checked;
}
