/**
 * Time of a piece of work in one thread, for tables of speed: on a busy machine the clock counts what others do, and the
 * processor's own time counts what is done aside (collecting garbage); the lesser of the two is what an idle machine needs.
 */
interface Host {
	readonly process?: { cpuUsage?(): { readonly user: number; readonly system: number } };
}

/** Starts now; what it returns gives the milliseconds since. */
export function stopwatch(): () => number {
	const clock = performance.now();
	const processor = processorTime();
	return () => Math.min(performance.now() - clock, processorTime() - processor);
}

/** Milliseconds of the processor, where the host tells them. */
function processorTime(): number {
	const usage = (globalThis as Host).process?.cpuUsage?.();
	return usage ? (usage.user + usage.system) / 1e3 : performance.now();
}
