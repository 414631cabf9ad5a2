/** What a compute worker of a page does: runs the lanes it is sent, and sends back what was written. */
import type { Kernel } from "../../lower/ir.ts";
import { ownPlaces, runSlices } from "../inline.ts";
import type { Parcel, Reply, WorkerScope } from "./port.ts";

export function workerLoop(scope: WorkerScope): void {
	const kernels = new Map<number, Kernel>();
	scope.onmessage = ({ data }) => {
		const written = work(data, kernels);
		const reply: Reply = { id: data.id, ...written };
		const transfer = (written.written ?? []).flatMap((values) => (values ? [values.buffer] : []));
		scope.postMessage(reply, transfer as ArrayBuffer[]);
	};
}

function work(parcel: Parcel, kernels: Map<number, Kernel>): Pick<Reply, "written" | "failed"> {
	const { number, lanes, buffers, scalars, shared } = parcel;
	if (parcel.kernel) kernels.set(number, parcel.kernel);
	const kernel = kernels.get(number)!;
	try {
		const args = { batch: lanes, buffers, scalars };
		runSlices(kernel, args, ownPlaces(args), [{ from: 0, to: lanes }], lanes);
	} catch {
		return { failed: true };
	}
	if (shared) return {};
	return { written: kernel.buffers.map(({ access }, i) => (access === "read" ? undefined : buffers[i])) };
}
