import { describe, expect, test } from "vitest";
import { compileFunction } from "../../src/lower/compile-function.ts";
import { planGrid } from "../../src/lower/kernels/grid.ts";
import { rungeKuttaKernel } from "../../src/lower/kernels/runge-kutta.ts";
import { type TableauName, tableaus } from "../../src/lower/kernels/tableaus.ts";
import { Graph } from "../../src/model/graph.ts";
import { repeated } from "../repetitions.ts";
import { batchFor, differences, gridFor, runJs, runWasm } from "./support/batch.ts";
import { kernelOf, models, type TestModel } from "./support/models.ts";
import { hasCompiler, runNative } from "./support/native.ts";

/** Every parameter and every initial value. */
const allOf = (model: TestModel): string[] => [...model.params, ...model.components];

/** The classical Runge-Kutta method for one lane, written down from the textbook. */
function textbook(model: TestModel, params: Float64Array, x0: Float64Array, nSteps: number): Float64Array {
	const args = [["t"], model.components, model.inputs, model.params].map((symbols, i) => ({
		name: `${i}`,
		symbols,
	}));
	const f = compileFunction(model.rhs, args);
	const g = compileFunction(model.outputs, args);
	const u = (t: number): Float64Array =>
		Float64Array.from(model.inputs, (_, j) => 1 + Math.sin((j + 1.3) * t));
	const n = model.components.length;
	const rate = (t: number, x: Float64Array): Float64Array => {
		const out = new Float64Array(n);
		f(t, x, u(t), params, out);
		return out;
	};
	const plus = (x: Float64Array, h: number, k: Float64Array): Float64Array =>
		x.map((value, i) => value + h * k[i]);
	const h = model.step;
	const y = new Float64Array((nSteps + 1) * model.outputs.length);
	let x = x0;
	for (let step = 0; ; step++) {
		const t = step * h;
		g(t, x, u(t), params, y.subarray(step * model.outputs.length, (step + 1) * model.outputs.length));
		if (step === nSteps) return y;
		const k1 = rate(t, x);
		const k2 = rate(t + h / 2, plus(x, h / 2, k1));
		const k3 = rate(t + h / 2, plus(x, h / 2, k2));
		const k4 = rate(t + h, plus(x, h, k3));
		x = x.map((value, i) => value + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
	}
}

describe.each(Object.entries(models))("%s", (_, make) => {
	const model = make();
	const batch = 16;

	test("is integrated as in the textbook", () => {
		const nSteps = 200;
		const grid = gridFor(model, nSteps + 1, 1);
		const buffers = batchFor(model, grid, batch, 0);
		const { y } = runJs(kernelOf(model), batch, buffers, [grid.nSteps]);
		for (const lane of [0, 7, 15]) {
			const own = (columns: Float64Array): Float64Array => columns.filter((_, i) => i % batch === lane);
			const expected = textbook(model, own(buffers.params), own(buffers.x0), nSteps);
			const got = own(y);
			expect(got.length).toBe(expected.length);
			const scale = Math.max(...expected.map(Math.abs));
			for (const [i, value] of expected.entries())
				expect(Math.abs(got[i] - value)).toBeLessThan(1e-9 * scale);
		}
	});

	for (const wrt of [[], allOf(model)]) {
		const kernel = kernelOf(model, wrt);
		const grid = gridFor(model, 41);
		const buffers = batchFor(model, grid, batch, wrt.length);
		const js = runJs(kernel, batch, buffers, [grid.nSteps]);
		const kind = wrt.length > 0 ? "with sensitivities" : "without sensitivities";

		test(`js = wasm ${kind}`, () => {
			expect(js.y.every(Number.isFinite)).toBe(true);
			for (const groups of [1, 2, 4])
				expect(
					differences(kernel, js, runWasm(kernel, { width: 2, groups }, batch, buffers, [grid.nSteps])),
				).toEqual([]);
			expect(
				differences(kernel, js, runWasm(kernel, { width: 1, groups: 1 }, batch, buffers, [grid.nSteps])),
			).toEqual([]);
		});
		test.skipIf(!hasCompiler)(`js = C ${kind}`, () => {
			// Wider than a register a kernel of this size takes the compiler five times as long; kernel-ir.test.ts has a small one.
			for (const [flags, groups] of [
				[["-DWIDTH=2"], 2],
				[["-DWIDTH=4", "-march=native"], 1],
				...repeated([], [[["-DWIDTH=8", "-march=native"], 1] as const]),
			] as const) {
				const native = runNative(kernel, batch, buffers, [grid.nSteps], flags, { groups });
				expect(differences(kernel, js, native.buffers)).toEqual([]);
			}
		});
	}

	test("sensitivities are the derivatives of what is computed", () => {
		const wrt = allOf(model);
		const lanes = 8;
		const grid = gridFor(model, 21);
		const exact = batchFor(model, grid, lanes, wrt.length);
		const withDerivatives = runJs(kernelOf(model, wrt), lanes, exact, [grid.nSteps]);
		const kernel = kernelOf(model);
		for (const [j, name] of wrt.entries()) {
			// Central differences of sixth order.
			const isParam = j < model.params.length;
			const column = isParam ? j : model.components.indexOf(name);
			const base = Math.abs((isParam ? model.values : model.start)[column]) || 1;
			const d = 1e-3 * base;
			const moved = (by: number) => {
				const buffers = batchFor(model, grid, lanes, 0);
				const target = isParam ? buffers.params : buffers.x0;
				for (let b = 0; b < lanes; b++) target[column * lanes + b] += by * d;
				return runJs(kernel, lanes, buffers, [grid.nSteps]);
			};
			const [p1, m1, p2, m2, p3, m3] = [1, -1, 2, -2, 3, -3].map(moved);
			const difference = (get: (run: typeof p1) => Float64Array, i: number): number =>
				(45 * (get(p1)[i] - get(m1)[i]) - 9 * (get(p2)[i] - get(m2)[i]) + (get(p3)[i] - get(m3)[i])) /
				(60 * d);
			const check = (get: (run: typeof p1) => Float64Array, derivative: Float64Array): void => {
				const values = get(p1);
				const rows = values.length / lanes;
				let scale = 0;
				for (let i = 0; i < values.length; i++) scale = Math.max(scale, Math.abs(difference(get, i)));
				for (let row = 0; row < rows; row++)
					for (let b = 0; b < lanes; b++) {
						const got = derivative[(row * wrt.length + j) * lanes + b];
						const expected = difference(get, row * lanes + b);
						const where = `${name}, row ${row}, lane ${b}: ${got} and ${expected}`;
						expect(Math.abs(got - expected), where).toBeLessThan(tolerance * scale + 1e-12);
					}
			};
			// A kink that is crossed between two neighbours spoils the difference, not the derivative.
			const tolerance = make === models.boucWen || make === models.tank ? 2e-3 : 1e-7;
			check((run) => run.y, withDerivatives.dy);
			check((run) => run.xEnd, withDerivatives.sEnd);
		}
	});
});

describe("Runge-Kutta kernels", () => {
	test("initial sensitivities come from a buffer when asked for", () => {
		const model = models.duffing();
		const lanes = 4;
		const grid = gridFor(model, 11);
		// The start depends on k: x(0) = k, so dx(0)/dk = 1 beside the direct dependence.
		const own = batchFor(model, grid, lanes, 1);
		const s0 = new Float64Array(2 * lanes).fill(1, 0, lanes);
		const direct = runJs(kernelOf(model, ["k"], true), lanes, { ...own, s0 }, [grid.nSteps]);
		const both = batchFor(model, grid, lanes, 2);
		const apart = runJs(kernelOf(model, ["k", "x"]), lanes, both, [grid.nSteps]);
		for (let row = 0; row < grid.nSamples * 2; row++)
			for (let b = 0; b < lanes; b++) {
				const sum = apart.dy[2 * row * lanes + b] + apart.dy[(2 * row + 1) * lanes + b];
				expect(direct.dy[row * lanes + b]).toBeCloseTo(sum, 10);
			}
	});

	test("methods converge with their order", () => {
		const g = new Graph();
		const x = g.sym("x");
		const rhs = [g.mul(x, g.unary("cos", g.t))];
		for (const name of Object.keys(tableaus) as TableauName[]) {
			const kernel = rungeKuttaKernel({
				graph: g,
				tableau: name,
				components: ["x"],
				rhs,
				params: [],
				inputs: [],
				outputs: [x],
			});
			const errors = [32, 64].map((substeps) => {
				const grid = planGrid(Float64Array.of(0, 2), 0, { substeps }, [], name);
				const { t, h, u, emit, sampleT, sampleU } = grid;
				const buffers = {
					t,
					h,
					u,
					emit,
					sampleT,
					sampleU,
					params: new Float64Array(0),
					x0: Float64Array.of(1),
					y: new Float64Array(2),
					xEnd: new Float64Array(1),
				};
				const run = runJs(kernel, 1, buffers, [grid.nSteps]);
				expect(run.y[0]).toBe(1);
				return Math.abs(run.y[1] - Math.exp(Math.sin(2)));
			});
			const slope = Math.log2(errors[0] / errors[1]);
			expect(slope, name).toBeGreaterThan(tableaus[name].order - 0.35);
			expect(slope, name).toBeLessThan(tableaus[name].order + 1);
		}
	});

	test("a lane that blows up leaves its neighbours alone", () => {
		const g = new Graph();
		const [x, p] = [g.sym("x"), g.sym("p")];
		const kernel = rungeKuttaKernel({
			graph: g,
			components: ["x"],
			rhs: [g.mul(p, x, x)],
			params: ["p"],
			inputs: [],
			outputs: [x],
		});
		const grid = planGrid(
			Float64Array.from({ length: 101 }, (_, i) => i),
			0,
			{ substeps: 1 },
			[],
		);
		const lanes = 8;
		const run = (params: Float64Array): Float64Array => {
			const { t, h, u, emit, sampleT, sampleU } = grid;
			const buffers = {
				t,
				h,
				u,
				emit,
				sampleT,
				sampleU,
				params,
				x0: new Float64Array(lanes).fill(1),
				y: new Float64Array(101 * lanes),
				xEnd: new Float64Array(lanes),
			};
			return runWasm(kernel, { width: 2, groups: 4 }, lanes, buffers, [grid.nSteps]).y;
		};
		const calm = run(new Float64Array(lanes).fill(-0.1));
		const params = new Float64Array(lanes).fill(-0.1);
		params[3] = 5;
		const wild = run(params);
		for (let i = 0; i < calm.length; i++) if (i % lanes !== 3) expect(wild[i]).toBe(calm[i]);
		expect(Number.isFinite(wild[100 * lanes + 3])).toBe(false);
	});
});
