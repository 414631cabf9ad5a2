/** Ctrl-C: the first asks to stop after the present step and to keep what is there, the second ends the process at once. */
import type { ProgressBar } from "./terminal/progress-bar.ts";
import { toErr } from "./terminal/screen.ts";

const signals = ["SIGINT", "SIGTERM"] as const;
/** Milliseconds within which a repetition is the same wish: `timeout` and some shells tell a process and its group. */
const sameWish = 300;

/** Calls `stop` at the first signal; returns how to listen no longer. */
export function onStopSignal(stop: () => void): () => void {
	const release = (): void => {
		for (const signal of signals) process.off(signal, handle);
	};
	const handle = (): void => {
		stop();
		// Waits here and not by a timer: the next step may be long, and the second wish must not have to wait for its end.
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, sameWish);
		// With no listener left the system's own way of ending a process is back.
		release();
	};
	for (const signal of signals) process.on(signal, handle);
	return release;
}

export class StopSignal {
	asked = false;
	readonly release: () => void;

	constructor(bar: ProgressBar) {
		this.release = onStopSignal(() => {
			this.asked = true;
			bar.clear();
			toErr("  stopping after this step … (once more to quit at once)\n");
		});
	}
}
