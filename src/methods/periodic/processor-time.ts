/**
 * Time of the processor, where the host tells it: other work on the machine counts little then. The core knows no host, so it
 * looks whether there is such a clock; elsewhere it is the clock on the wall.
 */
interface Host {
	readonly process?: { cpuUsage?(): { readonly user: number; readonly system: number } };
}

/** Milliseconds since some moment. */
export function processorTime(): number {
	const usage = (globalThis as Host).process?.cpuUsage?.();
	return usage ? (usage.user + usage.system) / 1e3 : performance.now();
}
