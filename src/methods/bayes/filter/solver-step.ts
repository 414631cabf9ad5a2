/** One step of the solver as code: predict, then condition on the equations. [longbottom2024] eqs. (16)–(19) */

import { pascalAdditions } from "../../../estimate/state-space/integrated-wiener.ts";
import type { Value } from "../../../lower/builder.ts";
import type { ExpressionLowering } from "../../../lower/expression.ts";
import type { Node } from "../../../model/graph.ts";
import { combination, type MomentStep, type Row, Symmetric } from "./covariance.ts";
import { equationRows } from "./equation-rows.ts";
import type { FilterScope } from "./filter-scope.ts";
import { isFlowing } from "./filter-spec.ts";
import type { FlowMatrix } from "./flow-matrix.ts";
import { coordinateOf } from "./layout.ts";
import type { ForceStep } from "./noise/force-step.ts";
import { noiseColumns } from "./noise/white-noise.ts";

export class SolverStep {
	constructor(
		readonly scope: FilterScope,
		readonly forces: ForceStep | undefined,
		/** Where the maps from sample to sample are wanted. */
		readonly flow?: FlowMatrix,
	) {}

	/**
	 * The noise that a step adds, where it is the same in all of them: written here and pruned where unused, its values
	 * are known inside the loops, which then need not compute them again.
	 */
	hoist(): void {
		const { scope } = this;
		const { layout, diffusion, uniformSteps, linearisation } = scope.spec;
		this.forces?.hoist();
		if (isFlowing(scope.spec)) return;
		if (diffusion !== "given" || !uniformSteps) return;
		const cov = scope.momentStep(scope.covariance(), this.#givenNoise());
		cov.predict();
		if (linearisation === "ekf0") for (const k of layout.blocks.keys()) cov.conditionOnEquation(k);
		cov.addNoise();
	}

	write(step: Value): void {
		const { scope } = this;
		const { b, row, uniform } = scope;
		const { layout, uniformSteps, diffusion, linearisation, equationEvidence } = scope.spec;
		this.flow?.begin();
		const X = scope.mean.map((variable) => b.get(variable));
		const P = scope.covariance();
		if (!uniformSteps) {
			row.load(b, uniform.scale, step);
			row.rescale(b, X, P, scope.spec.form === "root");
			this.flow?.apply((column) => row.rescale(b, column, new Symmetric(0), false));
		}
		this.#predict(X); // eq. (16a)
		this.flow?.apply((column) => this.#predict(column));
		const changes = this.forces?.transition();
		if (changes) {
			const before = X.slice();
			for (const [i, own] of changes) X[i] = combination(scope.entries, own, (at) => before[at])!;
			this.flow?.transform(changes);
		}
		const lowering = scope.lowering(scope.symbols(() => b.load(uniform.t, step), uniform.u, step, X));
		const F = lowering.lower(scope.model.rhs);
		const z = layout.blocks.map(({ from, order }, k) => b.sub(X[from + order], F[k])); // eq. (17c)
		const cov = scope.momentStep(P, this.#noiseScale(step, z));
		cov.predict();
		if (isFlowing(scope.spec)) {
			if (changes) cov.transform(changes);
			this.#followFlow(step, X, F, cov, lowering);
			scope.keepCovariance(P);
			this.flow?.end();
			return;
		}
		const predicted = X.slice();
		for (const [k, { from, order }] of layout.blocks.entries()) {
			const at = from + order;
			const slopes =
				linearisation === "ekf1" ? scope.rowOf(scope.model.rhsSlopes[k], lowering, -1) : undefined;
			if (slopes) cov.addNoise();
			const correction = slopes
				? cov.condition([{ at, value: 1 }, ...slopes], undefined)
				: cov.conditionOnEquation(k);
			// Earlier blocks may have moved the mean: the innovation is formed anew from it.
			let innovation = k === 0 ? z[0] : b.sub(X[at], F[k]);
			if (slopes && k > 0)
				for (const { at: i, value } of slopes)
					if (X[i] !== predicted[i])
						innovation = b.add(innovation, b.mul(value as Value, b.sub(X[i], predicted[i])));
			if (diffusion === "unit") this.#add(k, b.mul(b.mul(innovation, innovation), correction.inverse!));
			const gain = diffusion === "off" ? this.#unitGain(k, step) : correction.gain;
			for (const [i, K] of gain) {
				if (i === at && !slopes) continue;
				const change = typeof K === "number" ? scope.entries.times(innovation, K) : b.mul(K, innovation);
				X[i] = b.sub(X[i], change); // eq. (17d)
			}
			if (!slopes) X[at] = F[k];
			if (equationEvidence && diffusion !== "off") this.#addEquationEvidence(k, innovation, correction.S);
		}
		cov.addNoise();
		for (const [i, variable] of scope.mean.entries()) b.set(variable, X[i]);
		scope.keepCovariance(P);
	}

	/** X and its second moments by the solver's map, with the noise of forces and of integration. */
	#followFlow(
		step: Value,
		X: Value[],
		F: readonly Value[],
		cov: MomentStep<Value>,
		lowering: ExpressionLowering,
	): void {
		const { scope } = this;
		const { b } = scope;
		const { layout } = scope.spec;
		cov.addNoise();
		this.forces?.addNoise(cov);
		const gains = layout.blocks.map((_, k) => this.#unitGain(k, step));
		const slopes = scope.model.rhsSlopes.map((nodes) => scope.rowOf(nodes, lowering, 1));
		const rows = equationRows(scope.entries, layout, slopes, (k, i) => gains[k].get(i)!);
		cov.transform(rows);
		this.flow?.transform(rows);
		for (const [k, { from, order }] of layout.blocks.entries()) {
			const z = b.sub(X[from + order], F[k]);
			for (const [i, K] of gains[k]) X[i] = i === from + order ? F[k] : b.sub(X[i], b.mul(K, z));
		}
		this.#addWhiteNoise(cov, slopes, lowering);
		for (const [i, variable] of scope.mean.entries()) b.set(variable, X[i]);
	}

	/** What the equations' own noise has become by the end of the step. */
	#addWhiteNoise(cov: MomentStep<Value>, slopes: readonly Row<Value>[], lowering: ExpressionLowering): void {
		const { b, spec, model, entries } = this.scope;
		const { zero } = spec.model.graph;
		for (const { start, drift, strength } of model.noises) {
			const [q] = lowering.lower([strength]);
			const valid = b.select(b.lt(b.constant(0), q), b.constant(1), b.constant(Number.NaN));
			const values = (nodes: readonly Node[]): Map<number, Value> =>
				new Map(
					spec.model.components.flatMap((name, i) =>
						nodes[i] === zero
							? []
							: [[coordinateOf(spec.layout, name), b.mul(valid, lowering.lower([nodes[i]])[0])]],
					),
				);
			cov.addColumns(
				noiseColumns(entries, spec.layout, { start: values(start), drift: values(drift) }, slopes),
			);
		}
	}

	#predict(X: Value[]): void {
		const { b, spec } = this.scope;
		for (const { from, q } of spec.layout.blocks)
			for (const i of pascalAdditions(q + 1)) X[from + i] = b.add(X[from + i], X[from + i + 1]);
	}

	/** h^(2q+1) Γ of each block; with running Γ, this step's ẑ included. eq. (19) */
	#noiseScale(step: Value, z: readonly Value[]): Value[] | undefined {
		const { scope } = this;
		const { b, row, uniform } = scope;
		const { layout, diffusion, calibrate } = scope.spec;
		switch (diffusion) {
			case "off":
				if (calibrate) for (const k of layout.blocks.keys()) this.#gather(k, step, z[k]);
				return undefined;
			case "fixed":
				return layout.blocks.map((_, k) => b.mul(b.load(uniform.weight, k), row.power(k)));
			case "given":
				return this.#givenNoise();
			case "unit":
				return layout.blocks.map((_, k) => row.power(k));
			case "running":
				return layout.blocks.map((_, k) =>
					this.#bounded(
						k,
						b.mul(this.#gather(k, step, z[k]), b.load(uniform.weight, this.#weightAt(step, k, 1))),
					),
				);
		}
	}

