/** Pause, resume and stop of the run in this worker. One run at a time. */
import type { Control } from "../contract.ts";

export class RunControl {
	stopped = false;
	#paused: Promise<void> | undefined;
	#resume = (): void => {};
	#lastBreath = 0;
	readonly #channel = new MessageChannel();
	#next = (): void => {};

	constructor() {
		this.#channel.port2.onmessage = () => this.#next();
	}

	set(control: Control): void {
		if (control === "pause") this.#paused ??= new Promise((resolve) => (this.#resume = resolve));
		else {
			if (control === "stop") this.stopped = true;
			this.#paused = undefined;
			this.#resume();
		}
	}

	begin(): void {
		this.stopped = false;
		this.#paused = undefined;
	}

	/** Lets messages in now and then (a timer would cost 4 ms each time), and waits while the run is paused. */
	async breathe(): Promise<void> {
		if (performance.now() - this.#lastBreath > 12) {
			await new Promise<void>((resolve) => {
				this.#next = resolve;
				this.#channel.port1.postMessage(0);
			});
			this.#lastBreath = performance.now();
		}
		await this.#paused;
	}
}

export const runControl = new RunControl();
