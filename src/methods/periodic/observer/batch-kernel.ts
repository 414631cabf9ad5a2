/**
 * ŷ(λ, t) for a batch of λ on one grid, one λ a lane: WebAssembly SIMD, C and CUDA come from this one kernel. Each hidden
 * state is scanned once with its dependence on q₀ carried along (q = U + V q₀), then closed, q₀ = B/(1 - A); then g drives
 * the observer from rest, and R, known at the end, is put in afterwards, ŷ_k = z_k + (Φ(t_k, 0) R)₁.
 *
 * Uniform buffers: see `batchArguments`. Lane buffers: in `lambda`; out `yhat` (intervals), `sse`, `R` (n + r), `q0` and
 * `closure` (one a hidden state); scratch `uv` (2 · hidden · nodes).
 */
import type { Buffer, Value, Variable } from "../../../lower/builder.ts";
import { ExpressionLowering, madeOnce } from "../../../lower/expression.ts";
import type { Kernel } from "../../../lower/ir.ts";
import type { Node } from "../../../model/graph.ts";
import type { GaussRule } from "../../../num/gauss-legendre.ts";
import type { PeriodicForm } from "../form/form.ts";
import { shareExponentials } from "../form/shared-exponentials.ts";
import { QuickBuilder } from "./quick-builder.ts";

const ranks = { lambda: 0, record: 1, node: 2 };

export function representationKernel(form: PeriodicForm, rule: GaussRule): Kernel {
	return new RepresentationKernel(form, rule).build();
}

