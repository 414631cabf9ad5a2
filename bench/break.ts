/**
 * Looks for what breaks the project, as long as it is told: random studies with every method that applies, damaged data
 * files, kills at random instants, a queue whose workers and server come and go. Each finding is kept with its seed.
 *
 *   npm run bench -- break --minutes 10 [--seed 1]
 */
import { Findings } from "./break/findings.ts";
import { Hunter } from "./break/hunter.ts";
import { killed } from "./break/kills.ts";
import { disturbedQueue } from "./break/queue.ts";
import type { BenchOptions } from "./main.ts";

/** Shares of the time. */
const shares = { models: 0.5, files: 0.1, kills: 0.2, queue: 0.2 };
type Kind = keyof typeof shares;

export async function bench({
	minutes = 5,
	seed: first = Math.floor(Date.now() / 1000),
}: BenchOptions): Promise<void> {
	console.log(`${minutes} minutes, seeds from ${first}`);
	const findings = new Findings();
	const hunter = new Hunter(findings);
	const work: Record<Kind, (seed: number) => Promise<void>> = {
		models: (seed) => hunter.hunt({ kind: "models", seed }),
		files: (seed) => hunter.hunt({ kind: "files", seed }),
		kills: (seed) => killed(seed, findings),
		queue: (seed) => disturbedQueue(seed, findings),
	};
	const kinds = Object.keys(shares) as Kind[];
	const spent = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>;
	const seeds = Object.fromEntries(kinds.map((kind) => [kind, first])) as Record<Kind, number>;
	const end = performance.now() + 60_000 * minutes;
	while (performance.now() < end) {
		const kind = kinds.reduce((a, b) => (spent[b] / shares[b] < spent[a] / shares[a] ? b : a));
		const start = performance.now();
		await work[kind](seeds[kind]++);
		spent[kind] += performance.now() - start;
	}
	await hunter.close();
	findings.print();
	if (findings.found.length > 0) process.exitCode = 1;
}
