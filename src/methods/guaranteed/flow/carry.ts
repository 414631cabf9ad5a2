/**
 * The remainder of before, over one step: it is carried on by the flow's Jacobian, J in Σ (hA)^k/k! over the tube that is proved to hold all solutions, and expressed in an orthogonal basis with sorted
 * columns [lohner1987], and as an upright box beside it.
 *
 * The tube is P's, widened by D: as long as solutions are in it their distance to those from P(ζ) is within |J|·|C|R; where that is strictly below D, none can leave.
 */
import {
	type MidRad,
	magnify,
	midRadMag,
	midRadMultiply,
	midRadOf,
	nearInverse,
	orthogonal,
} from "../../../interval/mid-rad.ts";
import { identity } from "../../../num/linear/dense.ts";
import { squared } from "../../../num/whole-power.ts";
import { exponentialBound, flowSeries } from "./flow-jacobian.ts";
import { type FlowSet, remainderOf } from "./flow-set.ts";
import type { StepModels } from "./steps/step-models.ts";

const U = 2 ** -53;
const UP = 1 + 2 ** -40;
/** Right behind a jump there is not much room around a remainder. */
const besideJump = 1.02;

type Carried = Pick<FlowSet, "P" | "C" | "R" | "B"> & { readonly tube: Float64Array };

/** The set at the end of the step, and bounds of all states over it; nothing where the remainder could not be enclosed. */
export function carry(step: StepModels, set: FlowSet, to: number, tube: Float64Array): Carried | undefined {
	const n = step.nStates;
	const { P, radii: own } = step.ends();
	const before = remainderOf(set);
	if (before.every((value) => value === 0)) {
		const C = identity(n);
		return { C, R: own, B: own.slice(), P, tube };
	}
	const J = flowJacobian(step, set, to, before, tube);
	if (!J) return undefined;
	const JC = midRadMultiply(J.J, { mid: set.C, rad: new Float64Array(n * n) }, n, n, n);
	const weight = (j: number): number => {
		let sum = 0;
		for (let i = 0; i < n; i++) sum += squared(JC.mid[i * n + j]);
		return Math.sqrt(sum) * set.R[j];
	};
	const order = Array.from({ length: n }, (_, j) => j).sort((a, b) => weight(b) - weight(a) || a - b);
	const Q = orthogonal(JC.mid, n, order);
	const inverse = nearInverse(Q, n);
	if (!inverse) return undefined;
	const transport = midRadMag(midRadMultiply(inverse, JC, n, n, n));
	const carried = magnify(transport, set.R);
	const added = magnify(midRadMag(inverse), own);
	const B = magnify(midRadMag(J.J), before).map((value, i) => (value + own[i]) * UP);
	const upright = magnify(midRadMag(inverse), B);
	const R = carried.map((value, i) => Math.min((value + added[i]) * UP, upright[i]));
	if (!R.every((value) => value < 1e100)) return undefined;
	return { C: Q, R, B, P, tube: J.tube };
}

/** Every Jacobian of the flow over the step, from points of the set. */
function flowJacobian(
	step: StepModels,
	set: FlowSet,
	to: number,
	before: Float64Array,
	tube: Float64Array,
): { J: MidRad; tube: Float64Array } | undefined {
	const n = step.nStates;
	const h = (to - set.t) * UP + 16 * U * (Math.abs(set.t) + Math.abs(to));
	const box = step.box();
	const bounds = new Float64Array(2 * n * n);
	let D = before.map((value) => 2 * value + 1e-290);
	for (let round = 0; round < 6; round++) {
		const wide = tube.slice();
		for (let i = 0; i < n; i++) {
			wide[2 * i] = tube[2 * i] - D[i] - Math.abs(tube[2 * i]) * 4 * U - D[i] * 4 * U;
			wide[2 * i + 1] = tube[2 * i + 1] + D[i] + Math.abs(tube[2 * i + 1]) * 4 * U + D[i] * 4 * U;
		}
		box.set(wide, 0);
		// P alone was seen to be free of jumps; the sets around it have to be, too.
		if (!step.jumps.none(box)) {
			if (round > 0) return undefined;
			D = before.map((value) => besideJump * value + 1e-290);
			continue;
		}
		if (!step.jacobian.evaluate(box, bounds)) return undefined;
		const A = midRadOf(bounds);
		const growth = exponentialBound(midRadMag(A), n, h);
		if (!growth) return undefined;
		const deviation = magnify(growth, before);
		if (deviation.every((value, i) => value < D[i])) {
			return { J: flowSeries(A, growth, n, to - set.t, h), tube: wide };
		}
		D = deviation.map((value, i) => Math.max(2 * D[i], 1.5 * value));
	}
	return undefined;
}
