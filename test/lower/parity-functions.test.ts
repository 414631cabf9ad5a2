import { describe, expect, test } from "vitest";
import { functionKernel } from "../../src/lower/compile-function.ts";
import { Graph, unaryFunctions } from "../../src/model/graph.ts";
import { differences, runJs, runWasm } from "./support/batch.ts";
import { hasCompiler, runNative } from "./support/native.ts";
import { numberModule } from "./support/number-module.ts";
import { RandomDoubles } from "./support/random-doubles.ts";

const special = [
	Number.NaN,
	Number.POSITIVE_INFINITY,
	Number.NEGATIVE_INFINITY,
	0,
	-0,
	Number.MIN_VALUE,
	-Number.MIN_VALUE,
	2.2250738585072014e-308,
	Number.MAX_VALUE,
	-Number.MAX_VALUE,
	1,
	-1,
	0.5,
	-0.5,
	2,
	-3,
	709.78,
	710.5,
	-745.2,
	-746,
	1e22,
	-1e300,
	2 ** 20,
	2 ** 52 + 1,
	Math.PI,
];

/** Every function of the language, on special values, their pairs, and random doubles of all sizes. */
function everything() {
	const g = new Graph();
	const [x, y] = [g.sym("x"), g.sym("y")];
	const outputs = [
		...unaryFunctions.map((name) => g.unary(name, x)),
		g.pow(x, y),
		g.binary("min", x, y),
		g.binary("max", x, y),
		g.sqrt(x),
		g.pow(x, g.const(-7)),
		g.if(g.compare("le", x, y), x, g.neg(y)),
	];
	const kernel = functionKernel(outputs, [
		{ name: "x", symbols: ["x"] },
		{ name: "y", symbols: ["y"] },
	]);
	const r = new RandomDoubles(4);
	const points: [number, number][] = special.flatMap((a) => special.map((b): [number, number] => [a, b]));
	for (let i = 0; i < 3000; i++) points.push([r.magnitude(-40, 12), r.magnitude(-8, 5)]);
	for (let i = 0; i < 1000; i++) points.push([r.magnitude(-1074, 1023.9), r.magnitude(-1074, 1023.9)]);
	while (points.length % 64 !== 0) points.push([1.5, 2.5]);
	const batch = points.length;
	const buffers = {
		x: Float64Array.from(points, ([a]) => a),
		y: Float64Array.from(points, ([, b]) => b),
		out: new Float64Array(outputs.length * batch),
	};
	return { kernel, batch, buffers };
}

describe("elementary functions have the same bits everywhere", () => {
	const { kernel, batch, buffers } = everything();
	const js = runJs(kernel, batch, buffers, []);

	test("on the expected values, first of all", () => {
		const where = (x: number): number => special.findIndex((value) => Object.is(value, x));
		const at = (output: number, x: number): number =>
			js.out[output * batch + where(x) * special.length + where(2)];
		expect(at(unaryFunctions.indexOf("exp"), Number.NEGATIVE_INFINITY)).toBe(0);
		expect(at(unaryFunctions.indexOf("log"), 0)).toBe(Number.NEGATIVE_INFINITY);
		expect(at(unaryFunctions.indexOf("sin"), -0)).toBe(-0);
		expect(at(unaryFunctions.indexOf("sin"), 1e22)).toBe(-0.8522008497671888);
		expect(at(unaryFunctions.indexOf("sign"), -0)).toBe(-0);
		expect(at(unaryFunctions.indexOf("asin"), 2)).toBeNaN();
		// Every operation but the choice of a branch gives NaN for NaN.
		for (let output = 0; output < js.out.length / batch - 1; output++)
			expect(at(output, Number.NaN)).toBeNaN();
	});

	for (const shape of [
		{ width: 1, groups: 1 },
		{ width: 2, groups: 1 },
		{ width: 2, groups: 2 },
		{ width: 2, groups: 4 },
	] as const)
		test(`wasm, ${shape.width} × ${shape.groups} lanes`, () => {
			expect(differences(kernel, js, runWasm(kernel, shape, batch, buffers, []))).toEqual([]);
		});

	for (const flags of [["-DWIDTH=1"], ["-DWIDTH=2"], ["-DWIDTH=8"], ["-DWIDTH=4", "-march=native"]])
		test.skipIf(!hasCompiler)(`C, ${flags.join(" ")}`, () => {
			expect(differences(kernel, js, runNative(kernel, batch, buffers, [], flags).buffers)).toEqual([]);
		});

	test("the functions on numbers are those of the definitions", async () => {
		await expect(numberModule()).toMatchFileSnapshot("../../src/num/elementary/number.ts");
	});
});
