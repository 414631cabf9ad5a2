/**
 * What a smoother needs of the forward filter, as code. Of each sample: mean and covariance before its data, and the map
 * from the sample before (`means`, `covs`, `maps`); of each output the row of its slopes, the innovation, and the variance of
 * the noise (`rows`, `innovations`, `noises`).
 */
import { sampleLaw } from "../../../estimate/law/declared.ts";
import type { Buffer, Value } from "../../../lower/builder.ts";
import type { DataUpdate } from "./data-update.ts";
import type { FilterScope, Symbols } from "./filter-scope.ts";
import type { FlowMatrix } from "./flow-matrix.ts";

export class SmoothingRecord {
	readonly #buffers: Readonly<Record<"means" | "covs" | "maps" | "rows" | "innovations" | "noises", Buffer>>;

	constructor(readonly scope: FilterScope) {
		const out = (name: string): Buffer => scope.b.buffer(name, "lane", "write");
		this.#buffers = {
			means: out("means"),
			covs: out("covs"),
			maps: out("maps"),
			rows: out("rows"),
			innovations: out("innovations"),
			noises: out("noises"),
		};
	}

	/** At sample `at`, before its data. */
	store(at: Value, flow: FlowMatrix): void {
		const { b, mean, pairs } = this.scope;
		const { means, covs, maps } = this.#buffers;
		this.#storeAll(
			means,
			at,
			mean.map((variable) => b.get(variable)),
		);
		const P = this.scope.covariance();
		this.#storeAll(
			covs,
			at,
			pairs.map(([i, j]) => P.get(i, j)!),
		);
		this.#storeAll(maps, at, flow.values());
	}

	/** Output o, at place `at` among all outputs of all samples. */
	storeOutput(o: number, symbols: Symbols, at: Value, y: Value, data: DataUpdate): void {
		const { scope } = this;
		const { b } = scope;
		const { value, slopes, spread } = scope.model.measures[o];
		const lowering = scope.lowering(symbols);
		const [expected, sd] = lowering.lower([value, spread]);
		const row = new Array<Value>(scope.spec.layout.nCoordinates).fill(b.constant(0));
		for (const { at: i, value: slope } of scope.rowOf(slopes, lowering, 1))
			row[i] = slope === 1 ? b.constant(1) : slope;
		this.#storeAll(this.#buffers.rows, at, row);
		const { isNormal } = sampleLaw(scope.spec.model.measures[o]);
		b.store(this.#buffers.innovations, at, b.sub(y, expected));
		b.store(this.#buffers.noises, at, isNormal ? b.mul(sd, sd) : data.normalLike(o, symbols, y).asItIs);
	}

	#storeAll(buffer: Buffer, at: Value, values: readonly Value[]): void {
		const { b } = this.scope;
		const first = b.intMul(at, b.int(values.length));
		for (const [i, value] of values.entries()) b.store(buffer, b.intAdd(first, b.int(i)), value);
	}
}
