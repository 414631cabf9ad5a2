/** The end of work that comes in pieces, for who does not mind how long it takes. */
export function drained<T>(work: Generator<void, T>): T {
	for (;;) {
		const piece = work.next();
		if (piece.done) return piece.value;
	}
}
