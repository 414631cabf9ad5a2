/**
 * The batch runs here and now, in the calling thread, as WebAssembly. It is cut into slabs of lanes, so that it needs no
 * more memory than a slab, however long the record and large the batch.
 */
import { type Kernel, kernelText } from "../lower/ir.ts";
import { WasmKernel } from "../lower/wasm/instance.ts";
import { shapeFor } from "../lower/wasm/shape.ts";
import { argumentsOf, type Compute, type Launch } from "./compute.ts";

/** Bytes of lane buffers in one slab, if its lanes fit. */
const slabBytes = 1 << 26;
/** Memory and number of the instances that are kept; the one not used for longest goes first. */
const kept = { bytes: 1 << 28, instances: 64 };

const instances = new Map<string, WasmKernel>();
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
	const { batch, buffers, scalars } = argumentsOf(kernel, launch);
	const wasm = instanceOf(kernel, batch);
	const isLane = kernel.buffers.map(({ kind }) => kind === "lane");
	const rows = buffers.map((buffer, i) => (isLane[i] ? buffer.length / batch : 0));
	const bytesPerLane = 8 * rows.reduce((sum, n) => sum + n, 1);
	const fit = Math.floor(bytesPerSlab / (bytesPerLane * wasm.block));
	const lanes = wasm.block * Math.max(1, Math.min(fit, Math.ceil(batch / wasm.block)));
	const views = wasm.reserve(buffers.map((buffer, i) => (isLane[i] ? rows[i] * lanes : buffer.length)));
	for (const [i, view] of views.entries()) if (!isLane[i]) view.set(buffers[i]);
	for (let from = 0; from < batch; from += lanes) {
		const here = Math.min(lanes, batch - from);
		for (const [i, { access }] of kernel.buffers.entries())
			if (isLane[i] && access !== "write") copyIn(views[i], buffers[i], rows[i], lanes, batch, from, here);
		wasm.run(here, lanes, views, scalars);
		for (const [i, { access }] of kernel.buffers.entries())
			if (isLane[i] && access !== "read") copyOut(buffers[i], views[i], rows[i], lanes, batch, from, here);
	}
	dropOldInstances();
}

function instanceOf(kernel: Kernel, batch: number): WasmKernel {
	const shape = shapeFor(kernel, batch);
	let own = keys.get(kernel);
	if (!own) keys.set(kernel, (own = []));
	own[shape.groups] ??= `${shape.groups}:${kernelText(kernel)}`;
	const key = own[shape.groups];
	const instance = instances.get(key) ?? new WasmKernel(kernel, shape);
	instances.delete(key);
	instances.set(key, instance);
	return instance;
}

function dropOldInstances(): void {
	let bytes = 0;
	for (const instance of instances.values()) bytes += instance.bytes;
	for (const [key, instance] of instances) {
		if (instances.size === 1 || (bytes <= kept.bytes && instances.size <= kept.instances)) return;
		instances.delete(key);
		bytes -= instance.bytes;
	}
}

function copyIn(
	view: Float64Array,
	buffer: Float64Array,
	rows: number,
	lanes: number,
	batch: number,
	from: number,
	here: number,
): void {
	if (here === lanes && lanes === batch) {
		view.set(buffer);
		return;
	}
	for (let row = 0; row < rows; row++) {
		const start = row * batch + from;
		view.set(buffer.subarray(start, start + here), row * lanes);
		// Lanes beyond the batch repeat the last one: they cost no more than it does.
		view.fill(buffer[start + here - 1], row * lanes + here, (row + 1) * lanes);
	}
}

function copyOut(
	buffer: Float64Array,
	view: Float64Array,
	rows: number,
	lanes: number,
	batch: number,
	from: number,
	here: number,
): void {
	if (here === lanes && lanes === batch) {
		buffer.set(view);
		return;
	}
	for (let row = 0; row < rows; row++) {
		let source = row * lanes;
		let target = row * batch + from;
		if (here > 128) buffer.set(view.subarray(source, source + here), target);
		else for (const end = target + here; target < end; ) buffer[target++] = view[source++];
	}
}
