/** ŷ(λ; z) = y(z) to first order in λ and in z = (c, ω), as coefficients of harmonics. */
import type { Sampled } from "../observer/grid.ts";
import type { Evaluation, Representation } from "../observer/representation.ts";
import { basisOn, changeWithRecord, projectOn, type RecordColumn } from "./record-derivatives.ts";

/** The representation of the model on a given record. */
export type Represent = (c: Float64Array, omega: number) => Representation;

export interface Linearization {
	readonly rep: Representation;
	readonly basis: readonly Sampled[];
	readonly evaluation: Evaluation;
	readonly misclosure: Float64Array;
	/** size × p and size × (size + 1). */
	readonly J: Float64Array;
	readonly B: Float64Array;
	/** Changes of R, closures and hidden starts with each component of z. */
	readonly columns: readonly Omit<RecordColumn, "misfit">[];
}

export function linearize(
	represent: Represent,
	z: Float64Array,
	high: Float64Array,
	lambda: Float64Array,
	harmonics: number,
): Linearization | undefined {
	const size = 2 * harmonics + 1;
	const c = Float64Array.of(...z.subarray(0, size), ...high);
	const rep = represent(c, z[size]);
	const evaluation = rep.evaluate(lambda);
	if (!evaluation) return undefined;
	const basis = basisOn(rep.grid, harmonics);
	const misclosure = projectOn(basis, difference(evaluation.y, rep.y.starts));
	const p = lambda.length;
	const J = new Float64Array(size * p);
	for (let j = 0; j < p; j++) {
		const column = Float64Array.from(
			{ length: rep.grid.intervals },
			(_, k) => evaluation.jacobian![k * p + j],
		);
		projectOn(basis, column).forEach((value, i) => {
			J[i * p + j] = value;
		});
	}
	const columns = basis.map((direction) => changeWithRecord(rep, evaluation, direction));
	const byOmega = changeWithFrequency(represent, c, z[size], lambda);
	if (!byOmega) return undefined;
	columns.push(byOmega);
	const B = new Float64Array(size * (size + 1));
	columns.forEach(({ misfit }, j) => {
		projectOn(basis, misfit).forEach((value, i) => {
			B[i * (size + 1) + j] = value;
		});
	});
	return { rep, basis, evaluation, misclosure, J, B, columns };
}

/** By central differences: the frequency enters every step. */
function changeWithFrequency(
	represent: Represent,
	c: Float64Array,
	omega: number,
	lambda: Float64Array,
): RecordColumn | undefined {
	const step = 1e-5 * omega;
	const up = represent(c, omega + step).evaluate(lambda, false);
	const down = represent(c, omega - step).evaluate(lambda, false);
	if (!up || !down) return undefined;
	const slope = (a: Float64Array, b: Float64Array): Float64Array =>
		a.map((value, i) => (value - b[i]) / (2 * step));
	return {
		misfit: slope(up.y, down.y),
		R: slope(up.R, down.R),
		closures: up.closures.map((value, i) =>
			value === undefined ? undefined : (value - down.closures[i]!) / (2 * step),
		),
		hidden: slope(up.hidden, down.hidden),
	};
}

function difference(a: Float64Array, b: Float64Array): Float64Array {
	return a.map((value, i) => value - b[i]);
}
