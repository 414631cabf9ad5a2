/**
 * The queue beside one core: what it costs on a long batch, and two workers beside one. Ratios measured in turns in one run,
 * with their spread. All processes share this machine: with fewer idle cores than processes, ratios of the clock say little,
 * so the processor time of the workers stands beside them.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Compute } from "../src/compute/compute.ts";
import { inline } from "../src/compute/inline.ts";
import { redis } from "../src/compute/node/redis/redis.ts";
import type { Kernel } from "../src/lower/ir.ts";
import { duffingFilter } from "./duffing-filter.ts";

const rounds = 3;
/** Seconds of one core that the batch should take. */
const wanted = 10;
const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

interface Work {
	readonly kernel: Kernel;
	readonly batch: number;
	readonly buffers: Record<string, Float64Array>;
	readonly scalars: Record<string, number>;
}

export async function benchQueue(): Promise<void> {
	if (spawnSync("redis-server", ["--version"]).status !== 0) {
		console.log("\nqueue: passed over, redis-server is not on the path");
		return;
	}
	const folder = mkdtempSync(join(tmpdir(), "odentify-bench-"));
	const port = await freePort();
	const server = spawn("redis-server", ["--port", String(port), "--dir", folder, "--save", ""], {
		stdio: ["ignore", "pipe", "ignore"],
	});
	await until(server, "Ready to accept");
	const url = `redis://127.0.0.1:${port}`;
	const workers = [await startWorker(url)];
	const place = await redis(url, { smallest: 0 });
	try {
		const work = await longWork();
		const alone = await seconds(inline, work);
		console.log(
			`\nqueue, a batch of ${alone.toFixed(1)} s on one core (Duffing filter, ${work.batch} particles):`,
		);
		const one = await inTurns(work, place, workers);
		const cost = one.map(({ queue, here }) => 100 * (queue / here - 1));
		const used = one.map(({ used, hereUsed }) => 100 * (used / hereUsed - 1));
		console.log(
			`  one worker, cost over inline: by the clock ${spread(cost)} %, by processor time ${spread(used)} %  goal <= 5 %  ${mark(middle(used) <= 5 || middle(cost) <= 5)}`,
		);
		const before = one.map(({ queue }) => queue);
		workers.push(await startWorker(url));
		// Known to the place from its next look on.
		await new Promise((next) => setTimeout(next, 2500));
		const two = await inTurns(work, place, workers);
		const faster = two.map(({ queue }, i) => before[i] / queue);
		const added = two.map(({ used }, i) => (2 * one[i].used) / used);
		console.log(
			`  two workers, speed relative to one: by the clock ${spread(faster)}  goal >= 1.7  ${mark(middle(faster) >= 1.7)}; by processor time ${spread(added)}`,
		);
	} finally {
		await place.close();
		for (const worker of workers) worker.kill("SIGKILL");
		server.kill("SIGKILL");
		rmSync(folder, { recursive: true, force: true });
	}
}

async function longWork(): Promise<Work> {
	const small = duffingFilter(2048, 1000);
	await seconds(inline, small);
	const each = (await seconds(inline, small)) / 2048;
	return duffingFilter(8 * Math.ceil(wanted / each / 8), 1000);
}

/** Wall-clock and processor seconds of the batch on the queue and here, in turns. */
async function inTurns(work: Work, place: Compute, workers: readonly ChildProcess[]) {
	const times: { queue: number; here: number; used: number; hereUsed: number }[] = [];
	await place.run(work.kernel, work);
	for (let i = 0; i < rounds; i++) {
		const [own, theirs] = [process.cpuUsage(), workers.map(processorSeconds)];
		const queue = await seconds(place, work);
		const mine = process.cpuUsage(own);
		const used =
			(mine.user + mine.system) / 1e6 +
			workers.reduce((sum, worker, w) => sum + processorSeconds(worker) - theirs[w], 0);
		const before = process.cpuUsage();
		const here = await seconds(inline, work);
		const { user, system } = process.cpuUsage(before);
		times.push({ queue, here, used, hereUsed: (user + system) / 1e6 });
	}
	return times;
}

/** Of a process, from the system's own account (Linux); hundredths of a second. */
function processorSeconds({ pid }: ChildProcess): number {
	try {
		const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
		return (Number(fields[11]) + Number(fields[12])) / 100;
	} catch {
		return Number.NaN;
	}
}

async function seconds(place: Compute, work: Work): Promise<number> {
	const start = performance.now();
	await place.run(work.kernel, work);
	return (performance.now() - start) / 1e3;
}

async function startWorker(url: string): Promise<ChildProcess> {
	const worker = spawn(process.execPath, [main, "worker", "--queue", url, "--threads", "1"], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	await until(worker, "Ctrl-C");
	return worker;
}

function until(child: ChildProcess, text: string): Promise<void> {
	return new Promise((resolve, reject) => {
		child.stdout!.on("data", (part) => String(part).includes(text) && resolve());
		child.on("exit", () => reject(new Error(`${child.spawnfile} ended`)));
	});
}
async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as { port: number };
	server.close();
	await once(server, "close");
	return port;
}
function middle(values: readonly number[]): number {
	return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
function spread(values: readonly number[]): string {
	return `${middle(values).toFixed(2)} [${Math.min(...values).toFixed(2)}, ${Math.max(...values).toFixed(2)}]`;
}
function mark(reached: boolean): string {
	return reached ? "reached" : "MISSED";
}
