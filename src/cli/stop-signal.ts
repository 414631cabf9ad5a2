/** Ctrl-C: the first asks the run to stop after its present step and to keep its state, the second ends it at once. */
import type { ProgressBar } from "./progress-bar.ts";

const signals = ["SIGINT", "SIGTERM"] as const;

export class StopSignal {
	asked = false;
	readonly #handle = (): void => {
		this.asked = true;
		// With no listener left the system's own way of ending a process is back.
		this.release();
		this.bar.clear();
		process.stderr.write("  stopping after this step … (once more to quit at once)\n");
	};

	constructor(private readonly bar: ProgressBar) {
		for (const signal of signals) process.on(signal, this.#handle);
	}

	release(): void {
		for (const signal of signals) process.off(signal, this.#handle);
	}
}
