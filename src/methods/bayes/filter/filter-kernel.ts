/**
 * The probabilistic ODE filter over a whole record as one kernel: particles in lanes; mean, covariance, diffusion and
 * log-likelihood in registers from the first sample to the last.
 *
 * Reference: Longbottom, Champneys, Rogers, "Probabilistic numeric SMC sampling for Bayesian nonlinear system
 * identification in continuous time", 2024 [longbottom2024], eqs. (12)–(20). It departs from the paper in this: native
 * second-order blocks; y = g(x, u, θ) corrects through g's own Jacobian; Γ of a step includes that step's ẑ; EKF1 where
 * asked for.
 *
 * Buffers: see `filter-grid.ts` for the uniform ones. Lane: `params`, `initial` (free initial values); `mean`, `cov`,
 * `diffusion`, `logLik` hold the state between calls; out `increments` (one a sample) or `value`, `variance` and
 * `noise` (one a sample and output) where asked for.
 */

import { type Buffer, KernelBuilder, type Value, type Variable } from "../../../lower/builder.ts";
import { ExpressionLowering } from "../../../lower/expression.ts";
import { Differentiator } from "../../../model/derivative.ts";
import type { Node } from "../../../model/graph.ts";
import { symbolsOf } from "../../../model/walk.ts";
import { CovarianceStep, type EntryAlgebra, type Row, Symmetric } from "./covariance.ts";
import { covariancePattern } from "./covariance-pattern.ts";
import type { FilterKernel, FilterSpec } from "./filter-spec.ts";
import { derivativesAlong, inputDerivative } from "./initial-derivatives.ts";
import { pascalAdditions } from "./integrated-wiener.ts";
import { type ScaleRow, scaleRow } from "./scale-row.ts";

export type { FilterKernel, FilterSpec } from "./filter-spec.ts";

const ranks = { param: 0, step: 1, state: 2 };
/** Samples whose variances share one logarithm. */
const logGroup = 8;

export function filterKernel(spec: FilterSpec): FilterKernel {
	return new FilterCode(spec).build();
}

class FilterCode {
	readonly #b = new KernelBuilder();
	readonly #entries: EntryAlgebra<Value>;
	readonly #params = new Map<string, Value>();
	readonly #ranks = new Map<string, number>();
	readonly #inputs: readonly string[];
	/** ∂rhs/∂component of each block (EKF1), and ∂measure/∂component. */
	readonly #dRhs: Node[][];
	readonly #dMeasure: Node[][];
	readonly #pairs: [number, number][];
	readonly #row: ScaleRow;
	#mean: Variable[] = [];
	#cov: Variable[] = [];
	#diffusion: Variable[] = [];
	#given: Value[] = [];
	#logLik!: Variable;
	#product!: Variable;

