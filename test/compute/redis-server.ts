/** A redis-server and workers of its queue as processes of their own, for one test file. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../cli/odentify.ts";

export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;
if (!hasRedis) console.warn("no redis-server here: the queue is not tested");

export async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const address = server.address();
	server.close();
	await once(server, "close");
	return (address as { port: number }).port;
}

export class RedisServer {
	readonly #folder = mkdtempSync(join(tmpdir(), "odentify-redis-"));
	readonly #workers = new Set<ChildProcess>();
	#server: ChildProcess | undefined;
	port = 0;

	constructor(
		readonly args: readonly string[] = [],
		/** First part of its address, with the host. */
		readonly at = "redis://127.0.0.1",
	) {}

	get url(): string {
		return `${this.at}:${this.port}`;
	}

	async start(): Promise<void> {
		this.port ||= await freePort();
		const server = spawn(
			"redis-server",
			[
				...["--port", String(this.port), "--bind", "127.0.0.1", "--dir", this.#folder, "--save", ""],
				...this.args,
			],
			{ stdio: ["ignore", "pipe", "pipe"] },
		);
		this.#server = server;
		await new Promise<void>((resolve, reject) => {
			server.stdout!.on("data", (text) => String(text).includes("Ready to accept connections") && resolve());
			server.on("exit", () => reject(new Error("redis-server ended")));
		});
	}

	/** Ends the server; `how` SIGTERM lets it write what it has. */
	async stop(how: NodeJS.Signals = "SIGTERM"): Promise<void> {
		const server = this.#server;
		if (!server) return;
		this.#server = undefined;
		const ended = once(server, "exit");
		server.kill(how);
		await ended;
	}

	/** From here on it takes connections and answers nothing. */
	freeze(): void {
		this.#server?.kill("SIGSTOP");
	}

	/** `odentify worker` as a process, once it has joined. */
	async worker(...args: string[]): Promise<ChildProcess> {
		const child = spawn(
			process.execPath,
			[join(root, "dist/cli/main.js"), "worker", "--queue", this.url, ...args],
			{ stdio: ["ignore", "pipe", "pipe"] },
		);
		this.#workers.add(child);
		let text = "";
		await new Promise<void>((resolve, reject) => {
			child.stderr!.on("data", (part) => (text += part));
			child.stdout!.on("data", (part) => String(part).includes("Ctrl-C") && resolve());
			child.on("exit", () => reject(new Error(`the worker ended: ${text}`)));
		});
		return child;
	}

	async end(worker: ChildProcess, how: NodeJS.Signals): Promise<number | null> {
		if (worker.exitCode !== null || worker.signalCode !== null) return worker.exitCode;
		const ended = once(worker, "exit");
		worker.kill(how);
		const [code] = await ended;
		this.#workers.delete(worker);
		return code;
	}

	async endAll(how: NodeJS.Signals = "SIGTERM"): Promise<void> {
		await Promise.all([...this.#workers].map((each) => this.end(each, how)));
	}

	async clean(): Promise<void> {
		await this.endAll("SIGKILL");
		await this.stop("SIGKILL");
		rmSync(this.#folder, { recursive: true, force: true });
	}
}
