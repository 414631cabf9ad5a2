/**
 * The sum of squares of ŷ - y for a batch of λ in one pass without any memory a lane: for forms in which g is affine in
 * the hidden states and these do not depend on one another. The dependence on each q₀ is carried through the observer
 * as well (z = z^U + Σ q₀ z^V), and the sum of squares as a quadratic form in (1, q₀, R), which are known at the end. The
 * observer starts from a guess of R, so that what has to cancel is small.
 *
 * Uniform buffers: `y`, `rest` (base - y at the starts), `phi`, `byG`, `first`, `closing`, `gram` (Σ PᵀP, m × m), `baseR`,
 * `guess` (m). Lane: in `lambda`; out `sse`, `R`, `q0`.
 */
import type { Buffer, Value, Variable } from "../../../src/lower/builder.ts";
import { ExpressionLowering } from "../../../src/lower/expression.ts";
import type { Kernel } from "../../../src/lower/ir.ts";
import type { PeriodicForm } from "../../../src/methods/periodic/form/form.ts";
import { shareExponentials } from "../../../src/methods/periodic/form/shared-exponentials.ts";
import { QuickBuilder } from "../../../src/methods/periodic/observer/quick-builder.ts";
import { Dependence } from "../../../src/model/dependence.ts";
import type { Node } from "../../../src/model/graph.ts";
import { affineIn } from "../../../src/model/structure/affine.ts";
import type { GaussRule } from "../../../src/num/gauss-legendre.ts";
import { gatherReciprocals, invertAll } from "./reciprocals.ts";

const ranks = { lambda: 0, record: 1, node: 2 };

/** Whether one pass is enough for a form. */
export function canStream({ graph, hidden, g, lambda }: PeriodicForm): boolean {
	const dependence = new Dependence();
	const names = hidden.map(({ component }) => component);
	const independent = hidden.every(
		({ alpha, w, closure }) =>
			!closure && !names.some((name) => dependence.has(alpha, name) || dependence.has(w, name)),
	);
	return lambda.length > 0 && independent && g.every((row) => affineIn(graph, row, names) !== undefined);
}

export function streamedKernel(form: PeriodicForm, rule: GaussRule): Kernel {
	return new StreamedKernel(form, rule).overLambda();
}

/**
 * The same with one λ spread over many lanes: a lane does one chunk of the period from rest, and writes the affine map
 * that the chunk is, and its part of the sum of squares. `combineChunks` joins them.
 *
 * Lane buffers, one lane a chunk: in `y`, `rest`, `phi`, `byG`, `first` (rows of Φ from the start of the chunk); out
 * `maps` (for each hidden state U and V, then z^U and each z^V), `sums` (squares, then products with P). Uniform: `lambda`.
 */
export function chunkKernel(form: PeriodicForm, rule: GaussRule): Kernel {
	return new StreamedKernel(form, rule).overChunks();
}

interface Io {
	readonly y: Buffer;
	readonly rest: Buffer;
	readonly phi: Buffer;
	readonly byG: Buffer;
	readonly first: Buffer;
	readonly h: Value;
}

interface Pass {
	readonly U: readonly Variable[];
	readonly V: readonly Variable[];
	readonly z: readonly (readonly Variable[])[];
	/** Σ of products of the outputs of z, and of each with P. */
	readonly square: readonly Variable[];
	readonly cross: readonly Variable[];
}

class StreamedKernel {
	readonly #b = new QuickBuilder();
	readonly #params = new Map<string, Value>();
	readonly #names: readonly string[];
	/** α and w of each hidden state, then for each row of g its offset and its coefficients. */
	readonly #hidden: readonly (readonly [Node, Node])[];
	readonly #g: readonly { readonly offset: Node; readonly coefficients: readonly Node[] }[];
	/** Denominators that share one division, by the symbol of their reciprocal. */
	readonly #reciprocals: ReadonlyMap<string, Node>;
	readonly #n: number;
	readonly #m: number;

