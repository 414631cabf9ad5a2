/** Tries the queue: the one that was named, or a redis-server of our own for a moment, with one worker in this process. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Compute } from "../compute/compute.ts";
import { startQueueWorker } from "../compute/node/redis/queue-worker.ts";
import { redis } from "../compute/node/redis/redis.ts";
import { InputError } from "../errors.ts";

const servers = ["redis-server", "valkey-server"];
/** Milliseconds until a server of our own answers. */
const patience = 5000;

/** A place that closes all that was started for it. */
export async function queueToTry(named: string | undefined): Promise<Compute> {
	if (named !== undefined) return redis(named, { smallest: 0 });
	const server = await ownServer();
	try {
		const worker = await startQueueWorker(server.url, { threads: 1 });
		const place = await redis(server.url, { smallest: 0 });
		return {
			name: place.name,
			run: (kernel, launch) => place.run(kernel, launch),
			async close() {
				await place.close();
				await worker.close();
				server.stop();
			},
		};
	} catch (error) {
		server.stop();
		throw error;
	}
}

async function ownServer(): Promise<{ url: string; stop(): void }> {
	for (const program of servers) {
		const started = await start(program);
		if (started) return started;
	}
	throw new InputError(
		"redis",
		"redis-server is not on the path; a queue on another machine can be tried with  --queue redis://HOST:PORT",
	);
}

async function start(program: string): Promise<{ url: string; stop(): void } | undefined> {
	const folder = mkdtempSync(join(tmpdir(), "odentify-doctor-"));
	const port = await freePort();
	const args = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
	const child = spawn(program, args, { stdio: ["ignore", "pipe", "ignore"] });
	const stop = (): void => {
		child.kill("SIGKILL");
		rmSync(folder, { recursive: true, force: true });
	};
	const isThere = await new Promise<boolean>((resolve) => {
		child.on("error", () => resolve(false));
		child.on("exit", () => resolve(false));
		child.stdout.on("data", (text) => String(text).includes("Ready to accept") && resolve(true));
		setTimeout(() => resolve(false), patience).unref();
	});
	if (isThere) return { url: `redis://127.0.0.1:${port}`, stop };
	stop();
	return undefined;
}

async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as { port: number };
	server.close();
	await once(server, "close");
	return port;
}
