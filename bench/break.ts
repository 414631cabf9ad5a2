/**
 * Looks for what breaks the project, as long as it is told: random studies with every method that applies, damaged files
 * of every format, studies that forget all but their checkpoint, kills at random instants, a queue whose workers and server come and go. Each finding is kept with its seed.
 *
 *   npm run bench -- break --minutes 10 [--seed 1] [--threads 2]
 */
import { native } from "../src/compute/node/native.ts";
import { build } from "../test/cli/odentify.ts";
import { hasRedis } from "../test/compute/redis-server.ts";
import { Findings } from "./break/findings.ts";
import { Hunter } from "./break/hunter.ts";
import { killed } from "./break/kills.ts";
import { disturbedQueue } from "./break/queue.ts";
import type { BenchOptions } from "./main.ts";

/** Shares of the time. */
const shares = { models: 0.4, resumes: 0.15, files: 0.1, kills: 0.15, queue: 0.2 };
type Kind = keyof typeof shares;

export async function bench({
	minutes = 5,
	seed: first = Math.floor(Date.now() / 1000),
	threads = 2,
}: BenchOptions): Promise<void> {
	console.log(`${minutes} minutes, seeds from ${first}, ${threads} at once`);
	const findings = new Findings();
	const kinds = (Object.keys(shares) as Kind[]).filter((kind) => kind !== "queue" || hasRedis);
	if (!hasRedis) findings.leaveOut("queue: there is no redis-server here");
	if (!(await hasCompiler())) findings.leaveOut("kernels as machine code: there is no C compiler here");
	await build();
	const spent = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>;
	const seeds = Object.fromEntries(kinds.map((kind) => [kind, first])) as Record<Kind, number>;
	const begin = performance.now();
	const end = begin + 60_000 * minutes;
	const telling = setInterval(() => findings.printSoFar((performance.now() - begin) / 60_000), 300_000);
	const oneAfterAnother = async (): Promise<void> => {
		const hunter = new Hunter(findings);
		const work: Record<Kind, (seed: number) => Promise<void>> = {
			models: (seed) => hunter.hunt({ kind: "models", seed }),
			resumes: (seed) => hunter.hunt({ kind: "resumes", seed }),
			files: (seed) => hunter.hunt({ kind: "files", seed }),
			kills: (seed) => killed(seed, findings),
			queue: (seed) => disturbedQueue(seed, findings),
		};
		while (performance.now() < end) {
			const kind = kinds.reduce((a, b) => (spent[b] / shares[b] < spent[a] / shares[a] ? b : a));
			const start = performance.now();
			// Counted at once, so that others who choose meanwhile choose something else.
			const guess = 1000;
			spent[kind] += guess;
			await work[kind](seeds[kind]++);
			spent[kind] += performance.now() - start - guess;
		}
		await hunter.close();
	};
	await Promise.all(Array.from({ length: threads }, oneAfterAnother));
	clearInterval(telling);
	findings.print();
	if (findings.found.length > 0) process.exitCode = 1;
}

async function hasCompiler(): Promise<boolean> {
	try {
		await (await native({ threads: 1 })).close?.();
		return true;
	} catch {
		return false;
	}
}
