/** What agrees with what: derivatives with differences, the O(n) form with the dense one, gradients with differences. */
import { describe, expect, test, vi } from "vitest";
import { Backward, Transition } from "../../../src/estimate/state-space/kalman-steps.ts";
import { fieldCovariance } from "../../../src/methods/kriging/field/field-covariance.ts";
import {
	FieldDesign,
	type Functional,
	type Site,
	scaled,
} from "../../../src/methods/kriging/field/field-design.ts";
import { fieldObjective } from "../../../src/methods/kriging/field/field-hyper.ts";
import { LearnedField } from "../../../src/methods/kriging/field/learned-field.ts";
import { monomials } from "../../../src/methods/kriging/field/monomials.ts";
import { radialFor, radialNames, radials } from "../../../src/methods/kriging/field/radial.ts";
import { BandedSmoother } from "../../../src/methods/kriging/time/banded-smoother.ts";
import { DenseSmoother } from "../../../src/methods/kriging/time/smoother.ts";
import { StateSpaceSmoother } from "../../../src/methods/kriging/time/state-space.ts";
import { timeObjective } from "../../../src/methods/kriging/time/time-hyper.ts";
import { sin } from "../../../src/num/elementary/number.ts";
import { stream } from "../../../src/num/random.ts";

describe("covariances", () => {
	test("Wendland's C6 function and its derivatives are the factored polynomials", () => {
		const { derivative } = radials.get("wendland33")!;
		for (let r = 0; r <= 1.2; r += 0.07) {
			const s = Math.max(1 - r, 0);
			const known = [
				s ** 8 * (32 * r ** 3 + 25 * r ** 2 + 8 * r + 1),
				s ** 7 * (-22 * r - 154 * r ** 2 - 352 * r ** 3),
				s ** 6 * (-22 - 132 * r + 330 * r ** 2 + 3520 * r ** 3),
				s ** 5 * (1584 * r + 7920 * r ** 2 - 31680 * r ** 3),
				s ** 4 * (1584 + 6336 * r - 150480 * r ** 2 + 253440 * r ** 3),
			];
			known.forEach((value, order) => {
				expect(Math.abs(derivative(order, r) - value)).toBeLessThanOrEqual(1e-11 * Math.abs(value) + 1e-300);
			});
		}
	});
	test.each(radialNames)("%s: each derivative is that of the one before, and φ(0) = 1", (name) => {
		const { derivative, smoothness } = radials.get(name)!;
		expect(derivative(0, 0)).toBe(1);
		const h = 1e-5;
		for (let order = 0; order <= 2 * smoothness; order++)
			for (const r of [0.1, 0.45, 0.8]) {
				const difference = (derivative(order, r + h) - derivative(order, r - h)) / (2 * h);
				const exact = derivative(order + 1, r);
				const size = Math.abs(derivative(order + 1, 0.1)) + Math.abs(exact);
				expect(Math.abs(difference - exact)).toBeLessThanOrEqual(1e-5 * size);
			}
		// A process that is differentiable s times has a covariance whose odd derivatives up to 2s - 1 vanish at 0.
		for (let order = 1; order < 2 * smoothness; order += 2)
			expect(Math.abs(derivative(order, 0))).toBeLessThanOrEqual(1e-12 * Math.abs(derivative(order + 1, 0)));
	});
	test("one that is too rough for a derivative is refused, and those that are not are named", () => {
		expect(() => radialFor("matern32", 2)).toThrow(/has 1 derivative, but the model needs derivative 2.*/);
		expect(() => radialFor("matern32", 2)).toThrow(/wendland32, wendland33, matern52, matern72, matern92/);
	});
});

describe("criteria have exact derivatives", () => {
	const random = stream(3, "criteria");
	const t = Float64Array.from({ length: 25 }, (_, i) => i * 0.4 + 0.2 * random.uniform(i));
	const samples = {
		t,
		order: t.map((_, i) => (i % 6 === 5 ? 1 : 0)),
		y: t.map((ti, i) => sin(ti) + 0.1 * random.normal(i)),
		variance: t.map(() => 0.01),
	};
	test.each([
		["reml", "wendland33"],
		["ml", "wendland33"],
		["reml", "matern72"],
		["ml", "matern52"],
	] as const)("in time: %s, %s", (criterion, name) => {
		const problem = {
			stretches: [samples],
			radial: radials.get(name)!,
			criterion,
			meanDegree: 1,
			noise: { lo: 0.1, hi: 10 },
		};
		checkGradient((z) => timeObjective(problem, z), Float64Array.of(0.3, 0.9, -0.2));
	});
	test.each(["generalized", "smooth", "matern72"])("of a field: %s", (name) => {
		const { design, data } = fieldExample(name);
		const z = Float64Array.from({ length: design.nHyper + 1 }, (_, i) => -1 + 0.3 * i);
		checkGradient(fieldObjective(design, data, "reml", true), z);
	});
});

test.each(["generalized", "smooth", "matern72"])(
	"a learned function has the gradient of its values: %s",
	(name) => {
		const { design, data } = fieldExample(name);
		const field = new LearnedField(design, data, new Float64Array(design.nHyper).fill(0.5));
		const gradient = new Float64Array(2);
		for (const point of [
			[0.3, 0.2],
			[-0.5, 0.9],
		]) {
			field.functions[0].gradientInto(gradient, point);
			for (let a = 0; a < 2; a++) {
				const h = 1e-5;
				const [up, down] = [h, -h].map((d) =>
					field.functions[0].value(point.map((x, i) => (i === a ? x + d : x))),
				);
				expect(gradient[a]).toBeCloseTo((up - down) / (2 * h), 5);
			}
			// The prediction by weights is the function as it is evaluated.
			expect(field.predict(0, [point]).value[0]).toBeCloseTo(field.functions[0].value(point), 9);
		}
	},
);

