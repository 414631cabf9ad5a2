/** Conditioning on samples, and predictions of them, as code. [longbottom2024] eqs. (20), (21) */

import { InternalError } from "../../../errors.ts";
import { sampleLaw } from "../../../estimate/law/declared.ts";
import type { Arithmetic, NoiseLaw } from "../../../estimate/law/law.ts";
import { farOut } from "../../../estimate/law/normal-mixture.ts";
import type { Buffer, Builder, Value, Variable } from "../../../lower/builder.ts";
import type { ExpressionLowering } from "../../../lower/expression.ts";
import { symbolsOf } from "../../../model/walk.ts";
import type { FilterScope, Symbols } from "./filter-scope.ts";
import { stateNames } from "./layout.ts";
import { type NormalLike, normalLike } from "./noise/error-mixture.ts";

/** A density's arithmetic as code. */
function codeArithmetic(b: Builder): Arithmetic<Value> {
	return {
		constant: (value) => b.constant(value),
		add: (x, y) => b.add(x, y),
		mul: (x, y) => b.mul(x, y),
		div: (x, y) => b.div(x, y),
		log: (x) => b.call("log", x),
		sqrt: (x) => b.sqrt(x),
	};
}

/** Samples whose variances share one logarithm. */
const logGroup = 8;

/** The noise of a measure whose spread is the same at all samples. */
interface KnownNoise {
	readonly R: Value;
	readonly inverse: Value;
	/** What of a sample's log density depends on R alone. */
	readonly constant: Value;
}

export class DataUpdate {
	readonly #known: (KnownNoise | undefined)[];
	/** Of the samples since the last logarithm: the product of S/R. Of all samples: the sum of innovation²/S. */
	readonly #product: Variable;
	readonly #squares: Variable;

	constructor(
		readonly scope: FilterScope,
		outer: ExpressionLowering,
		/** Each sample's log density is wanted by itself. */
		readonly atOnce: boolean,
	) {
		const { b } = scope;
		this.#known = scope.model.measures.map((_, o) => this.#knownNoise(o, outer));
		this.#product = b.variable("lane", b.constant(1));
		this.#squares = b.variable("lane", b.constant(0));
	}

	/**
	 * What the value y of output o says where its error is not normal, as a normal one that says the same. Exact where the state has
	 * no variance. Of errors that are far out, and of laws that are no mixtures of normal ones: the sum S of both variances stands for the
	 * squared spread in the density, and an error that counts by its weight w is like a normal one of variance R/w.
	 */
	normalLike(o: number, symbols: Symbols, y: Value): NormalLike {
		const { scope } = this;
		const { b } = scope;
		const law = sampleLaw(scope.spec.model.measures[o]) as NoiseLaw;
		const { value, slopes } = scope.model.measures[o];
		const lowering = scope.lowering(symbols);
		const [expected] = lowering.lower([value]);
		const R = this.#known[o]?.R ?? this.#variance(o, lowering);
		const ahead = scope
			.momentStep(scope.covariance())
			.condition(scope.rowOf(slopes, lowering, 1), undefined).S;
		const innovation = b.sub(y, expected);
		const S = ahead ? b.add(ahead, R) : R;
		const square = b.div(b.mul(innovation, innovation), S);
		const arithmetic = codeArithmetic(b);
		const weighed = b.div(R, law.weight(arithmetic, square));
		const roughly = {
			innovation,
			R: weighed,
			asItIs: weighed,
			logDensity: b.sub(law.logDensity(arithmetic, square), b.mul(b.constant(0.5), b.call("log", S))),
		};
		const errors = ahead ? law.mixture() : undefined;
		if (!ahead || !errors) return roughly;
		const near = b.lt(square, b.constant(farOut));
		const well = normalLike(b, errors, innovation, ahead, R, scope.spec.form !== "root");
		return {
			innovation: b.select(near, well.innovation, roughly.innovation),
			R: b.select(near, well.R, weighed),
			asItIs: b.select(near, well.asItIs, weighed),
			logDensity: b.select(near, well.logDensity, roughly.logDensity),
		};
	}

	#conditionByLaw(o: number, symbols: Symbols, y: Value): void {
		const { scope } = this;
		const { b } = scope;
		const { innovation, R, logDensity } = this.normalLike(o, symbols, y);
		const lowering = scope.lowering(symbols);
		const P = scope.covariance();
		const { gain } = scope
			.momentStep(P)
			.condition(scope.rowOf(scope.model.measures[o].slopes, lowering, 1), R);
		for (const [i, K] of gain)
			b.set(scope.mean[i], b.add(b.get(scope.mean[i]), b.mul(K as Value, innovation)));
		scope.keepCovariance(P);
		scope.addToLogLik(this.#whereSpread(this.#spread(o, lowering), logDensity));
	}