	constructor(readonly spec: FilterSpec) {
		const b = this.#b;
		const { model, layout } = spec;
		this.#entries = {
			add: (x, y) => b.add(x, y),
			sub: (x, y) => b.sub(x, y),
			mul: (x, y) => b.mul(x, y),
			times: (x, factor) => (factor === 1 ? x : factor === -1 ? b.neg(x) : b.mul(x, b.constant(factor))),
			reciprocal: (x, guarded) => {
				const inverse = b.div(b.constant(1), x);
				return guarded ? b.select(b.lt(b.constant(0), x), inverse, b.constant(0)) : inverse;
			},
		};
		this.#inputs = model.inputs.map(({ name }) => name);
		const d = new Differentiator(model.graph);
		this.#dRhs =
			spec.linearisation === "ekf1"
				? layout.blocks.map(({ rhs }) => d.jacobian([rhs], model.components))
				: [];
		this.#dMeasure = model.measures.map(({ value }) => d.jacobian([value], model.components));
		for (const name of ["t", ...this.#inputs]) this.#ranks.set(name, ranks.step);
		for (const name of model.components) this.#ranks.set(name, ranks.state);
		this.#pairs = covariancePattern(spec, this.#dRhs, this.#dMeasure).pairs();
		this.#row = scaleRow(layout);
	}

	build(): FilterKernel {
		const b = this.#b;
		const { model, layout, params, freeInitial, update, output, diffusion } = this.spec;
		const buffers = {
			stepOf: b.buffer("stepOf", "uniform"),
			scale: b.buffer("scale", "uniform"),
			weight: b.buffer("weight", "uniform"),
			gain: b.buffer("gain", "uniform"),
			t: b.buffer("t", "uniform"),
			u: b.buffer("u", "uniform"),
			sampleT: b.buffer("sampleT", "uniform"),
			sampleU: b.buffer("sampleU", "uniform"),
			startU: b.buffer("startU", "uniform"),
			y: b.buffer("y", "uniform"),
			present: b.buffer("present", "uniform"),
			params: b.buffer("params", "lane"),
			initial: b.buffer("initial", "lane"),
			mean: b.buffer("mean", "lane", "update"),
			cov: b.buffer("cov", "lane", "update"),
			diffusion: b.buffer("diffusion", "lane", "update"),
			logLik: b.buffer("logLik", "lane", "update"),
		};
		const increments = output === "increments" ? b.buffer("increments", "lane", "write") : undefined;
		const value = output === "moments" ? b.buffer("value", "lane", "write") : undefined;
		const variance = output === "moments" ? b.buffer("variance", "lane", "write") : undefined;
		const spread = output === "moments" ? b.buffer("noise", "lane", "write") : undefined;
		const from = b.scalar("from", "int");
		const to = b.scalar("to", "int");

		for (const [i, name] of params.entries()) this.#params.set(name, b.load(buffers.params, i));
		const zero = b.constant(0);
		const lanes = (count: number): Variable[] =>
			Array.from({ length: count }, () => b.variable("lane", zero));
		this.#mean = lanes(layout.nCoordinates);
		this.#cov = lanes(this.#pairs.length);
		const gathers = diffusion === "running" || this.spec.calibrate;
		this.#diffusion = lanes(gathers ? layout.blocks.length : 0);
		if (diffusion === "given") this.#given = layout.blocks.map((_, k) => b.load(buffers.diffusion, k));
		this.#logLik = b.variable("lane", zero);
		this.#product = b.variable("lane", b.constant(1));
		const state: [Buffer, Variable[]][] = [
			[buffers.mean, this.#mean],
			[buffers.cov, this.#cov],
			[buffers.diffusion, this.#diffusion],
			[buffers.logLik, [this.#logLik]],
		];
		const starts = this.#starts();
		b.if(
			b.intEq(from, b.int(0)),
			() => this.#start(starts, buffers, freeInitial),
			() => {
				for (const [buffer, variables] of state)
					for (const [i, variable] of variables.entries()) b.set(variable, b.load(buffer, i));
			},
		);
		const outer = this.#lowering(new Map());
		outer.hoist(
			[
				...layout.blocks.map(({ rhs }) => rhs),
				...this.#dRhs.flat(),
				...this.#dMeasure.flat(),
				...model.measures.flatMap((measure) => [measure.value, measure.spread!]),
			],
			ranks.param,
		);
		const noise = model.measures.map(({ spread }) => this.#noise(spread!, outer));
		if (this.spec.uniformSteps) this.#row.load(b, buffers.scale, undefined);
		b.loop(from, to, (sample) => {
			const first = b.toInt(b.load(buffers.stepOf, sample));
			const last = b.toInt(b.load(buffers.stepOf, b.intAdd(sample, b.int(1))));
			b.loop(first, last, (step) => this.#step(step, buffers));
			const before = increments ? b.get(this.#logLik) : undefined;
			if (!this.spec.uniformSteps) {
				const row = b.intSub(last, b.int(1));
				this.#row.load(b, buffers.scale, b.toInt(b.max(b.toReal(row), b.constant(0))));
			}
			for (const [o] of model.measures.entries()) {
				const at = b.intAdd(b.intMul(sample, b.int(model.measures.length)), b.int(o));
				const inside = b.intAdd(b.intMul(b.intSub(sample, from), b.int(model.measures.length)), b.int(o));
				const whenThere = (body: () => void): void => {
					if (!this.spec.gaps) body();
					else b.if(b.lt(b.constant(0), b.load(buffers.present, at)), body);
				};
				const symbols = this.#symbols(() => b.load(buffers.sampleT, sample), buffers.sampleU, sample);
				if (value && variance && spread) {
					const R = this.#moments(o, symbols, inside, value, variance, noise[o]);
					b.store(spread, inside, R);
				}
				if (update) whenThere(() => this.#measure(o, symbols, noise[o], b.load(buffers.y, at), !!increments));
			}
			if (increments) b.store(increments, b.intSub(sample, from), b.sub(b.get(this.#logLik), before!));
			else if (update)
				b.if(b.intEq(b.intAnd(sample, b.int(logGroup - 1)), b.int(logGroup - 1)), () => this.#flush());
		});
		if (update && !increments) this.#flush();
		for (const [buffer, variables] of state)
			for (const [i, variable] of variables.entries()) b.store(buffer, i, b.get(variable));
		return {
			kernel: b.kernel("filter"),
			covPairs: this.#pairs,
			inputDerivatives: Math.max(...starts.map(({ length }) => length)),
		};
	}

	/** Right-hand sides and their derivatives along the solution, as far as each block has coordinates. */
	#starts(): Node[][] {
		const { model, layout, exactStart } = this.spec;
		return layout.blocks.map(({ rhs, q, order }) =>
			exactStart ? derivativesAlong(model, rhs, q - order + 1) : [rhs],
		);
	}

	#start(
		starts: readonly Node[][],
		buffers: { scale: Buffer; startU: Buffer; sampleT: Buffer; initial: Buffer },
		freeInitial: readonly string[],
	): void {
		const b = this.#b;
		const { model, layout } = this.spec;
		this.#row.load(b, buffers.scale, b.int(0));
		const exact = this.#lowering(new Map());
		const values = new Map<string, Value>();
		for (const [i, name] of model.components.entries()) {
			const knowledge = model.initial[i];
			const free = freeInitial.indexOf(name);
			if (free >= 0) values.set(name, b.load(buffers.initial, free));
			else if (knowledge.kind === "exact") values.set(name, exact.lower([knowledge.value])[0]);
			else values.set(name, b.constant(Number.NaN));
		}
		const symbols = new Map<string, () => Value>([["t", () => b.load(buffers.startU, 0)]]);
		for (const [name, value] of values) symbols.set(name, () => value);
		const deepest = Math.max(...starts.map(({ length }) => length));
		for (const [j, name] of this.#inputs.entries())
			for (let order = 0; order < deepest; order++)
				symbols.set(inputDerivative(name, order), () =>
					b.load(buffers.startU, 1 + order * this.#inputs.length + j),
				);
		const lowering = this.#lowering(symbols);
		for (const [k, { from, order, components }] of layout.blocks.entries()) {
			for (const [j, name] of components.entries())
				b.set(this.#mean[from + j], this.#row.scaled(b, values.get(name)!, j));
			for (const [j, value] of lowering.lower(starts[k]).entries())
				b.set(this.#mean[from + order + j], this.#row.scaled(b, value, order + j));
		}
	}

	/** One step of the solver: predict, then condition on the equations. */
	#step(step: Value, buffers: { scale: Buffer; weight: Buffer; gain: Buffer; t: Buffer; u: Buffer }): void {
		const b = this.#b;
		const { layout, uniformSteps, diffusion, linearisation } = this.spec;
		const X = this.#mean.map((variable) => b.get(variable));
		const P = this.#covariance();
		if (!uniformSteps) {
			this.#row.load(b, buffers.scale, step);
			this.#row.rescale(b, X, P);
		}
		for (const { from, q } of layout.blocks)
			for (const i of pascalAdditions(q + 1)) X[from + i] = b.add(X[from + i], X[from + i + 1]); // eq. (16a)
		const symbols = this.#symbols(() => b.load(buffers.t, step), buffers.u, step, X);
		const lowering = this.#lowering(symbols);
		const rhs = lowering.lower(layout.blocks.map((block) => block.rhs));
		const F = layout.blocks.map(({ order }, k) => this.#row.scaled(b, rhs[k], order));
		const z = layout.blocks.map(({ from, order }, k) => b.sub(X[from + order], F[k])); // eq. (17c)
		const g = this.#noiseScale(step, z, buffers.weight);
		const cov = new CovarianceStep(this.#entries, layout, P, g);
		cov.predict();
		const predicted = X.slice();
		for (const [k, { from, order }] of layout.blocks.entries()) {
			const at = from + order;
			const row = linearisation === "ekf1" ? this.#equationRow(k, lowering) : undefined;
			if (row) cov.addNoise();
			const correction = row ? cov.condition(row, undefined) : cov.conditionOnEquation(k);
			// Earlier blocks may have moved the mean: the innovation is formed anew from it.
			let innovation = k === 0 ? z[0] : b.sub(X[at], F[k]);
			if (row && k > 0)
				for (const { at: i, value } of row)
					if (i !== at && X[i] !== predicted[i])
						innovation = b.add(innovation, b.mul(value as Value, b.sub(X[i], predicted[i])));
			const gain = diffusion === "off" ? this.#unitGain(k, step, buffers.gain) : correction.gain;
			for (const [i, K] of gain) {
				if (i === at && !row) continue;
				const factor = typeof K === "number" ? b.constant(K) : K;
				X[i] = b.sub(X[i], b.mul(factor, innovation)); // eq. (17d)
			}
			if (!row) X[at] = F[k];
			if (this.spec.equationEvidence && diffusion !== "off")
				this.#addEquationEvidence(k, innovation, correction.S);
		}
		cov.addNoise();
		for (const [i, variable] of this.#mean.entries()) b.set(variable, X[i]);
		this.#store(P);
	}

	/** h^(2q+1) Γ of each block; with running Γ, this step's ẑ included. eq. (19) */
	#noiseScale(step: Value, z: readonly Value[], weight: Buffer): Value[] | undefined {
		const b = this.#b;
		const { layout, diffusion } = this.spec;
		if (diffusion === "off") {
			if (this.spec.calibrate) for (const k of layout.blocks.keys()) this.#gather(k, step, z[k], weight);
			return undefined;
		}
		const count = b.div(b.constant(1), b.toReal(b.intAdd(step, b.int(1))));
		return layout.blocks.map((_, k) => {
			const power = this.#row.power(k);
			if (diffusion === "fixed") return b.mul(b.load(weight, k), power);
			if (diffusion === "given") return b.mul(this.#given[k], power);
			return b.mul(this.#gather(k, step, z[k], weight), b.mul(power, count));
		});
	}

	/** The sum of ẑ²/š of block k, this step's included. */
	#gather(k: number, step: Value, z: Value, weight: Buffer): Value {
		const b = this.#b;
		const at = b.intAdd(b.intMul(step, b.int(this.spec.layout.blocks.length)), b.int(k));
		const sum = b.add(b.get(this.#diffusion[k]), b.mul(b.mul(z, z), b.load(weight, at)));
		b.set(this.#diffusion[k], sum);
		return sum;
	}

	/** The gain of the data-free recursion, the same for all particles. */
	#unitGain(k: number, step: Value, gain: Buffer): Map<number, Value> {
		const b = this.#b;
		const { layout } = this.spec;
		const { from, q } = layout.blocks[k];
		const first = b.intAdd(b.intMul(step, b.int(layout.nCoordinates)), b.int(from));
		return new Map(
			Array.from({ length: q + 1 }, (_, i) => [from + i, b.load(gain, b.intAdd(first, b.int(i)))]),
		);
	}

	/** ∂z/∂X of block k (EKF1). */
	#equationRow(k: number, lowering: ExpressionLowering): Row<Value> {
		const b = this.#b;
		const { model, layout } = this.spec;
		const { from, order } = layout.blocks[k];
		const row: { at: number; value: Value | 1 }[] = [{ at: from + order, value: 1 }];
		const values = lowering.lower(this.#dRhs[k]);
		for (const [i, name] of model.components.entries()) {
			if (this.#dRhs[k][i] === model.graph.zero) continue;
			const { block, derivative } = layout.places.get(name)!;
			const slope = this.#row.unscaled(b, this.#row.scaled(b, values[i], order), derivative);
			row.push({ at: layout.blocks[block].from + derivative, value: b.neg(slope) });
		}
		return row;
	}

	/** ∂y/∂X of measure o. */
	#measureRow(o: number, lowering: ExpressionLowering): Row<Value> {
		const b = this.#b;
		const { model, layout } = this.spec;
		const { one, zero } = model.graph;
		const row: { at: number; value: Value | 1 }[] = [];
		for (const [i, name] of model.components.entries()) {
			const node = this.#dMeasure[o][i];
			if (node === zero) continue;
			const { block, derivative } = layout.places.get(name)!;
			const at = layout.blocks[block].from + derivative;
			if (node === one && derivative === 0) row.push({ at, value: 1 });
			else row.push({ at, value: this.#row.unscaled(b, lowering.lower([node])[0], derivative) });
		}
		return row;
	}

	/** Variance of the noise, and what of the density depends on it alone. */
	#noise(spread: Node, outer: ExpressionLowering): Noise {
		const b = this.#b;
		const { model } = this.spec;
		const varies = [...symbolsOf([spread])].some(
			(name) => name === "t" || this.#inputs.includes(name) || model.components.includes(name),
		);
		if (varies) return { spread };
		const [sd] = outer.lower([spread]);
		const R = b.mul(sd, sd);
		const inverse = b.div(b.constant(1), R);
		const constant = b.mul(b.constant(-0.5), b.call("log", b.mul(b.constant(2 * Math.PI), R)));
		return { spread, known: { R, inverse, constant } };
	}

	/** Conditions on sample y of output o and adds its log density. eqs. (20), (21) */
	#measure(
		o: number,
		symbols: ReadonlyMap<string, () => Value>,
		noise: Noise,
		y: Value,
		atOnce: boolean,
	): void {
		const b = this.#b;
		const { model, layout } = this.spec;
		const lowering = this.#lowering(symbols);
		const [g] = lowering.lower([model.measures[o].value]);
		const R = noise.known?.R ?? square(b, lowering.lower([noise.spread])[0]);
		const P = this.#covariance();
		const cov = new CovarianceStep(this.#entries, layout, P, undefined);
		const { gain, S, inverse } = cov.condition(this.#measureRow(o, lowering), R);
		const innovation = b.sub(y, g);
		for (const [i, K] of gain)
			b.set(this.#mean[i], b.add(b.get(this.#mean[i]), b.mul(K as Value, innovation)));
		this.#store(P);
		const quadratic = b.mul(b.mul(b.constant(0.5), b.mul(innovation, innovation)), inverse!);
		let term = b.neg(quadratic);
		if (noise.known) {
			term = b.sub(noise.known.constant, quadratic);
			if (S !== R) {
				const ratio = b.mul(S, noise.known.inverse);
				if (atOnce) term = b.sub(term, b.mul(b.constant(0.5), b.call("log", ratio)));
				else b.set(this.#product, b.mul(b.get(this.#product), ratio));
			}
		} else term = b.sub(term, b.mul(b.constant(0.5), b.call("log", b.mul(b.constant(2 * Math.PI), S))));
		b.set(this.#logLik, b.add(b.get(this.#logLik), term));
	}

	/** Mean and variance of output o as predicted; returns the variance of the measurement's own noise. */
	#moments(
		o: number,
		symbols: ReadonlyMap<string, () => Value>,
		at: Value,
		value: Buffer,
		variance: Buffer,
		noise: Noise,
	): Value {
		const b = this.#b;
		const lowering = this.#lowering(symbols);
		const [g] = lowering.lower([this.spec.model.measures[o].value]);
		b.store(value, at, g);
		const row = this.#measureRow(o, lowering);
		const cov = new CovarianceStep(this.#entries, this.spec.layout, this.#covariance(), undefined);
		b.store(variance, at, cov.condition(row, undefined).S ?? b.constant(0));
		return noise.known?.R ?? square(b, lowering.lower([noise.spread])[0]);
	}

	/** The variances gathered since the last logarithm. */
	#flush(): void {
		const b = this.#b;
		if (this.#pairs.length === 0) return;
		const logarithm = b.call("log", b.get(this.#product));
		b.set(this.#logLik, b.sub(b.get(this.#logLik), b.mul(b.constant(0.5), logarithm)));
		b.set(this.#product, b.constant(1));
	}

	#addEquationEvidence(k: number, z: Value, S: Value): void {
		const b = this.#b;
		// In the units of the derivative itself, so that steps of other sizes compare.
		const { order } = this.spec.layout.blocks[k];
		const one = this.#row.unscaled(b, b.constant(1), order);
		const variance = b.mul(S, b.mul(one, one));
		const quadratic = b.mul(b.mul(z, z), this.#entries.reciprocal(S, true));
		const density = b.add(b.call("log", b.mul(b.constant(2 * Math.PI), variance)), quadratic);
		const term = b.select(b.lt(b.constant(0), S), b.mul(b.constant(-0.5), density), b.constant(0));
		b.set(this.#logLik, b.add(b.get(this.#logLik), term));
	}

	#covariance(): Symmetric<Value> {
		const P = new Symmetric<Value>(this.spec.layout.nCoordinates);
		for (const [k, [i, j]] of this.#pairs.entries()) P.set(i, j, this.#b.get(this.#cov[k]));
		return P;
	}
	#store(P: Symmetric<Value>): void {
		for (const [k, [i, j]] of this.#pairs.entries())
			this.#b.set(this.#cov[k], P.get(i, j) ?? this.#b.constant(0));
	}

	/** Time, inputs (row `row` of a buffer) and the components at X, or at the present mean. */
	#symbols(t: () => Value, u: Buffer, row: Value, X?: readonly Value[]): Map<string, () => Value> {
		const b = this.#b;
		const { layout } = this.spec;
		const symbols = new Map<string, () => Value>([["t", t]]);
		for (const [name, { block, derivative }] of layout.places) {
			const at = layout.blocks[block].from + derivative;
			symbols.set(name, () => this.#row.unscaled(b, X ? X[at] : b.get(this.#mean[at]), derivative));
		}
		for (const [j, name] of this.#inputs.entries())
			symbols.set(name, () => b.load(u, b.intAdd(b.intMul(row, b.int(this.#inputs.length)), b.int(j))));
		return symbols;
	}

	#lowering(symbols: ReadonlyMap<string, () => Value>): ExpressionLowering {
		const values = new Map<string, Value>(this.#params);
		const symbol = (name: string): Value => {
			let value = values.get(name);
			if (!value) values.set(name, (value = symbols.get(name)!()));
			return value;
		};
		return new ExpressionLowering(this.#b, symbol, (name) => this.#ranks.get(name) ?? ranks.param);
	}
}

interface Noise {
	readonly spread: Node;
	/** Where the spread is the same at all samples. */
	readonly known?: { readonly R: Value; readonly inverse: Value; readonly constant: Value };
}

function square(b: KernelBuilder, x: Value): Value {
	return b.mul(x, x);
}