describe("the forms for long records", () => {
	const random = stream(5, "state space");
	const make = (n: number, uneven: number) => {
		let now = 0;
		const t = Float64Array.from({ length: n }, (_, i) => (now += 0.05 + uneven * random.uniform(i)));
		return {
			t,
			order: Uint8Array.from({ length: n }, (_, i) => (uneven > 0 && i % 7 === 3 ? 1 : 0)),
			y: t.map((ti, i) => 3 + sin(ti) + 0.05 * random.normal(i)),
			variance: t.map((_, i) => (i % 50 < 40 ? 0.0025 : 0.01)),
		};
	};
	test.each(
		["matern32", "matern52", "matern72", "matern92"].flatMap((name) =>
			[0, 1].flatMap((mean) => [0, 0.1].map((uneven) => [name, mean, uneven] as const)),
		),
	)("%s with a mean of degree %i agrees with the dense one (unevenness %f)", (name, mean, uneven) => {
		const samples = make(240, uneven);
		const hyper = { variance: 1.5, length: 2 };
		const radial = radials.get(name)!;
		const last = samples.t[samples.t.length - 1];
		const instants = [
			...[0, 1].flatMap((order) => Array.from(samples.t, (t) => ({ t, order }))),
			{ t: -1, order: 0 },
			{ t: samples.t[5] + 0.01, order: 1 },
			{ t: last + 1, order: 0 },
		];
		const dense = new DenseSmoother(samples, radial, hyper, mean).posterior(instants, false);
		const fast = new StateSpaceSmoother(samples, radial, hyper, mean).posterior(instants);
		for (let i = 0; i < instants.length; i++) {
			expect(Math.abs(fast.mean[i] - dense.mean[i])).toBeLessThan(1e-8);
			expect(Math.abs(fast.variance[i] / dense.variance[i] - 1)).toBeLessThan(1e-8);
		}
	});
	test.each(
		["wendland31", "wendland32", "wendland33"].flatMap((name) => [0, 1].map((mean) => [name, mean] as const)),
	)("%s with a mean of degree %i as a band agrees with the dense one", (name, mean) => {
		const samples = make(240, 0.1);
		const hyper = { variance: 1.5, length: 2.5 };
		const radial = radials.get(name)!;
		const last = samples.t[samples.t.length - 1];
		const instants = [
			...[0, 1].flatMap((order) => Array.from(samples.t, (t) => ({ t, order }))),
			{ t: -1, order: 0 },
			{ t: samples.t[5] + 0.01, order: 1 },
			{ t: last + 1, order: 0 },
			{ t: last + 9, order: 0 },
		];
		const dense = new DenseSmoother(samples, radial, hyper, mean).posterior(instants, false);
		const band = new BandedSmoother(samples, radial, hyper, mean).posterior(instants);
		for (let i = 0; i < instants.length; i++) {
			expect(Math.abs(band.mean[i] - dense.mean[i])).toBeLessThan(1e-8);
			expect(Math.abs(band.variance[i] / dense.variance[i] - 1)).toBeLessThan(1e-7);
		}
	});
	test("the work grows in proportion to the record", () => {
		// Each step is a few products of matrices of fixed size: steps are counted, since time on a busy machine says little.
		const steps = (n: number): number => {
			const samples = make(n, 0);
			const instants = [0, 1].flatMap((order) => Array.from(samples.t, (t) => ({ t, order })));
			const counted = [
				vi.spyOn(Transition.prototype, "to"),
				vi.spyOn(Backward.prototype, "update"),
				vi.spyOn(Backward.prototype, "move"),
			];
			const hyper = { variance: 1, length: 2 };
			new StateSpaceSmoother(samples, radials.get("matern72")!, hyper, 0).posterior(instants);
			const count = counted.reduce((sum, { mock }) => sum + mock.calls.length, 0);
			for (const each of counted) each.mockRestore();
			return count;
		};
		const few = steps(2000);
		expect(few).toBeGreaterThan(3 * 1999);
		expect(few).toBeLessThan(5 * 2000);
		expect(steps(8000) / few).toBeCloseTo(4, 2);
	});
});

function fieldExample(name: string) {
	const random = stream(7, "field");
	const fn = {
		name: "f",
		argNames: ["a", "b"],
		centre: Float64Array.of(0.1, -0.2),
		scale: Float64Array.of(1.5, 0.8),
		basis: monomials(2, 2),
		covariance: fieldCovariance(name, 2, 2),
	};
	const design = new FieldDesign([fn], 1);
	const points = Array.from({ length: 24 }, (_, i) => [random.normal(2 * i), random.normal(2 * i + 1)]);
	const sites: Site[] = points.map((x) => ({ of: 0, x: scaled(fn, x) }));
	const functionals: Functional[] = points.map((_, i) => ({
		at: Int32Array.of(i, (i + 1) % points.length),
		weight: Float64Array.of(1, 0.3),
		factors: Float64Array.of(random.normal(100 + i)),
	}));
	const n = points.length;
	const noise = Float64Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? 0.01 : 0));
	return {
		design,
		data: { sites, functionals, y: Float64Array.from(points, ([a, b]) => sin(a) * b), noise },
	};
}

function checkGradient(
	f: (z: Float64Array) => { value: number; gradient: Float64Array },
	z: Float64Array,
): void {
	const { gradient } = f(z);
	gradient.forEach((slope, i) => {
		const h = 1e-4;
		const [up, down] = [h, -h].map((d) => f(z.map((value, j) => (i === j ? value + d : value))).value);
		expect(Math.abs((up - down) / (2 * h) - slope)).toBeLessThan(1e-5 * Math.max(1, Math.abs(slope)));
	});
}
