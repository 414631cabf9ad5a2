/**
 * Work that pauses now and then and says how far it is, so that a long step can be stopped and shows that it goes on. Nothing
 * that a checkpoint holds changes before its end.
 */
export type Slices<T> = Generator<string, T, void>;
export type AsyncSlices<T> = AsyncGenerator<string, T, void>;

/** All of it at once. */
export async function atOnce<T>(work: Slices<T> | AsyncSlices<T>): Promise<T> {
	for (;;) {
		const { done, value } = await work.next();
		if (done) return value;
	}
}

/** Work that does not pause is one slice. */
export async function* inSlices<T>(work: Promise<T> | AsyncSlices<T>): AsyncSlices<T> {
	return work instanceof Promise ? await work : yield* work;
}
