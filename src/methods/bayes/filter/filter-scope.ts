/** What all parts of the filter's code share: buffers, the variables of the state, symbols of the model as values. */
import { type Buffer, KernelBuilder, type Value, type Variable } from "../../../lower/builder.ts";
import { ExpressionLowering, madeOnce } from "../../../lower/expression.ts";
import type { Node } from "../../../model/graph.ts";
import { type MomentStep, type RootAlgebra, type Row, Symmetric } from "./covariance.ts";
import { covariancePattern } from "./covariance-pattern.ts";
import type { FilterSpec } from "./filter-spec.ts";
import { coordinateOf, stateNames } from "./layout.ts";
import { momentStep } from "./moment-step.ts";
import { measuredInputs } from "./noise/latent-force.ts";
import { ScaleRow } from "./scale-row.ts";
import { downSymbol, type ScaledModel, scaledModel, upSymbol } from "./scaled-model.ts";

const ranks = { param: 0, step: 1, state: 2 };

export type Symbols = Map<string, () => Value>;

export class FilterScope {
	readonly b = new KernelBuilder();
	readonly model: ScaledModel;
	readonly row: ScaleRow;
	readonly entries: RootAlgebra<Value>;
	/** Rows and columns of the covariance entries that may differ from zero. */
	readonly pairs: [number, number][];
	/** Those that come from the data. */
	readonly inputs: readonly string[];
	readonly uniform: Readonly<Record<UniformName, Buffer>>;
	readonly params: Buffer;
	readonly initial: Buffer;
	readonly from: Value;
	readonly to: Value;
	readonly mean: Variable[];
	readonly cov: Variable[];
	/** Sums that Γ is made of. */
	readonly diffusion: Variable[];
	/** Γ of each block where it is the lane's own, or bounds the running one. */
	readonly given: Value[];
	readonly logLik: Variable;
	/** Each part of the state with the buffer that keeps it between calls. */
	readonly kept: readonly (readonly [Buffer, readonly Variable[]])[];
	readonly #params = new Map<string, Value>();
	readonly #ranks = new Map<string, number>();

	constructor(readonly spec: FilterSpec) {
		const { b } = this;
		const { model, layout, diffusion, calibrate } = spec;
		this.model = scaledModel(spec);
		this.row = new ScaleRow(layout);
		this.entries = algebraOf(b);
		this.inputs = measuredInputs(model);
		const slopes = this.model.measures.map((measure) => measure.slopes);
		this.pairs = covariancePattern(spec, this.model.rhsSlopes, slopes).pairs();
		this.uniform = Object.fromEntries(
			uniformNames.map((name) => [name, b.buffer(name, "uniform")]),
		) as Record<UniformName, Buffer>;
		this.params = b.buffer("params", "lane");
		this.initial = b.buffer("initial", "lane");
		const stateBuffer = (name: string): Buffer => b.buffer(name, "lane", "update");
		const buffers = ["mean", "cov", "diffusion", "logLik"].map(stateBuffer);
		this.from = b.scalar("from", "int");
		this.to = b.scalar("to", "int");
		for (const [i, name] of spec.params.entries()) this.#params.set(name, b.load(this.params, i));
		const lanes = (count: number): Variable[] =>
			Array.from({ length: count }, () => b.variable("lane", b.constant(0)));
		this.mean = lanes(layout.nCoordinates);
		this.cov = lanes(this.pairs.length);
		this.diffusion = lanes(diffusion === "running" || calibrate ? layout.blocks.length : 0);
		const first = diffusion === "running" ? layout.blocks.length : 0;
		this.given =
			diffusion === "given" || spec.gammaRange !== undefined
				? layout.blocks.map((_, k) => b.load(buffers[2], first + k))
				: [];
		[this.logLik] = lanes(1);
		this.kept = [this.mean, this.cov, this.diffusion, [this.logLik]].map(
			(variables, i) => [buffers[i], variables] as const,
		);
		const stepRank = spec.uniformSteps ? ranks.param : ranks.step;
		for (const { q } of layout.blocks)
			for (let i = 1; i <= q; i++)
				for (const symbol of [upSymbol(i), downSymbol(i)]) this.#ranks.set(symbol, stepRank);
		for (const name of ["t", ...this.inputs]) this.#ranks.set(name, ranks.step);
		for (const name of stateNames(model, layout)) this.#ranks.set(name, ranks.state);
	}