class RepresentationKernel {
	readonly #b = new QuickBuilder();
	readonly #params = new Map<string, Value>();
	readonly #hidden: readonly {
		readonly alpha: Node;
		readonly w: Node;
		readonly coefficient: Node | undefined;
	}[];
	readonly #g: readonly Node[];
	readonly #n: number;
	readonly #m: number;

	constructor(
		readonly form: PeriodicForm,
		readonly rule: GaussRule,
	) {
		const { graph, hidden, g } = form;
		this.#n = form.chain.length;
		this.#m = this.#n + form.terms.length;
		this.#hidden = hidden.map(({ alpha, w, closure }) => {
			const [a, b] = shareExponentials(graph, [closure?.rest ?? alpha, w]);
			return { alpha: a, w: b, coefficient: closure?.coefficient };
		});
		this.#g = shareExponentials(graph, g);
	}

	build(): Kernel {
		const b = this.#b;
		const { form } = this;
		const m = this.#m;
		const y = b.buffer("y", "uniform");
		const drive = b.buffer("drive", "uniform");
		const starts = b.buffer("yStarts", "uniform");
		const base = b.buffer("base", "uniform");
		const phi = b.buffer("phi", "uniform");
		const byG = b.buffer("byG", "uniform");
		const first = b.buffer("first", "uniform");
		const closing = b.buffer("closing", "uniform");
		const baseR = b.buffer("baseR", "uniform");
		const lambda = b.buffer("lambda", "lane");
		const uv = b.buffer("uv", "lane", "update");
		const yhat = b.buffer("yhat", "lane", "update");
		const sse = b.buffer("sse", "lane", "write");
		const R = b.buffer("R", "lane", "write");
		const q0 = b.buffer("q0", "lane", "write");
		const closure = b.buffer("closure", "lane", "write");
		const intervals = b.scalar("intervals", "int");
		const h = b.scalar("h", "real");
		const constants = form.constants.map((name) => b.scalar(`constant ${name}`, "real"));
		form.lambda.forEach((name, i) => {
			this.#params.set(name, b.load(lambda, i));
		});
		form.constants.forEach((name, i) => {
			this.#params.set(name, constants[i]);
		});
		this.#lowering(new Map()).hoist(
			[...this.#hidden.flatMap(({ alpha, w }) => [alpha, w]), ...this.#g],
			ranks.lambda,
		);
		const q = this.#scans({ y, drive, uv, lambda, intervals, h, q0, closure });
		this.#observe({ y, drive, uv, phi, byG, yhat, intervals, q });
		// R = (I - Φ_T)⁻¹ z_T, and what of R the record alone contributes.
		const end = this.#state.map((variable) => b.get(variable));
		const solved = Array.from({ length: m }, (_, a) =>
			this.#sum(end.map((value, c) => b.mul(b.load(closing, a * m + c), value))),
		);
		for (let a = 0; a < m; a++) b.store(R, a, b.add(solved[a], b.load(baseR, a)));
		const total = b.variable("lane", b.mul(solved[0], b.constant(0)));
		b.loop(b.int(0), intervals, (k) => {
			const row = b.intMul(k, b.int(m));
			const parts = solved.map((value, c) => b.mul(b.load(first, b.intAdd(row, b.int(c))), value));
			const value = b.add(b.add(b.load(yhat, k), b.load(base, k)), this.#sum(parts));
			b.store(yhat, k, value);
			const rest = b.sub(value, b.load(starts, k));
			b.set(total, b.add(b.get(total), b.mul(rest, rest)));
		});
		b.store(sse, 0, b.get(total));
		return b.kernel("periodicRepresentation");
	}

	/** U and V of every hidden state into the scratch; returns q₀ of each. */
	#scans(io: {
		y: Buffer;
		drive: Buffer;
		uv: Buffer;
		lambda: Buffer;
		intervals: Value;
		h: Value;
		q0: Buffer;
		closure: Buffer;
	}): Value[] {
		const b = this.#b;
		const { form, rule } = this;
		const found: Value[] = [];
		let level = form.lambda.length;
		form.hidden.forEach((_, i) => {
			const rate = this.#closure(i, io, found);
			b.store(io.closure, i, rate ?? b.constant(0));
			const U = b.variable("lane", b.mul(this.#anyLane(io.lambda), b.constant(0)));
			const V = b.variable("lane", b.add(b.get(U), b.constant(1)));
			b.loop(b.int(0), io.intervals, (k) => {
				const at = b.intMul(k, b.int(rule.stages));
				const nodes = this.#atNodes(i, at, io, found, rate);
				const integral = (weights: (l: number) => number): Value =>
					b.mul(io.h, this.#sum(nodes.map(({ alpha }, l) => b.mul(alpha, b.constant(weights(l))))));
				const growth = nodes.map((_, j) =>
					b.call(
						"exp",
						integral((l) => rule.upTo[j * rule.stages + l]),
					),
				);
				const sources = nodes.map(({ w }, j) => b.div(b.mul(io.h, w), growth[j]));
				const [u, v] = [b.get(U), b.get(V)];
				growth.forEach((factor, j) => {
					const part = this.#sum(
						sources.map((source, l) => b.mul(source, b.constant(rule.upTo[j * rule.stages + l]))),
					);
					b.store(io.uv, this.#place(i, at, j, 0), b.mul(factor, b.add(u, part)));
					b.store(io.uv, this.#place(i, at, j, 1), b.mul(factor, v));
				});
				const whole = this.#sum(sources.map((source, l) => b.mul(source, b.constant(rule.weights[l]))));
				// With one node in the middle the whole interval is twice the half.
				const a =
					rule.stages === 1
						? b.mul(growth[0], growth[0])
						: b.call(
								"exp",
								integral((l) => rule.weights[l]),
							);
				b.set(U, b.mul(a, b.add(u, whole)));
				b.set(V, b.mul(a, v));
			});
			const start = form.hidden[i].closure
				? b.load(io.lambda, level++)
				: b.div(b.get(U), b.sub(b.constant(1), b.get(V)));
			b.store(io.q0, i, start);
			found.push(start);
		});
		return found;
	}

	/** The parameter that makes the mean of α zero. */
	#closure(
		i: number,
		io: { y: Buffer; drive: Buffer; uv: Buffer; lambda: Buffer; intervals: Value },
		found: readonly Value[],
	): Value | undefined {
		const { coefficient, alpha } = this.#hidden[i];
		if (!coefficient) return undefined;
		const b = this.#b;
		const { stages, weights } = this.rule;
		const rest = b.variable("lane", b.mul(this.#anyLane(io.lambda), b.constant(0)));
		const factor = b.variable("lane", b.get(rest));
		b.loop(b.int(0), io.intervals, (k) => {
			const at = b.intMul(k, b.int(stages));
			for (let j = 0; j < stages; j++) {
				const lowering = this.#lowering(this.#symbols(at, j, io, found));
				const [value, slope] = lowering.lower([alpha, coefficient]);
				b.set(rest, b.add(b.get(rest), b.mul(value, b.constant(weights[j]))));
				b.set(factor, b.add(b.get(factor), b.mul(slope, b.constant(weights[j]))));
			}
		});
		return b.neg(b.div(b.get(rest), b.get(factor)));
	}

	#atNodes(
		i: number,
		at: Value,
		io: { y: Buffer; drive: Buffer; uv: Buffer; lambda: Buffer },
		found: readonly Value[],
		rate: Value | undefined,
	): { alpha: Value; w: Value }[] {
		const b = this.#b;
		const { alpha, w, coefficient } = this.#hidden[i];
		return Array.from({ length: this.rule.stages }, (_, j) => {
			const lowering = this.#lowering(this.#symbols(at, j, io, found));
			const [a, source] = lowering.lower([alpha, w]);
			const closed = rate && coefficient ? b.add(a, b.mul(rate, lowering.lower([coefficient])[0])) : a;
			return { alpha: closed, w: source };
		});
	}

	readonly #state: Variable[] = [];

	#observe(io: {
		y: Buffer;
		drive: Buffer;
		uv: Buffer;
		phi: Buffer;
		byG: Buffer;
		yhat: Buffer;
		intervals: Value;
		q: readonly Value[];
	}): void {
		const b = this.#b;
		const { stages } = this.rule;
		const [n, m] = [this.#n, this.#m];
		const zero = b.mul(this.#params.get(this.form.lambda[0]) ?? io.q[0], b.constant(0));
		for (let a = 0; a < m; a++) this.#state.push(b.variable("lane", zero));
		b.loop(b.int(0), io.intervals, (k) => {
			const at = b.intMul(k, b.int(stages));
			const state = this.#state.map((variable) => b.get(variable));
			b.store(io.yhat, k, state[0]);
			const g = Array.from({ length: stages }, (_, j) =>
				this.#lowering(this.#symbols(at, j, io, io.q)).lower(this.#g),
			);
			const row = b.intMul(k, b.int(m * m));
			const rowG = b.intMul(k, b.int(m * stages * n));
			for (let a = 0; a < m; a++) {
				const parts = state.map((value, c) => b.mul(b.load(io.phi, b.intAdd(row, b.int(a * m + c))), value));
				for (let j = 0; j < stages; j++)
					for (let c = 0; c < n; c++)
						parts.push(b.mul(b.load(io.byG, b.intAdd(rowG, b.int((a * stages + j) * n + c))), g[j][c]));
				b.set(this.#state[a], this.#sum(parts));
			}
		});
	}

	/** y, what drives, and the hidden states that are known, at node j of the interval whose first node is `at`. */
	#symbols(
		at: Value,
		j: number,
		io: { y: Buffer; drive: Buffer; uv: Buffer },
		found: readonly Value[],
	): Map<string, () => Value> {
		const b = this.#b;
		const symbols = new Map<string, () => Value>([
			[this.form.output, () => b.load(io.y, b.intAdd(at, b.int(j)))],
		]);
		const { drives } = this.form;
		drives.forEach((name, i) => {
			const place = (): Value => b.intAdd(b.intMul(at, b.int(drives.length)), b.int(j * drives.length + i));
			symbols.set(name, () => b.load(io.drive, place()));
		});
		found.forEach((start, i) => {
			symbols.set(this.form.hidden[i].component, () =>
				b.add(b.load(io.uv, this.#place(i, at, j, 0)), b.mul(b.load(io.uv, this.#place(i, at, j, 1)), start)),
			);
		});
		return symbols;
	}

	/** Where U (0) or V (1) of hidden state i stands in the scratch. */
	#place(i: number, at: Value, j: number, which: 0 | 1): Value {
		const b = this.#b;
		const width = 2 * this.form.hidden.length;
		return b.intAdd(b.intMul(b.intAdd(at, b.int(j)), b.int(width)), b.int(2 * i + which));
	}

	#anyLane(lambda: Buffer): Value {
		return this.#params.get(this.form.lambda[0]) ?? this.#b.load(lambda, 0);
	}

	#sum(values: readonly Value[]): Value {
		return values.reduce((sum, value) => this.#b.add(sum, value));
	}

	#lowering(symbols: ReadonlyMap<string, () => Value>): ExpressionLowering {
		const rank = (name: string): number =>
			this.#params.has(name) ? ranks.lambda : name === this.form.output ? ranks.record : ranks.node;
		return new ExpressionLowering(this.#b, madeOnce(this.#params, symbols), rank);
	}
}
