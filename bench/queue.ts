/**
 * The queue beside one core: what it costs on a long batch, and two workers beside one. In each round a run on one worker
 * stands between two runs here, whose mean it is compared with: what drifts on the machine cancels. Two more figures of the
 * same run do not depend on how fast the machine is at the moment: the share of the time in which the worker's thread did
 * not compute, and the processor time of all processes (the study, the workers, Redis). With fewer idle cores than
 * processes, ratios of the clock say little.
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
import type { JobEnd } from "../src/compute/node/redis/job-end.ts";
import { prefix, queueName } from "../src/compute/node/redis/protocol.ts";
import { redis } from "../src/compute/node/redis/redis.ts";
import type { Kernel } from "../src/lower/ir.ts";
import { duffingFilter } from "./duffing-filter.ts";

const rounds = 5;
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
	/** Before and after the one on the queue. */
	readonly here: readonly [Time, Time];
	readonly one: Time;
	readonly two: Time;
	/** Seconds that the jobs of the run on one worker took its thread. */
	readonly computed: number;
	/** What passed through Redis in it. */
	readonly commands: number;
	readonly megabytes: number;
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
	const watch = await watcher(port);
	try {
		const work = await longWork();
		const all: Round[] = [];
		// Not counted: kernels are compiled, records sent.
		await place.run(work.kernel, work);
		for (let i = 0; i < rounds; i++) all.push(await oneRound(work, place, url, [server, first], watch));
		report(work, all);
	} finally {
		await watch.close();
		await place.close();
		first.kill("SIGKILL");
		server.kill("SIGKILL");
		rmSync(folder, { recursive: true, force: true });
	}
}

function report({ batch }: Work, all: readonly Round[]): void {
	const alone = (what: keyof Time): number[] => all.map(({ here: [a, b] }) => (a[what] + b[what]) / 2);
	const [wall, processor] = [alone("wall"), alone("processor")];
	console.log(
		`\nqueue, a batch of ${middle(wall).toFixed(1)} s on one core (Duffing filter, ${batch} particles), ${rounds} rounds:`,
	);
	const drift = all.map(({ here: [a, b] }) => 100 * Math.abs(b.wall / a.wall - 1));
	const cost = all.map(({ one }, i) => 100 * (one.wall / wall[i] - 1));
	const used = all.map(({ one }, i) => 100 * (one.processor / processor[i] - 1));
	const idle = all.map(({ one, computed }) => 100 * (1 - computed / one.wall));
	console.log(
		`  one worker, cost over inline: by the clock ${spread(cost)} %  goal <= 5 %  ${mark(middle(cost) <= 5)}` +
			` (two runs inline differ by ${spread(drift)} %)`,
	);
	console.log(
		`    time in which its thread did not compute ${spread(idle)} %; more processor time than inline ${spread(used)} %;` +
			` ${middle(all.map(({ commands }) => commands)).toFixed(0)} commands and ${middle(all.map(({ megabytes }) => megabytes)).toFixed(1)} MB through Redis`,
	);
	const faster = all.map(({ one, two }) => one.wall / two.wall);
	const added = all.map(({ one, two }) => (2 * one.processor) / two.processor);
	console.log(
		`  two workers, speed relative to one: by the clock ${spread(faster)}  goal >= 1.7  ${mark(middle(faster) >= 1.7)}; by processor time ${spread(added)}`,
	);
}

/** The batch here, on one worker, here again, and on two. */
async function oneRound(
	work: Work,
	place: Compute,
	url: string,
	others: readonly ChildProcess[],
	watch: Watcher,
): Promise<Round> {
	const before = await timed(inline, work, others);
	const counts = await watch.counts();
	const one = await timed(place, work, others);
	const now = await watch.counts();
	const after = await timed(inline, work, others);
	const second = await startWorker(url);
	// It compiles, and is known to the place from its next look on.
	await place.run(work.kernel, duffingFilter(4096, 1000));
	await new Promise((next) => setTimeout(next, 2500));
	const two = await timed(place, work, [...others, second]);
	const left = once(second, "exit");
	second.kill("SIGTERM");
	await left;
	await new Promise((next) => setTimeout(next, 2500));
	return {
		here: [before, after],
		one,
		two,
		computed: now.seconds - counts.seconds,
		commands: now.commands - counts.commands,
		megabytes: now.megabytes - counts.megabytes,
	};
}

interface Counts {
	readonly seconds: number;
	readonly commands: number;
	readonly megabytes: number;
}
interface Watcher {
	counts(): Promise<Counts>;
	close(): Promise<void>;
}

/** Sees what the queue's jobs say that they took, and what Redis counts. */
async function watcher(port: number): Promise<Watcher> {
	const [{ QueueEvents }, { Redis }] = await Promise.all([import("bullmq"), import("ioredis")]);
	const connection = { host: "127.0.0.1", port, maxRetriesPerRequest: null };
	const events = new QueueEvents(queueName, { prefix, connection });
	const own = new Redis(connection);
	let seconds = 0;
	events.on("completed", ({ returnvalue }) => {
		const end = (typeof returnvalue === "string" ? JSON.parse(returnvalue) : returnvalue) as JobEnd;
		if (end.kind === "done") seconds += end.seconds;
	});
	await events.waitUntilReady();
	return {
		async counts() {
			// The last of the events may still be on its way.
			await new Promise((next) => setTimeout(next, 100));
			const stats = await own.info("stats");
			const of = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, "m").exec(stats)?.[1]);
			const bytes = of("total_net_input_bytes") + of("total_net_output_bytes");
			return { seconds, commands: of("total_commands_processed"), megabytes: bytes / 1e6 };
		},
		async close() {
			await events.close();
			own.disconnect();
		},
	};
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
