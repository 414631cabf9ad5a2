/** ŷ, J, R, dR, q(0), Φ(T) against numbers of an independent implementation, at a λ that is not the truth. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isRefusal, type PeriodicForm } from "../../../src/methods/periodic/form/form.ts";
import { recognize } from "../../../src/methods/periodic/form/recognize.ts";
import { gridOf, sampleOn } from "../../../src/methods/periodic/observer/grid.ts";
import { Representation } from "../../../src/methods/periodic/observer/representation.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { gaussRule } from "../../../src/num/gauss-legendre.ts";
import { fitHarmonics, seriesAt } from "../../../src/num/harmonic-fit.ts";

interface Variant {
	l: number;
	Gamma: number[];
	R: number[];
	q0: number;
	yhat: number[];
	idx: number[];
	dyhat_dlambda_at_idx: number[][];
	dR_dlambda: number[][];
	sse: number;
	dsse_dlambda: number[];
	Phi_T: number[][];
	R_at_true: number[];
}
const reference = JSON.parse(
	readFileSync(new URL("./reference/morris-lecar.json", import.meta.url), "utf8"),
) as {
	lambda_true: number[];
	lambda_: number[];
	period: number;
	N: number;
	y: number[];
	abs_tol: number;
	variants: Variant[];
};

/** As in the reference: θ = (gL, I + 50 gL) multiply v and 1. */
const text = `param V1, V2, V3, V4, T0, gCa, gK, gL, J
state v, q
let tau = T0/cosh((v + V3)/(2*V4))
v' = gCa*0.5*(1 + tanh((v - V1)/V2))*(v - 100) + gK*q*(v + 70) + gL*v + J
q' = (0.5*(1 + tanh((v + V3)/V4)) - q)/tau
measure y = v
`;
const form = recognize(parseModel(text, "m.ode"));
if (isRefusal(form)) throw new Error(form.problem);

const t = Float64Array.from({ length: reference.N }, (_, k) => (k * reference.period) / reference.N);
const fit = fitHarmonics(
	t,
	Float64Array.from(reference.y),
	(reference.N - 1) / 2,
	{ omega: (2 * Math.PI) / reference.period, origin: 0 },
	{ fixedPeriod: true },
)!;
/** Intervals are a multiple of the reference's, so that its instants are among ours. */
const refinement = 4;
const grid = gridOf(reference.period, refinement * reference.N, gaussRule(4));
const y = sampleOn(grid, (phi) => seriesAt(fit.c, phi));
const largest = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
	Array.from(a).reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);

describe.each(reference.variants)("Morris–Lecar with gain $Gamma", (variant) => {
	const [g1, g2] = variant.Gamma;
	const representation = new Representation(form as PeriodicForm, grid, y, new Float64Array(), () => ({
		kappa: -variant.l,
		gamma: Float64Array.of(g1, 0, 0, g2),
	}));
	const at = representation.evaluate(Float64Array.from(reference.lambda_))!;
	const yhat = Array.from({ length: reference.N }, (_, k) => at.y[refinement * k]);
	const tolerance = reference.abs_tol;

	it("has the unknowns in the reference's order", () => {
		expect((form as PeriodicForm).lambda).toEqual(["V1", "V2", "V3", "V4", "T0", "gCa", "gK"]);
		expect((form as PeriodicForm).terms.map(({ name }) => name)).toEqual(["gL", "J"]);
	});
	it("ŷ, R, q(0) and Φ(T)", () => {
		expect(largest(yhat, variant.yhat)).toBeLessThan(tolerance);
		expect(largest(at.R, variant.R)).toBeLessThan(tolerance);
		expect(Math.abs(representation.scans[0].starts[0] - variant.q0)).toBeLessThan(tolerance);
		expect(largest(representation.observer.phiT, variant.Phi_T.flat())).toBeLessThan(tolerance);
	});
	it("J and dR", () => {
		const rows = variant.idx.map((k) => [
			...at.jacobian!.subarray(7 * refinement * k, 7 * (refinement * k + 1)),
		]);
		expect(largest(rows.flat(), variant.dyhat_dlambda_at_idx.flat())).toBeLessThan(tolerance);
		expect(largest(at.dR!, variant.dR_dlambda.flat())).toBeLessThan(tolerance);
	});
	it("gives θ and x(0) at the true λ", () => {
		const truth = representation.evaluate(Float64Array.from(reference.lambda_true), false)!;
		expect(largest(truth.R, [0, -0.5, -15])).toBeLessThan(tolerance);
		expect(
			largest(
				truth.y.filter((_, k) => k % refinement === 0),
				reference.y,
			),
		).toBeLessThan(tolerance);
	});
});
