/**
 * Where a batch runs. A kernel is a pure function of each lane's numbers and of what all lanes share, so a result does
 * not depend on where it ran nor on how the batch was cut. Methods see this interface only.
 */
import { InternalError } from "../errors.ts";
import type { Kernel } from "../lower/ir.ts";

export interface Launch {
	/** Number of lanes. */
	readonly batch: number;
	/**
	 * The kernel's buffers by name. Lane buffers: element e of lane b stands at e * batch + b. What the kernel writes
	 * is found in them afterwards.
	 */
	readonly buffers: Readonly<Record<string, Float64Array>>;
	readonly scalars?: Readonly<Record<string, number>>;
}

export interface Compute {
	/** As in `--compute`. */
	readonly name: string;
	run(kernel: Kernel, launch: Launch): Promise<void>;
	/** New arrays for the results of a launch, where the place writes them without a copy. Any others serve, too. */
	allocate?(lengths: readonly number[]): Float64Array[];
	/** Hands for work that is no kernel; undefined, or none, where there is only the calling thread. */
	crew?<Item, Answer>(module: string, common: unknown): Crew<Item, Answer> | undefined;
	/** Lets the host see to its events when it is time for that: to be awaited now and then by long work that launches nothing. */
	breathe?(): Promise<void>;
	/** Lets go of what the place holds: connections, threads. To be called when it is no longer needed. */
	close?(): void | Promise<void>;
}

/**
 * Several hands for work that is no kernel: a module of the package (its path in it, without an ending) exports `begin(common)`, which gives a pure function from
 * plain data to plain data. Each hand begins once, and then does what it is given; who asked puts the answers in order.
 */
export interface Crew<Item, Answer> {
	/** How many work at once. */
	readonly size: number;
	/** Rejects where the work cannot be done there, for whatever reason: the calling thread then does it, and sees why. */
	do(item: Item): Promise<Answer>;
	/** Lets them go: what they know of this work is forgotten. */
	close(): void;
}

/** A launch in the order of the kernel's declarations. */
export interface Arguments {
	readonly batch: number;
	readonly buffers: readonly Float64Array[];
	readonly scalars: readonly number[];
}

/** Checks that a launch fits its kernel. */
export function argumentsOf(kernel: Kernel, launch: Launch): Arguments {
	const { batch } = launch;
	if (!(Number.isInteger(batch) && batch > 0)) throw new InternalError("a batch needs lanes", batch);
	const buffers = kernel.buffers.map(({ name, kind, perLane }) => {
		const buffer = launch.buffers[name] ?? (perLane && new Float64Array(perLane * batch));
		if (!buffer) throw new InternalError(`${kernel.name}: the buffer ${name} is missing`);
		if (kind === "lane" && buffer.length % batch !== 0)
			throw new InternalError(`${kernel.name}: the buffer ${name} does not hold whole lanes`, {
				length: buffer.length,
				batch,
			});
		return buffer;
	});
	const scalars = kernel.scalars.map(({ name, type }) => {
		const value = launch.scalars?.[name];
		if (value === undefined) throw new InternalError(`${kernel.name}: the scalar ${name} is missing`);
		if (type === "int" && (value | 0) !== value)
			throw new InternalError(`${kernel.name}: the scalar ${name} is not whole`, value);
		return value;
	});
	return { batch, buffers, scalars };
}
