import { expect, test } from "vitest";
import { solveTriangleInto, triangulateInto } from "../../src/num/linear/householder.ts";
import { triangulate } from "../../src/num/linear/least-squares.ts";
import { stream } from "../../src/num/random.ts";

test("triangle, Qᵀb and what is left agree with the row-major routine and with the residual", () => {
	const [m, n] = [17, 5];
	const random = stream(1, "householder");
	const rows = Float64Array.from({ length: m * n }, (_, k) => random.normal(k));
	const b = Float64Array.from({ length: m }, (_, k) => random.normal(1000 + k));
	const columns = new Float64Array(m * n);
	for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) columns[j * m + i] = rows[i * n + j];
	const right = b.slice();
	triangulateInto(columns, m, right, m, n);
	const { r, qtb } = triangulate(rows.slice(), b.slice(), m, n);
	for (let j = 0; j < n; j++) {
		expect(Math.abs(right[j])).toBeCloseTo(Math.abs(qtb[j]), 12);
		for (let i = 0; i <= j; i++) expect(Math.abs(columns[j * m + i])).toBeCloseTo(Math.abs(r[i * n + j]), 12);
	}
	const x = right.slice(0, n);
	solveTriangleInto(x, columns, m, n);
	let residual = 0;
	for (let i = 0; i < m; i++) {
		let value = b[i];
		for (let j = 0; j < n; j++) value -= rows[i * n + j] * x[j];
		residual += value ** 2;
	}
	let left = 0;
	for (let i = n; i < m; i++) left += right[i] ** 2;
	expect(left).toBeCloseTo(residual, 12);
});