	/** Computes outside all loops what depends on nothing but parameters. */
	hoist(): ExpressionLowering {
		const { rhs, rhsSlopes, measures, noises } = this.model;
		const outer = this.lowering(this.spec.uniformSteps ? this.row.symbols() : new Map());
		const nodes = [
			...rhs,
			...rhsSlopes.flat(),
			...measures.flatMap(({ value, slopes, spread }) => [value, ...slopes, spread]),
			...noises.flatMap(({ start, drift, strength }) => [...start, ...drift, strength]),
		];
		outer.hoist(nodes, ranks.param);
		return outer;
	}

	/** The same of other expressions. */
	hoistAll(nodes: readonly Node[]): void {
		this.lowering(new Map()).hoist(nodes, ranks.param);
	}

	/** Time, inputs (row `row` of a buffer), powers of the step, and the components at X, or at the present mean. */
	symbols(t: () => Value, u: Buffer, row: Value, X?: readonly Value[]): Symbols {
		const { b } = this;
		const { layout } = this.spec;
		const symbols: Symbols = this.row.symbols();
		symbols.set("t", t);
		for (const name of stateNames(this.spec.model, layout)) {
			const at = coordinateOf(layout, name);
			symbols.set(name, () => (X ? X[at] : b.get(this.mean[at])));
		}
		for (const [j, name] of this.inputs.entries())
			symbols.set(name, () => b.load(u, b.intAdd(b.intMul(row, b.int(this.inputs.length)), b.int(j))));
		return symbols;
	}

	lowering(symbols: ReadonlyMap<string, () => Value>): ExpressionLowering {
		return new ExpressionLowering(
			this.b,
			madeOnce(this.#params, symbols),
			(name) => this.#ranks.get(name) ?? ranks.param,
		);
	}

	/** Slopes by components and forces as a row over the coordinates; `sign` -1 turns them round. */
	rowOf(slopes: ScaledModel["rhs"], lowering: ExpressionLowering, sign: 1 | -1): Row<Value> {
		const { model, layout } = this.spec;
		const { zero, one } = model.graph;
		return stateNames(model, layout).flatMap((name, i): Row<Value>[number][] => {
			if (slopes[i] === zero) return [];
			const at = coordinateOf(layout, name);
			if (slopes[i] === one && sign === 1) return [{ at, value: 1 }];
			const [slope] = lowering.lower([slopes[i]]);
			return [{ at, value: sign === 1 ? slope : this.b.neg(slope) }];
		});
	}

	/** The step of the second moments P, with noise g. */
	momentStep(P: Symmetric<Value>, g?: readonly Value[]): MomentStep<Value> {
		return momentStep(this.spec.form, this.entries, this.spec.layout, P, g);
	}

	/** The covariance, or its square root: whichever is kept. */
	covariance(): Symmetric<Value> {
		const P = new Symmetric<Value>(this.spec.layout.nCoordinates);
		for (const [k, [i, j]] of this.pairs.entries()) P.set(i, j, this.b.get(this.cov[k]));
		return P;
	}
	noCovariance(): Symmetric<Value> {
		return new Symmetric(this.spec.layout.nCoordinates);
	}
	keepCovariance(P: Symmetric<Value>): void {
		for (const [k, [i, j]] of this.pairs.entries())
			this.b.set(this.cov[k], P.get(i, j) ?? this.b.constant(0));
	}

	addToLogLik(term: Value): void {
		this.b.set(this.logLik, this.b.add(this.b.get(this.logLik), term));
	}
}

/** See `filter-grid.ts`. */
const uniformNames = [
	"stepOf",
	"scale",
	"weight",
	"gain",
	"t",
	"u",
	"sampleT",
	"sampleU",
	"startU",
	"y",
	"present",
] as const;
type UniformName = (typeof uniformNames)[number];

function algebraOf(b: KernelBuilder): RootAlgebra<Value> {
	return {
		add: (x, y) => b.add(x, y),
		sub: (x, y) => b.sub(x, y),
		mul: (x, y) => b.mul(x, y),
		times: (x, factor) => (factor === 1 ? x : factor === -1 ? b.neg(x) : b.mul(x, b.constant(factor))),
		reciprocal: (x, guarded) => {
			const inverse = b.div(b.constant(1), x);
			return guarded ? b.select(b.lt(b.constant(0), x), inverse, b.constant(0)) : inverse;
		},
		sqrt: (x) => b.sqrt(x),
		rotation(x, y) {
			const r = b.sqrt(b.add(b.mul(x, x), b.mul(y, y)));
			const inverse = b.div(b.constant(1), r);
			const turns = b.lt(b.constant(0), r);
			return {
				c: b.select(turns, b.mul(x, inverse), b.constant(1)),
				s: b.select(turns, b.mul(y, inverse), b.constant(0)),
				r,
			};
		},
	};
}