	/** A running Γ within the factor of the lane's own: no bad particle hides in a large one, and none stays at 0. */
	#bounded(k: number, g: Value): Value {
		const { b, row, given, spec } = this.scope;
		if (spec.gammaRange === undefined) return g;
		const own = b.mul(given[k], row.power(k));
		const most = b.mul(own, b.constant(spec.gammaRange));
		return b.min(b.max(g, b.mul(own, b.constant(1 / spec.gammaRange))), most);
	}

	#givenNoise(): Value[] {
		const { b, row, given } = this.scope;
		return given.map((gamma, k) => b.mul(gamma, row.power(k)));
	}

	/** The sum of ẑ²/š of block k, this step's included. */
	#gather(k: number, step: Value, z: Value): Value {
		const { b, uniform } = this.scope;
		return this.#add(k, b.mul(b.mul(z, z), b.load(uniform.weight, this.#weightAt(step, k, 0))));
	}
	#add(k: number, term: Value): Value {
		const { b, diffusion } = this.scope;
		const sum = b.add(b.get(diffusion[k]), term);
		b.set(diffusion[k], sum);
		return sum;
	}

	#weightAt(step: Value, k: number, which: 0 | 1): Value {
		const { b, spec } = this.scope;
		return b.intAdd(b.intMul(step, b.int(2 * spec.layout.blocks.length)), b.int(2 * k + which));
	}

	/** The gain of the data-free recursion, the same for all particles. */
	#unitGain(k: number, step: Value): Map<number, Value> {
		const { b, spec, uniform } = this.scope;
		const { from, q } = spec.layout.blocks[k];
		const first = b.intAdd(b.intMul(step, b.int(spec.layout.nCoordinates)), b.int(from));
		return new Map(
			Array.from({ length: q + 1 }, (_, i) => [from + i, b.load(uniform.gain, b.intAdd(first, b.int(i)))]),
		);
	}

	#addEquationEvidence(k: number, z: Value, S: Value): void {
		const { scope } = this;
		const { b, row } = scope;
		// In the units of the derivative itself, so that steps of other sizes compare.
		const { order } = scope.spec.layout.blocks[k];
		const one = row.unscaled(b, b.constant(1), order);
		const variance = b.mul(S, b.mul(one, one));
		const quadratic = b.mul(b.mul(z, z), scope.entries.reciprocal(S, true));
		const density = b.add(b.call("log", b.mul(b.constant(2 * Math.PI), variance)), quadratic);
		scope.addToLogLik(b.select(b.lt(b.constant(0), S), b.mul(b.constant(-0.5), density), b.constant(0)));
	}
}
