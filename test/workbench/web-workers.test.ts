/** Batches in the workers of a page: the same bits, whatever becomes of the workers. */
import { describe, expect, it } from "vitest";
import {
	type Reply,
	WebWorkers,
	type WorkerPort,
	type WorkerScope,
	workerLoop,
} from "../../src/compute/index.ts";
import { runInline } from "../../src/compute/inline.ts";
import { functionKernel } from "../../src/lower/compile-function.ts";
import { Graph } from "../../src/model/index.ts";

const graph = new Graph();
const kernel = functionKernel(
	[graph.add(graph.mul(graph.sym("a"), graph.sym("b")), graph.unary("exp", graph.sym("a")))],
	[{ name: "p", symbols: ["a", "b"] }],
);

/** A worker in this thread: messages are copied and buffers moved, as between real ones. */
function loopWorker(fate: "works" | "dies" | "fails" = "works"): WorkerPort {
	const port: WorkerPort = { postMessage: send, onmessage: null, onerror: null, terminate() {} };
	const scope: WorkerScope = {
		onmessage: null,
		postMessage: (reply, transfer) =>
			port.onmessage?.({ data: structuredClone(reply, { transfer }) as Reply }),
	};
	workerLoop(scope);
	function send(message: unknown, transfer: ArrayBuffer[]): void {
		const data = structuredClone(message, { transfer }) as never;
		queueMicrotask(() => {
			if (fate === "dies") port.onerror?.(new Error("gone"));
			else if (fate === "fails")
				port.onmessage?.({ data: { id: (data as { id: number }).id, failed: true } });
			else scope.onmessage?.({ data });
		});
	}
	return port;
}

function launchOf(batch: number) {
	const p = Float64Array.from({ length: 2 * batch }, (_, i) => Math.sin(i * 1.7) * 3);
	return { batch, buffers: { p, out: new Float64Array(batch) } };
}

describe("web workers", () => {
	for (const shared of [false, true])
		for (const fate of ["works", "dies", "fails"] as const)
			it(`give the bits of the calling thread (${shared ? "shared memory" : "transfers"}, a worker ${fate})`, async () => {
				let started = 0;
				const workers = new WebWorkers({
					workers: 2,
					shared,
					smallest: 0,
					start: () => (++started === 1 ? loopWorker(fate) : loopWorker()),
				});
				for (const batch of [1, 8, 17, 100, 1003]) {
					const [here, there] = [launchOf(batch), launchOf(batch)];
					runInline(kernel, here);
					await workers.run(kernel, there);
					expect(there.buffers.out).toEqual(here.buffers.out);
				}
				expect(started).toBeGreaterThanOrEqual(2);
				await workers.close();
			});

	it("are left alone by small launches", async () => {
		const workers = new WebWorkers({
			workers: 2,
			shared: false,
			start: () => {
				throw new Error("not needed");
			},
		});
		await workers.run(kernel, launchOf(64));
	});
});