	/** Conditions on the value y of output o. */
	condition(o: number, symbols: Symbols, y: Value): void {
		const law = sampleLaw(this.scope.spec.model.measures[o]);
		if (law.isCount) throw new InternalError("a filter takes in no counts");
		if (!law.isNormal) return this.#conditionByLaw(o, symbols, y);
		const { scope } = this;
		const { b } = scope;
		const known = this.#known[o];
		const { value, slopes } = scope.model.measures[o];
		const lowering = scope.lowering(symbols);
		const [expected] = lowering.lower([value]);
		const R = known?.R ?? this.#variance(o, lowering);
		const P = scope.covariance();
		const cov = scope.momentStep(P);
		const { gain, S, inverse } = cov.condition(scope.rowOf(slopes, lowering, 1), R);
		const innovation = b.sub(y, expected);
		for (const [i, K] of gain)
			b.set(scope.mean[i], b.add(b.get(scope.mean[i]), b.mul(K as Value, innovation)));
		scope.keepCovariance(P);
		const square = b.mul(b.mul(innovation, innovation), inverse!);
		if (!known) {
			const log = b.call("log", b.mul(b.constant(2 * Math.PI), S));
			const term = b.mul(b.constant(-0.5), b.add(log, square));
			scope.addToLogLik(this.#whereSpread(this.#spread(o, lowering), term));
			return;
		}
		const ratio = S === R ? undefined : b.mul(S, known.inverse);
		if (this.atOnce) {
			const sum = ratio ? b.add(b.call("log", ratio), square) : square;
			scope.addToLogLik(b.sub(known.constant, b.mul(b.constant(0.5), sum)));
			return;
		}
		b.set(this.#squares, b.add(b.get(this.#squares), square));
		if (ratio) b.set(this.#product, b.mul(b.get(this.#product), ratio));
		if (scope.spec.gaps) scope.addToLogLik(known.constant);
	}

	/** Now and then one logarithm for many samples. */
	endSample(sample: Value): void {
		const { b } = this.scope;
		if (!this.#gathers) return;
		const last = b.int(logGroup - 1);
		b.if(b.intEq(b.intAnd(sample, last), last), () => this.#takeLogarithm());
	}

	/** What was gathered goes into the log-likelihood. */
	finish(): void {
		const { scope } = this;
		const { b, from, to } = scope;
		if (this.atOnce) return;
		if (this.#gathers) this.#takeLogarithm();
		scope.addToLogLik(b.mul(b.constant(-0.5), b.get(this.#squares)));
		if (scope.spec.gaps) return;
		const count = b.toReal(b.intSub(to, from));
		const { measures } = scope.spec.model;
		for (const [o, known] of this.#known.entries())
			if (known && sampleLaw(measures[o]).isNormal) scope.addToLogLik(b.mul(count, known.constant));
	}

	/** Writes mean and variance of output o as predicted, and the variance of the measurement's own noise. */
	predict(o: number, symbols: Symbols, at: Value, out: Record<"value" | "variance" | "noise", Buffer>): void {
		const { scope } = this;
		const { b } = scope;
		const { value, slopes } = scope.model.measures[o];
		const lowering = scope.lowering(symbols);
		b.store(out.value, at, lowering.lower([value])[0]);
		const cov = scope.momentStep(scope.covariance());
		const { S } = cov.condition(scope.rowOf(slopes, lowering, 1), undefined);
		b.store(out.variance, at, S ?? b.constant(0));
		const R = this.#known[o]?.R ?? this.#variance(o, lowering);
		const { isCount } = sampleLaw(scope.spec.model.measures[o]);
		b.store(out.noise, at, isCount ? this.#whereSpread(this.#spread(o, lowering), R) : R);
	}

	get #gathers(): boolean {
		return !this.atOnce && this.scope.pairs.length > 0;
	}

	#takeLogarithm(): void {
		const { b } = this.scope;
		this.scope.addToLogLik(b.mul(b.constant(-0.5), b.call("log", b.get(this.#product))));
		b.set(this.#product, b.constant(1));
	}

	#spread(o: number, lowering: ExpressionLowering): Value {
		return lowering.lower([this.scope.model.measures[o].spread])[0];
	}
	#variance(o: number, lowering: ExpressionLowering): Value {
		const sd = this.#spread(o, lowering);
		return this.scope.b.mul(sd, sd);
	}
	/** A spread that is not positive is impossible: NaN weighs nothing. */
	#whereSpread(sd: Value, term: Value): Value {
		const { b } = this.scope;
		return b.select(b.lt(b.constant(0), sd), term, b.constant(Number.NaN));
	}

	#knownNoise(o: number, outer: ExpressionLowering): KnownNoise | undefined {
		const { b, inputs, spec, model } = this.scope;
		const changing = new Set(["t", ...inputs, ...stateNames(spec.model, spec.layout)]);
		const varies = [...symbolsOf([model.measures[o].spread])].some((name) => changing.has(name));
		if (varies) return undefined;
		const R = this.#variance(o, outer);
		const constant = b.mul(b.constant(-0.5), b.call("log", b.mul(b.constant(2 * Math.PI), R)));
		return {
			R,
			inverse: b.div(b.constant(1), R),
			constant: this.#whereSpread(this.#spread(o, outer), constant),
		};
	}
}