	constructor(
		readonly form: PeriodicForm,
		readonly rule: GaussRule,
	) {
		const { graph, hidden, g } = form;
		this.#n = form.chain.length;
		this.#m = this.#n + form.terms.length;
		this.#names = hidden.map(({ component }) => component);
		const split = g.map((row) => {
			const affine = affineIn(graph, row, this.#names)!;
			return [affine.offset, ...this.#names.map((name) => affine.coefficients.get(name) ?? graph.zero)];
		});
		const shared = shareExponentials(graph, [
			...hidden.flatMap(({ alpha, w }) => [alpha, w]),
			...split.flat(),
		]);
		const dependence = new Dependence();
		const { roots: nodes, reciprocals } = gatherReciprocals(graph, shared, (node) =>
			dependence.has(node, form.output),
		);
		this.#reciprocals = reciprocals;
		this.#hidden = hidden.map((_, i) => [nodes[2 * i], nodes[2 * i + 1]]);
		const width = 1 + hidden.length;
		const rows = nodes.slice(2 * hidden.length);
		this.#g = g.map((_, a) => ({
			offset: rows[a * width],
			coefficients: rows.slice(a * width + 1, (a + 1) * width),
		}));
	}

	overLambda(): Kernel {
		const b = this.#b;
		const { form } = this;
		const m = this.#m;
		const buffers = this.#recordBuffers("uniform");
		const closing = b.buffer("closing", "uniform");
		const gram = b.buffer("gram", "uniform");
		const baseR = b.buffer("baseR", "uniform");
		const guess = b.buffer("guess", "uniform");
		const lambda = b.buffer("lambda", "lane");
		const sse = b.buffer("sse", "lane", "write");
		const R = b.buffer("R", "lane", "write");
		const q0 = b.buffer("q0", "lane", "write");
		const intervals = b.scalar("intervals", "int");
		const io: Io = { ...buffers, h: b.scalar("h", "real") };
		this.#loadParams(lambda);
		const zero = b.mul(this.#params.get(form.lambda[0])!, b.constant(0));
		const { U, V, z, square, cross } = this.#pass(intervals, io, zero, (a) => b.load(guess, a));
		// q₀ = B/(1 - A), z_T, then R = (I - Φ_T)⁻¹ z_T.
		const starts = U.map((u, i) => b.div(b.get(u), b.sub(b.constant(1), b.get(V[i]))));
		starts.forEach((value, i) => {
			b.store(q0, i, value);
		});
		const weights = [undefined, ...starts];
		const combined = (values: readonly Value[]): Value =>
			this.#sum(values.map((value, i) => (weights[i] ? b.mul(weights[i]!, value) : value)));
		// From the guess c the pass ends at z_T + Φ_T c; R - c = (I - Φ_T)⁻¹ (z_T + Φ_T c - c).
		const end = Array.from({ length: m }, (_, a) => combined(z.map((row) => b.get(row[a]))));
		const off = end.map((value, a) => b.sub(value, b.load(guess, a)));
		const change = end.map((_, a) =>
			this.#sum(off.map((value, c) => b.mul(b.load(closing, a * m + c), value))),
		);
		change.forEach((value, a) => {
			b.store(R, a, b.add(b.add(value, b.load(guess, a)), b.load(baseR, a)));
		});
		b.store(sse, 0, this.#quadratic(square, cross, gram, weights, change));
		return b.kernel("periodicSumOfSquares");
	}

	overChunks(): Kernel {
		const b = this.#b;
		const buffers = this.#recordBuffers("lane");
		const lambda = b.buffer("lambda", "uniform");
		const maps = b.buffer("maps", "lane", "write");
		const sums = b.buffer("sums", "lane", "write");
		const intervals = b.scalar("intervals", "int");
		const io: Io = { ...buffers, h: b.scalar("h", "real") };
		this.#loadParams(lambda);
		const zero = b.mul(b.load(buffers.y, 0), b.constant(0));
		const { U, V, z, square, cross } = this.#pass(intervals, io, zero);
		[...U.flatMap((u, i) => [u, V[i]]), ...z.flat()].forEach((variable, e) => {
			b.store(maps, e, b.get(variable));
		});
		[...square, ...cross].forEach((variable, e) => {
			b.store(sums, e, b.get(variable));
		});
		return b.kernel("periodicChunk");
	}

	#recordBuffers(kind: "uniform" | "lane"): Omit<Io, "h"> {
		const b = this.#b;
		return {
			y: b.buffer("y", kind),
			rest: b.buffer("rest", kind),
			phi: b.buffer("phi", kind),
			byG: b.buffer("byG", kind),
			first: b.buffer("first", kind),
		};
	}

	#loadParams(lambda: Buffer): void {
		const b = this.#b;
		const { form } = this;
		form.lambda.forEach((name, i) => {
			this.#params.set(name, b.load(lambda, i));
		});
		for (const name of form.constants) this.#params.set(name, b.scalar(`constant ${name}`, "real"));
		const nodes = [
			...this.#hidden.flat(),
			...this.#g.flatMap(({ offset, coefficients }) => [offset, ...coefficients]),
			...this.#reciprocals.values(),
		];
		this.#lowering(undefined).hoist(nodes, ranks.lambda);
	}

	/** All intervals, from rest or from a guess of the observer's state. */
	#pass(intervals: Value, io: Io, zero: Value, guess?: (a: number) => Value): Pass {
		const b = this.#b;
		const [m, d] = [this.#m, this.form.hidden.length];
		const variable = (initial: Value): Variable => b.variable("lane", initial);
		const U = this.form.hidden.map(() => variable(zero));
		const V = this.form.hidden.map(() => variable(b.add(zero, b.constant(1))));
		// Row 0 goes with 1, row 1 + i with q₀ of hidden state i.
		const z = Array.from({ length: 1 + d }, (_, i) =>
			Array.from({ length: m }, (_, a) => variable(i === 0 && guess ? b.add(zero, guess(a)) : zero)),
		);
		const square = triangle(1 + d).map(() => variable(zero));
		const cross = Array.from({ length: (1 + d) * m }, () => variable(zero));
		b.loop(b.int(0), intervals, (k) => {
			this.#accumulate(k, io, z, square, cross);
			this.#step(k, io, z, U, V);
		});
		return { U, V, z, square, cross };
	}

	/** Σ (d_k + P_k·change)² from the sums over k. */
	#quadratic(
		square: readonly Variable[],
		cross: readonly Variable[],
		gram: Buffer,
		weights: readonly (Value | undefined)[],
		change: readonly Value[],
	): Value {
		const b = this.#b;
		const m = this.#m;
		const times = (i: number, value: Value): Value => (weights[i] ? b.mul(weights[i]!, value) : value);
		const parts = triangle(weights.length).map(([i, j], at) => {
			const value = times(i, times(j, b.get(square[at])));
			return i === j ? value : b.add(value, value);
		});
		for (let a = 0; a < m; a++) {
			const along = this.#sum(weights.map((_, i) => times(i, b.get(cross[i * m + a]))));
			const own = this.#sum(change.map((value, c) => b.mul(b.load(gram, a * m + c), value)));
			parts.push(b.mul(change[a], b.add(b.add(along, along), own)));
		}
		return this.#sum(parts);
	}

	#accumulate(
		k: Value,
		io: Io,
		z: readonly (readonly Variable[])[],
		square: readonly Variable[],
		cross: readonly Variable[],
	): void {
		const b = this.#b;
		const m = this.#m;
		const values = z.map((row, i) => (i === 0 ? b.add(b.get(row[0]), b.load(io.rest, k)) : b.get(row[0])));
		triangle(values.length).forEach(([i, j], at) => {
			b.set(square[at], b.add(b.get(square[at]), b.mul(values[i], values[j])));
		});
		const row = b.intMul(k, b.int(m));
		for (let a = 0; a < m; a++) {
			const first = b.load(io.first, b.intAdd(row, b.int(a)));
			values.forEach((value, i) => {
				b.set(cross[i * m + a], b.add(b.get(cross[i * m + a]), b.mul(first, value)));
			});
		}
	}

	#step(
		k: Value,
		io: Io,
		z: readonly (readonly Variable[])[],
		U: readonly Variable[],
		V: readonly Variable[],
	): void {
		const b = this.#b;
		const { stages } = this.rule;
		const [n, m] = [this.#n, this.#m];
		const at = b.intMul(k, b.int(stages));
		const lowerings = Array.from({ length: stages }, (_, j) =>
			this.#lowering(b.load(io.y, b.intAdd(at, b.int(j)))),
		);
		const q = this.#hidden.map((pair, i) => {
			const nodes = lowerings.map((lowering) => lowering.lower(pair));
			return this.#hiddenStep(io.h, nodes, U[i], V[i]);
		});
		// g at the nodes: what goes with 1, then with each q₀.
		const g = lowerings.map((lowering, j) =>
			this.#g.map(({ offset, coefficients }) => {
				const [own, ...factors] = lowering.lower([offset, ...coefficients]);
				const withU = factors.map((factor, i) => b.mul(factor, q[i][j].u));
				return [this.#sum([own, ...withU]), ...factors.map((factor, i) => b.mul(factor, q[i][j].v))];
			}),
		);
		const row = b.intMul(k, b.int(m * m));
		const rowG = b.intMul(k, b.int(m * stages * n));
		const states = z.map((each) => each.map((variable) => b.get(variable)));
		for (let a = 0; a < m; a++) {
			const phi = states[0].map((_, c) => b.load(io.phi, b.intAdd(row, b.int(a * m + c))));
			const byG = Array.from({ length: stages * n }, (_, c) =>
				b.load(io.byG, b.intAdd(rowG, b.int(a * stages * n + c))),
			);
			z.forEach((each, i) => {
				const parts = states[i].map((value, c) => b.mul(phi[c], value));
				for (let j = 0; j < stages; j++)
					for (let c = 0; c < n; c++) parts.push(b.mul(byG[j * n + c], g[j][c][i]));
				b.set(each[a], this.#sum(parts));
			});
		}
	}

	/** U and V at the nodes, and at the end of the interval into their variables. */
	#hiddenStep(
		h: Value,
		nodes: readonly (readonly Value[])[],
		U: Variable,
		V: Variable,
	): { u: Value; v: Value }[] {
		const b = this.#b;
		const { stages, upTo, weights } = this.rule;
		const [u, v] = [b.get(U), b.get(V)];
		if (stages === 1) {
			// The implicit midpoint rule is of the same order and needs no exponential.
			const [[alpha, w]] = nodes;
			const half = b.mul(h, b.constant(0.5));
			const factor = b.div(b.constant(1), b.sub(b.constant(1), b.mul(half, alpha)));
			const middle = { u: b.mul(factor, b.add(u, b.mul(half, w))), v: b.mul(factor, v) };
			b.set(U, b.sub(b.add(middle.u, middle.u), u));
			b.set(V, b.sub(b.add(middle.v, middle.v), v));
			return [middle];
		}
		const integral = (weight: (l: number) => number): Value =>
			b.mul(h, this.#sum(nodes.map(([alpha], l) => b.mul(alpha, b.constant(weight(l))))));
		const growth = nodes.map((_, j) =>
			b.call(
				"exp",
				integral((l) => upTo[j * stages + l]),
			),
		);
		const sources = nodes.map(([, w], j) => b.div(b.mul(h, w), growth[j]));
		const part = (weight: (l: number) => number): Value =>
			b.add(u, this.#sum(sources.map((source, l) => b.mul(source, b.constant(weight(l))))));
		const values = growth.map((factor, j) => ({
			u: b.mul(
				factor,
				part((l) => upTo[j * stages + l]),
			),
			v: b.mul(factor, v),
		}));
		const whole = b.call(
			"exp",
			integral((l) => weights[l]),
		);
		b.set(
			U,
			b.mul(
				whole,
				part((l) => weights[l]),
			),
		);
		b.set(V, b.mul(whole, v));
		return values;
	}

	#sum(values: readonly Value[]): Value {
		return values.reduce((sum, value) => this.#b.add(sum, value));
	}

	#lowering(y: Value | undefined): ExpressionLowering {
		const inverse = new Map<string, Value>();
		const symbol = (name: string): Value => this.#params.get(name) ?? inverse.get(name) ?? y!;
		const rank = (name: string): number => (this.#params.has(name) ? ranks.lambda : ranks.record);
		const lowering = new ExpressionLowering(this.#b, symbol, rank);
		if (!y || this.#reciprocals.size === 0) return lowering;
		const values = invertAll(this.#b, lowering.lower([...this.#reciprocals.values()]));
		[...this.#reciprocals.keys()].forEach((name, i) => {
			inverse.set(name, values[i]);
		});
		return lowering;
	}
}

/** Pairs i <= j below n. */
function triangle(n: number): [number, number][] {
	return Array.from({ length: n }, (_, i) =>
		Array.from({ length: n - i }, (_, j): [number, number] => [i, i + j]),
	).flat();
}
