/**
 * The queue beside one core: what it costs on a long batch, and two workers beside one. Each round has a run here, one on one
 * worker and one on two, in changing order; the ratios are those within a round, with their spread. All processes share this
 * machine: with fewer idle cores than processes, ratios of the clock say little, so the processor time of all of them (the
 * study, the workers, Redis) stands beside them.
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

const rounds = 6;
/** Seconds of one core that the batch should take. */
const wanted = 10;
const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

interface Work {
	readonly kernel: Kernel;
	readonly batch: number;
	readonly buffers: Record<string, Float64Array>;
	readonly scalars: Record<string, number>;
}

interface Time {
	readonly wall: number;
	readonly processor: number;
}
interface Round {
	readonly here: Time;
	readonly one: Time;
	readonly two: Time;
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
	const first = await startWorker(url);
	const place = await redis(url, { smallest: 0 });
	try {
		const work = await longWork();
		const all: Round[] = [];
		// Not counted: kernels are compiled, records sent.
		await place.run(work.kernel, work);
		for (let i = 0; i < rounds; i++) all.push(await oneRound(work, place, url, [server, first], i % 2 === 1));
		const alone = all.map(({ here }) => here.wall);
		console.log(
			`\nqueue, a batch of ${middle(alone).toFixed(1)} s on one core (Duffing filter, ${work.batch} particles), ${rounds} rounds:`,
		);
		const cost = all.map(({ here, one }) => 100 * (one.wall / here.wall - 1));
		const used = all.map(({ here, one }) => 100 * (one.processor / here.processor - 1));
		console.log(
			`  one worker, cost over inline: by the clock ${spread(cost)} %  goal <= 5 %  ${mark(middle(cost) <= 5)}; by processor time ${spread(used)} %`,
		);
		const faster = all.map(({ one, two }) => one.wall / two.wall);
		const added = all.map(({ one, two }) => (2 * one.processor) / two.processor);
		console.log(
			`  two workers, speed relative to one: by the clock ${spread(faster)}  goal >= 1.7  ${mark(middle(faster) >= 1.7)}; by processor time ${spread(added)}`,
		);
	} finally {
		await place.close();
		first.kill("SIGKILL");
		server.kill("SIGKILL");
		rmSync(folder, { recursive: true, force: true });
	}
}

/** The batch here, on one worker and on two. */
async function oneRound(
	work: Work,
	place: Compute,
	url: string,
	others: readonly ChildProcess[],
	backwards: boolean,
): Promise<Round> {
	const round: Partial<Record<keyof Round, Time>> = {};
	const parts = [
		async () => (round.here = await timed(inline, work, others)),
		async () => (round.one = await timed(place, work, others)),
		async () => {
			const second = await startWorker(url);
			// It compiles, and is known to the place from its next look on.
			await place.run(work.kernel, duffingFilter(4096, 1000));
			await new Promise((next) => setTimeout(next, 2500));
			round.two = await timed(place, work, [...others, second]);
			const left = once(second, "exit");
			second.kill("SIGTERM");
			await left;
			await new Promise((next) => setTimeout(next, 2500));
		},
	];
	for (const part of backwards ? parts.reverse() : parts) await part();
	return round as Round;
}

async function longWork(): Promise<Work> {
	const small = duffingFilter(2048, 1000);
	await seconds(inline, small);
	const each = (await seconds(inline, small)) / 2048;
	return duffingFilter(8 * Math.ceil(wanted / each / 8), 1000);
}

/** Seconds of the batch on the clock, and of the processor by this process and the others. */
async function timed(place: Compute, work: Work, others: readonly ChildProcess[]): Promise<Time> {
	const [own, theirs] = [process.cpuUsage(), others.map(processorSeconds)];
	const wall = await seconds(place, work);
	const { user, system } = process.cpuUsage(own);
	const processor = others.reduce(
		(sum, other, i) => sum + processorSeconds(other) - theirs[i],
		(user + system) / 1e6,
	);
	return { wall, processor };
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
	return quantile(values, 0.5);
}
function quantile(values: readonly number[], q: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	const at = q * (sorted.length - 1);
	const [below, above] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
	return below + (at - Math.floor(at)) * (above - below);
}
/** The middle, and the middle half. */
function spread(values: readonly number[]): string {
	return `${middle(values).toFixed(2)} [${quantile(values, 0.25).toFixed(2)}, ${quantile(values, 0.75).toFixed(2)}]`;
}
function mark(reached: boolean): string {
	return reached ? "reached" : "MISSED";
}
