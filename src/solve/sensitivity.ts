/**
 * Forward sensitivities: S = dx/dp, for parameters and initial values alike, solved together with the states from
 *
 *     x' = f(t, x, p)        S' = f_x S + f_p        S(t0) = dx0/dp
 *
 * by the same methods, steps and error control. See T. Maly, L. R. Petzold, Numerical methods and software for sensitivity
 * analysis of differential-algebraic systems, Applied Numerical Mathematics 20 (1996) 57-79.
 */
import { InputError } from "../errors.ts";
import { drained } from "../num/drained.ts";
import { integrationSteps } from "./integrate.ts";
import type { Ivp, Solution, SolveOptions, SolveStats } from "./ivp.ts";
import { derivativesInto, sensitivitySlopesInto } from "./sensitivity-slopes.ts";
import { checkedSettings } from "./settings.ts";
import { SensitiveLinearization } from "./stiff/sensitive-linearization.ts";
import { SensitiveSwitching } from "./switching/sensitive-switching.ts";

/** A right-hand side with its derivatives by the states and the parameters. */
export interface SensitiveIvp extends Ivp {
	/** Columns of `paramJacobian`. */
	readonly nParams: number;
	jacobian(t: number, x: Float64Array, out: Float64Array): void;
	/** df/dp, row-major n x nParams. */
	paramJacobian(t: number, x: Float64Array, out: Float64Array): void;
	/** f, df/dx and df/dp in one go, where that is quicker. */
	all?(t: number, x: Float64Array, slope: Float64Array, J: Float64Array, fp: Float64Array): void;
	/**
	 * The derivative of f_x S + f_p by x along k, row-major n x nColumns, as S. The stiff methods need it; finite differences
	 * stand in where it is absent.
	 */
	secondDirectional?(t: number, x: Float64Array, S: Float64Array, k: Float64Array, out: Float64Array): void;
	/** The derivative of f_x S + f_p by t; finite differences stand in where it is absent. */
	sensitivityTimeDerivative?(t: number, x: Float64Array, S: Float64Array, out: Float64Array): void;
	/**
	 * Of what crosses where switch number `which` changes its side: the derivatives by t, by each state, and by each parameter. There
	 * S jumps, since the instant depends on the parameters too.
	 */
	jumpInto?: ((which: number, t: number, x: Float64Array, out: Float64Array) => void) | undefined;
	/** Of the values that an event sets, row by row: the derivatives by t, by each state, and by each parameter. */
	assigned?: ((event: number, t: number, x: Float64Array) => Float64Array) | undefined;
	/** Names of the columns of S, for messages. */
	readonly paramNames?: readonly string[];
}

export interface SensitivityOptions extends SolveOptions {
	/** False: only the states are held to the tolerance. Default true. */
	controlSensitivities?: boolean;
	/**
	 * The size of what each column is a derivative by: the absolute tolerance of column j is that of the state over this.
	 * Default 1.
	 */
	columnScale?: ArrayLike<number>;
}

export interface SensitivitySolution extends Omit<Solution, "at"> {
	readonly nColumns: number;
	/** Row-major n x nColumns at each time of `t`, one after another. */
	S: Float64Array;
	/** State, and S if wanted, at any time solved; only with the option `dense`. */
	at?(t: number, out: Float64Array, outS?: Float64Array): void;
}

/**
 * Solves for x and S from t0 to t1. `S0` is row-major n x nColumns: the parameters come first, further columns
 * are for what enters by the initial state alone.
 */
export function solveWithSensitivities(
	ivp: SensitiveIvp,
	t0: number,
	t1: number,
	x0: Float64Array,
	S0: Float64Array,
	options: SensitivityOptions = {},
): SensitivitySolution {
	return drained(sensitivitySteps(ivp, t0, t1, x0, S0, options));
}

