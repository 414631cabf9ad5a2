import { describe, expect, test } from "vitest";
import { compileFunction, functionKernel } from "../../src/lower/compile-function.ts";
import { Graph, type Node, unaryFunctions } from "../../src/model/graph.ts";
import * as Q from "../../src/model/rational.ts";
import { repetitions } from "../repetitions.ts";
import { differences, runJs, runWasm } from "./support/batch.ts";
import { hasCompiler, runNative } from "./support/native.ts";
import { RandomDoubles } from "./support/random-doubles.ts";

const names = ["a", "b", "c", "d"];

/** Random expressions of a few symbols, built bottom up from earlier ones. */
function randomGraph(seed: number, count: number): Node[] {
	const g = new Graph();
	const r = new RandomDoubles(seed);
	const nodes: Node[] = [...names.map((name) => g.sym(name)), g.const(3), g.const(-0.25), g.pi];
	const pick = (): Node => nodes[r.whole(nodes.length)];
	while (nodes.length < count) {
		const kind = r.whole(10);
		const power = g.const(Q.rational(r.whole(13) - 6, 1 + r.whole(3)));
		if (kind < 2) nodes.push(g.add(pick(), pick(), pick()));
		else if (kind < 4) nodes.push(g.mul(pick(), pick()));
		else if (kind === 4) nodes.push(g.div(pick(), g.mul(pick(), pick())));
		else if (kind === 5) nodes.push(g.pow(pick(), r.next() < 0.7 ? power : pick()));
		else if (kind === 6) nodes.push(g.sub(pick(), pick()));
		else if (kind === 7) nodes.push(g.binary(r.next() < 0.5 ? "min" : "max", pick(), pick()));
		else if (kind === 8)
			nodes.push(g.if(g.compare(r.next() < 0.5 ? "lt" : "le", pick(), pick()), pick(), pick()));
		else nodes.push(g.unary(unaryFunctions[r.whole(unaryFunctions.length)], pick()));
	}
	return nodes;
}

/** What an expression means, written down plainly. */
function evaluate(
	root: Node,
	values: Readonly<Record<string, number>>,
	memo = new Map<Node, number>(),
): number {
	const known = memo.get(root);
	if (known !== undefined) return known;
	const of = (node: Node): number => evaluate(node, values, memo);
	const value = ((): number => {
		const args = root.args;
		switch (root.op) {
			case "const":
				return Q.toDouble(root.value!);
			case "pi":
				return Math.PI;
			case "sym":
				return values[root.name!];
			case "add":
				return args.reduce((sum, arg) => sum + of(arg), 0);
			case "mul":
				return args.reduce((product, arg) => product * of(arg), 1);
			case "pow":
				return of(args[0]) ** of(args[1]);
			case "lt":
				return of(args[0]) < of(args[1]) ? 1 : 0;
			case "le":
				return of(args[0]) <= of(args[1]) ? 1 : 0;
			case "if":
				return of(args[0]) ? of(args[1]) : of(args[2]);
			case "min":
			case "max":
				return Math[root.op](of(args[0]), of(args[1]));
			case "call":
				return Number.NaN;
			default:
				return Math[root.op](of(args[0]));
		}
	})();
	memo.set(root, value);
	return value;
}

describe("lowered expressions", () => {
	test("mean what the graph says", () => {
		let compared = 0;
		for (let seed = 1; seed <= 40; seed++) {
			const nodes = randomGraph(seed, 30);
			const f = compileFunction(nodes, [{ name: "x", symbols: names }], "js");
			const r = new RandomDoubles(seed + 500);
			const out = new Float64Array(nodes.length);
			for (let i = 0; i < 20; i++) {
				const x = Float64Array.from(names, () => r.between(0.2, 1.8) * (r.next() < 0.3 ? -1 : 1));
				f(x, out);
				const values = Object.fromEntries(names.map((name, j) => [name, x[j]]));
				for (const [k, node] of nodes.entries()) {
					const expected = evaluate(node, values);
					// Rounding errors grow through wild expressions: compare what is of a sane size.
					if (node.size > 12 || !(Math.abs(expected) < 1e6 && Math.abs(expected) > 1e-6)) continue;
					expect(Math.abs(out[k] - expected), `seed ${seed}, node ${k}`).toBeLessThan(
						1e-7 * Math.abs(expected),
					);
					compared++;
				}
			}
		}
		expect(compared).toBeGreaterThan(5000);
	});

	const batch = 64;
	for (const seed of [11, 12, 13]) {
		const nodes = randomGraph(seed, 120);
		const kernel = functionKernel(nodes, [{ name: "x", symbols: names }]);
		const r = new RandomDoubles(seed);
		const x = Float64Array.from({ length: names.length * batch }, () => r.magnitude(-6, 5));
		const buffers = { x, out: new Float64Array(nodes.length * batch) };
		const js = runJs(kernel, batch, buffers, []);

		for (const groups of [1, 2, 4])
			test(`random graph ${seed}: js = wasm with ${groups} groups`, () => {
				const wasm = runWasm(kernel, { width: 2, groups }, batch, buffers, []);
				expect(differences(kernel, js, wasm)).toEqual([]);
			});
		test(`random graph ${seed}: js = wasm for one lane`, () => {
			expect(differences(kernel, js, runWasm(kernel, { width: 1, groups: 1 }, batch, buffers, []))).toEqual(
				[],
			);
			const args = [{ name: "x", symbols: names }];
			const [one, other] = (["js", "wasm"] as const).map((backend) => compileFunction(nodes, args, backend));
			const [a, b] = [new Float64Array(nodes.length), new Float64Array(nodes.length)];
			for (let lane = 0; lane < batch; lane++) {
				const point = Float64Array.from(names, (_, i) => x[i * batch + lane]);
				one(point, a);
				other(point, b);
				expect(a).toEqual(b);
				expect(a).toEqual(Float64Array.from(nodes, (_, i) => js.out[i * batch + lane]));
			}
		});
		// The compiler takes seconds for each.
		if (seed > repetitions(11, 13)) continue;
		test.skipIf(!hasCompiler)(`random graph ${seed}: js = C`, () => {
			for (const [flags, groups] of [
				[["-DWIDTH=2"], 2],
				[["-DWIDTH=4", "-march=native"], 1],
			] as const) {
				const native = runNative(kernel, batch, buffers, [], flags, { groups });
				expect(differences(kernel, js, native.buffers)).toEqual([]);
			}
		});
	}
});
