/** Sums over the last while, for rates. */
const window = 20_000;

export class Recent {
	readonly #start = performance.now();
	readonly #events: { readonly at: number; readonly amount: number }[] = [];

	add(amount: number): void {
		this.#events.push({ at: performance.now(), amount });
		this.#forget();
	}
	/** Amount and number of events a second. */
	rate(): { amount: number; events: number } {
		this.#forget();
		const seconds = Math.max(1, Math.min(window, performance.now() - this.#start) / 1e3);
		const amount = this.#events.reduce((sum, event) => sum + event.amount, 0);
		return { amount: amount / seconds, events: this.#events.length / seconds };
	}
	#forget(): void {
		const oldest = performance.now() - window;
		while (this.#events.length > 0 && this.#events[0].at < oldest) this.#events.shift();
	}
}
