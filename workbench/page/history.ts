/** What can be undone: states one after another, with the place of the present one. */
const most = 200;

export class History<T> {
	#past: T[] = [];
	#future: T[] = [];
	/** What the last change was to: changes to the same thing in quick succession are one. */
	#last = { what: "", at: 0 };

	constructor(
		private readonly now: () => number,
		/** Milliseconds within which changes to the same thing are one. */
		private readonly together = 1000,
	) {}

	/** Called before a change with the state that it will leave behind. `held`: one change until the hand lets go, however long. */
	note(before: T, what: string, held = false): void {
		const at = this.now();
		const isSame = what !== "" && what === this.#last.what && (held || at - this.#last.at < this.together);
		this.#last = { what, at };
		this.#future = [];
		if (isSame && this.#past.length > 0) return;
		this.#past = [...this.#past, before].slice(-most);
	}

	get canUndo(): boolean {
		return this.#past.length > 0;
	}
	get canRedo(): boolean {
		return this.#future.length > 0;
	}

	undo(present: T): T | undefined {
		const before = this.#past.pop();
		if (before === undefined) return undefined;
		this.#last = { what: "", at: 0 };
		this.#future.push(present);
		return before;
	}

	redo(present: T): T | undefined {
		const after = this.#future.pop();
		if (after === undefined) return undefined;
		this.#past.push(present);
		return after;
	}

	/** What can be taken back, the oldest first. */
	get past(): readonly T[] {
		return this.#past;
	}

	/** Of another study, with what could be taken back when it was left. */
	begin(past: readonly T[] = []): void {
		this.#past = [...past];
		this.#future = [];
		this.#last = { what: "", at: 0 };
	}
}