/** The same in pieces that are short. */
export function* sensitivitySteps(
	ivp: SensitiveIvp,
	t0: number,
	t1: number,
	x0: Float64Array,
	S0: Float64Array,
	options: SensitivityOptions = {},
): Generator<void, SensitivitySolution> {
	const { n } = ivp;
	const nColumns = S0.length / n;
	if (!(Number.isInteger(nColumns) && nColumns >= ivp.nParams))
		throw new InputError(
			"initial sensitivities",
			`have ${S0.length} values, for ${n} states and ${ivp.nParams} parameters`,
			"Give a column of one value a state for each parameter, then for each initial value.",
		);
	const settings = checkedSettings(ivp, t0, t1, x0, options);
	const together = augmentedIvp(ivp, nColumns);
	const atol = augmentedTolerance(settings.atol, nColumns, options.columnScale);
	const problem = {
		ivp: together,
		sensitive: ivp,
		nStates: n,
		nControlledColumns: (options.controlSensitivities ?? true) ? nColumns : 0,
		linearize: (stats: SolveStats) => new SensitiveLinearization(ivp, together, nColumns, atol, stats),
	};
	const z0 = new Float64Array(together.n);
	z0.set(x0);
	z0.set(S0, n);
	const solution = yield* integrationSteps(problem, t0, t1, z0, { ...settings, atol });
	return { ...split(solution, n, nColumns), at: splitAt(solution, n, nColumns) };
}

/** States and sensitivities as one right-hand side: x first, then S row by row. */
function augmentedIvp(ivp: SensitiveIvp, nColumns: number): Ivp {
	const { n, nParams } = ivp;
	const x = new Float64Array(n);
	const slope = new Float64Array(n);
	const J = new Float64Array(n * n);
	const fp = new Float64Array(n * nParams);
	const columns = Array.from({ length: nColumns }, (_, c) => ivp.paramNames?.[c] ?? `column ${c + 1}`);
	const states = Array.from({ length: n }, (_, i) => ivp.names?.[i] ?? `state ${i + 1}`);
	return {
		n: n * (1 + nColumns),
		autonomous: ivp.autonomous,
		names: [...states, ...states.flatMap((state) => columns.map((column) => `d(${state})/d(${column})`))],
		switching: ivp.switching && new SensitiveSwitching(ivp, nColumns),
		origin: ivp.origin,
		enter: ivp.enter && ((tLeft, tRight) => ivp.enter!(tLeft, tRight)),
		rhs(t, z, out) {
			for (let i = 0; i < n; i++) x[i] = z[i];
			derivativesInto(slope, J, fp, ivp, t, x);
			for (let i = 0; i < n; i++) out[i] = slope[i];
			sensitivitySlopesInto(out, J, fp, z, n, nParams, nColumns, n);
		},
	};
}

function augmentedTolerance(
	atol: Float64Array,
	nColumns: number,
	scale: ArrayLike<number> | undefined,
): Float64Array {
	if (scale && scale.length !== nColumns)
		throw new InputError(
			"columnScale",
			`has ${scale.length} values for ${nColumns} columns`,
			"Give one each.",
		);
	const n = atol.length;
	const all = new Float64Array(n * (1 + nColumns));
	all.set(atol);
	for (let c = 0; c < nColumns; c++) {
		const size = scale ? Math.abs(scale[c]) : 1;
		if (!(size > 0 && size < Infinity))
			throw new InputError(`columnScale[${c}]`, `is ${scale![c]}`, "Give a number above 0.");
		for (let i = 0; i < n; i++) all[n + i * nColumns + c] = atol[i] / size;
	}
	return all;
}

function split(solution: Solution, n: number, nColumns: number): Omit<SensitivitySolution, "at"> {
	const { outcome, message, t, stats } = solution;
	const width = n * (1 + nColumns);
	const x = new Float64Array(t.length * n);
	const S = new Float64Array(t.length * n * nColumns);
	for (let k = 0; k < t.length; k++) {
		x.set(solution.x.subarray(k * width, k * width + n), k * n);
		S.set(solution.x.subarray(k * width + n, (k + 1) * width), k * n * nColumns);
	}
	return { outcome, message, t, x, S, nColumns, stats };
}

function splitAt(solution: Solution, n: number, nColumns: number): SensitivitySolution["at"] {
	if (!solution.at) return undefined;
	const z = new Float64Array(n * (1 + nColumns));
	return (t, out, outS) => {
		solution.at!(t, z);
		out.set(z.subarray(0, n));
		outS?.set(z.subarray(n));
	};
}
