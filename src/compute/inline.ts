/**
 * The batch runs here and now, in the calling thread, as WebAssembly. It is cut into slabs of lanes, so that it needs no
 * more memory than a slab, however long the record and large the batch.
 */
import { type Kernel, kernelText } from "../lower/ir.ts";
import { WasmKernel } from "../lower/wasm/instance.ts";
import { shapeFor } from "../lower/wasm/shape.ts";
import { type Arguments, argumentsOf, type Compute, type Launch } from "./compute.ts";
import { copyLanes, type LanePlace, repeatLastLane } from "./copy-lanes.ts";
import { addressesOf, piecesOf } from "./pieces.ts";
import { StackShift } from "./stack-shift.ts";

/** Bytes of lane buffers in one slab, if its lanes fit. */
const slabBytes = 1 << 26;
/** Memory and number of the instances that are kept; the one not used for longest goes first. */
const kept = { bytes: 1 << 28, instances: 64 };

interface Instance {
	readonly wasm: WasmKernel;
	readonly shift: StackShift;
}
const instances = new Map<string, Instance>();
/** Keys into `instances`, by the number of groups: a kernel's text is long. */
const keys = new WeakMap<Kernel, string[]>();

export const inline: Compute = {
	name: "inline",
	async run(kernel, launch) {
		runInline(kernel, launch);
	},
};

/** The same, without waiting. */
export function runInline(kernel: Kernel, launch: Launch, bytesPerSlab = slabBytes): void {
	const args = argumentsOf(kernel, launch);
	runSlices(kernel, args, ownPlaces(args), [{ from: 0, to: args.batch }], args.batch, bytesPerSlab);
}

/** Results go to the launch's own buffers. */
export function ownPlaces({ batch, buffers }: Arguments): LanePlace[] {
	return buffers.map((values) => ({ values, stride: batch, from: 0 }));
}

/** The lanes `from` below `to`. */
export interface Slice {
	readonly from: number;
	readonly to: number;
}

/**
 * Runs slices of at most `widest` lanes, each asked for when the one before it is done. What is written goes to
 * `results`, which may be the buffers themselves: lane b of the launch to lane b there.
 */
export function runSlices(
	kernel: Kernel,
	{ batch, buffers, scalars }: Arguments,
	results: readonly LanePlace[],
	slices: Iterable<Slice>,
	widest: number,
	bytesPerSlab = slabBytes,
): void {
	const { wasm, shift } = instanceOf(kernel, widest);
	const isLane = kernel.buffers.map(({ kind }) => kind === "lane");
	const rows = buffers.map((buffer, i) => (isLane[i] ? buffer.length / batch : 0));
	const bytesPerLane = 8 * rows.reduce((sum, n) => sum + n, 1);
	const fit = Math.floor(bytesPerSlab / (bytesPerLane * wasm.block));
	const lanes = wasm.block * Math.max(1, Math.min(fit, Math.ceil(widest / wasm.block)));
	const views = wasm.reserve(buffers.map((buffer, i) => (isLane[i] ? rows[i] * lanes : buffer.length)));
	for (const [i, view] of views.entries()) if (!isLane[i]) view.set(buffers[i]);
	const pieces = piecesOf(kernel, lanes, scalars);
	for (const slice of slices)
		for (let { from } = slice; from < slice.to; from += lanes) {
			const here = Math.min(lanes, slice.to - from);
			for (const [i, { access }] of kernel.buffers.entries()) {
				if (!isLane[i] || access === "write") continue;
				const view = { values: views[i], stride: lanes, from: 0 };
				copyLanes(view, { values: buffers[i], stride: batch, from }, rows[i], here);
				repeatLastLane(view, rows[i], here);
			}
			shift.run(Math.ceil(here / wasm.block), (first, end, extra) => {
				// Lanes from `from` on are those of buffers that begin there.
				const from = first * wasm.block;
				const addresses = views.map(({ byteOffset }, i) => byteOffset + (isLane[i] ? 8 * from : 0));
				const count = Math.min(here, end * wasm.block) - from;
				for (const piece of pieces)
					wasm.runAt(count, lanes, addressesOf(piece, addresses), [...piece.scalars, ...extra]);
			});
			for (const [i, { access }] of kernel.buffers.entries()) {
				if (!isLane[i] || access === "read") continue;
				const view = { values: views[i], stride: lanes, from: 0 };
				copyLanes({ ...results[i], from: results[i].from + from }, view, rows[i], here);
			}
		}
	dropOldInstances();
}

function instanceOf(kernel: Kernel, lanes: number): Instance {
	const shape = shapeFor(kernel, lanes);
	let own = keys.get(kernel);
	if (!own) keys.set(kernel, (own = []));
	own[shape.groups] ??= `${shape.groups}:${kernelText(kernel)}`;
	const key = own[shape.groups];
	const instance = instances.get(key) ?? { wasm: new WasmKernel(kernel, shape), shift: new StackShift() };
	instances.delete(key);
	instances.set(key, instance);
	return instance;
}

function dropOldInstances(): void {
	let bytes = 0;
	for (const { wasm } of instances.values()) bytes += wasm.bytes;
	for (const [key, { wasm }] of instances) {
		if (instances.size === 1 || (bytes <= kept.bytes && instances.size <= kept.instances)) return;
		instances.delete(key);
		bytes -= wasm.bytes;
	}
}
