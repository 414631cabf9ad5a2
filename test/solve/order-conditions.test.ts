import { describe, expect, it } from "vitest";
import { dop853 } from "../../src/solve/explicit/dop853.ts";
import type { RungeKuttaTable } from "../../src/solve/explicit/runge-kutta-table.ts";
import { tsit5 } from "../../src/solve/explicit/tsit5.ts";
import { rodas5p } from "../../src/solve/stiff/rodas5p.ts";
import { rodas6p } from "../../src/solve/stiff/rodas6p.ts";
import { stageWeights, type Tree, treesByOrder } from "./rooted-trees.ts";

type Matrix = number[][];

const dot = (a: readonly number[], b: readonly number[]) =>
	a.reduce((sum, value, i) => sum + value * b[i], 0);
const square = (rows: readonly (readonly number[])[], size: number): Matrix =>
	Array.from({ length: size }, (_, i) => Array.from({ length: size }, (_, j) => rows[i]?.[j] ?? 0));

/** How far sum_i b_i Phi_i(tree) is from s^order / density, relative to the size of what is added up. */
function defect(tree: Tree, b: readonly number[], phi: readonly number[], s = 1): number {
	const scale = b.reduce((sum, bi, i) => sum + Math.abs(bi * phi[i]), 1);
	return Math.abs(dot(b, phi) - s ** tree.order / tree.density) / scale;
}

/** Largest defect over the trees of each order from 1. */
function defects(
	b: (s: number) => readonly number[],
	upTo: number,
	single: Matrix,
	many: Matrix,
	points = [1],
) {
	return treesByOrder(upTo)
		.slice(1)
		.map((trees) =>
			Math.max(
				...trees.flatMap((tree) => {
					const phi = stageWeights(tree, single, many);
					return points.map((s) => defect(tree, b(s), phi, s));
				}),
			),
		);
}

/** Weights over all slopes of the interpolant at s, from the weights of its vectors F0, F1, ... */
function interpolantWeights(b: readonly number[], dense: readonly (readonly number[])[]) {
	return (s: number) => {
		const vectors = [b, ...dense];
		return dense[0].map((_, i) => {
			let sum = 0;
			for (let j = vectors.length - 1; j >= 0; j--)
				sum = (sum + (vectors[j][i] ?? 0)) * (j % 2 === 0 ? s : 1 - s);
			return sum;
		});
	};
}

/** Stages, end point and further stages as one table. */
function fullTable({ a, b, denseA }: RungeKuttaTable): Matrix {
	return square([...a, b, ...denseA], a.length + 1 + denseA.length);
}

const inside = [0.1, 0.37, 0.5, 0.81, 1];
const exact = 1e-13;

describe("rooted trees", () => {
	it("has the known number of trees of each order", () => {
		expect(treesByOrder(8).map((trees) => trees.length)).toEqual([0, 1, 1, 2, 4, 9, 20, 48, 115]);
	});
});

describe.each([
	{ table: tsit5, embedded: [4] },
	{ table: dop853, embedded: [5, 3] },
])("$table.name", ({ table, embedded }) => {
	const A = fullTable(table);
	const size = A.length;
	const b = square([table.b], size)[0];

	it("has nodes that are the row sums", () => {
		const nodes = [...table.c, 1, ...table.denseC];
		A.forEach((row, i) => {
			expect(row.reduce((sum, a) => sum + a, 0)).toBeCloseTo(nodes[i], 13);
		});
	});

	it("meets the order conditions of its order and no more", () => {
		const found = defects(() => b, table.order + 1, A, A);
		for (const value of found.slice(0, table.order)) expect(value).toBeLessThan(exact);
		expect(found[table.order]).toBeGreaterThan(1e-8);
	});

	it("has embedded methods of the stated orders", () => {
		embedded.forEach((order, k) => {
			const error = square([table.error[k]], size)[0];
			const hat = b.map((bi, i) => bi - error[i]);
			const found = defects(() => hat, order + 1, A, A);
			for (const value of found.slice(0, order)) expect(value).toBeLessThan(exact);
			expect(found[order]).toBeGreaterThan(1e-8);
		});
	});

	it("has an interpolant of its order, anywhere in the step", () => {
		const weights = interpolantWeights(
			b,
			table.dense.map((row) => square([row], size)[0]),
		);
		const found = defects(weights, table.denseOrder + 1, A, A, inside);
		for (const value of found.slice(0, table.denseOrder)) expect(value).toBeLessThan(exact);
		expect(found[table.denseOrder]).toBeGreaterThan(1e-8);
	});
});

describe.each([rodas5p, rodas6p])("$name", (table) => {
	const { gamma, a, C, m, dense, c, d, order, denseOrder } = table;
	const size = c.length;
	const nStages = m.length;
	// Gamma^-1 = I / gamma - C; alpha = a Gamma; b = m Gamma.
	const Gamma = inverseOfLower(
		square(C, size).map((row, i) => row.map((value, j) => (i === j ? 1 / gamma : 0) - value)),
	);
	const alpha = multiply(square(a, size), Gamma);
	const beta = alpha.map((row, i) => row.map((value, j) => value + Gamma[i][j]));
	const b = multiply(square([m], size), Gamma)[0];
	const bHat = multiply(square([m.slice(0, -1)], size), Gamma)[0];
	const exact = 1e-12;

	it("has nodes and time weights that are row sums", () => {
		alpha.forEach((row, i) => {
			expect(row.reduce((sum, value) => sum + value, 0)).toBeCloseTo(c[i], 11);
			expect(Gamma[i].reduce((sum, value) => sum + value, 0)).toBeCloseTo(d[i], 11);
		});
	});

	it("meets the order conditions of its order and no more", () => {
		const found = defects(() => b, order + 1, beta, alpha);
		for (const value of found.slice(0, order)) expect(value).toBeLessThan(exact);
		expect(found[order]).toBeGreaterThan(1e-8);
	});

	it("has an embedded method of one order less", () => {
		const found = defects(() => bHat, order, beta, alpha);
		for (const value of found.slice(0, order - 1)) expect(value).toBeLessThan(exact);
		expect(found[order - 1]).toBeGreaterThan(1e-8);
	});

	it("has an interpolant of its order, anywhere in the step", () => {
		const weights = interpolantWeights(
			b,
			multiply(
				dense.map((row) => [...row]),
				Gamma,
			),
		);
		const found = defects(weights, denseOrder + 1, beta, alpha, inside);
		for (const value of found.slice(0, denseOrder)) expect(value).toBeLessThan(exact);
		expect(found[denseOrder]).toBeGreaterThan(1e-8);
	});

	it("is stiffly accurate: the row of its last stage is its weights", () => {
		beta[nStages - 1].forEach((value, j) => {
			expect(value).toBeCloseTo(b[j], 11);
		});
	});
});

function multiply(left: Matrix, right: Matrix): Matrix {
	return left.map((row) =>
		right[0].map((_, j) => row.reduce((sum, value, k) => sum + value * right[k][j], 0)),
	);
}

function inverseOfLower(L: Matrix): Matrix {
	const inverse = L.map((row) => row.map(() => 0));
	L.forEach((row, i) => {
		for (let j = 0; j <= i; j++) {
			let sum = i === j ? 1 : 0;
			for (let k = j; k < i; k++) sum -= row[k] * inverse[k][j];
			inverse[i][j] = sum / row[i];
		}
	});
	return inverse;
}
