/** A study on a queue whose workers are killed, halted and replaced, and whose server restarts: the bits of one process. */
import type { ChildProcess } from "node:child_process";
import { inline } from "../../src/compute/inline.ts";
import { redis } from "../../src/compute/node/redis/redis.ts";
import { Draws } from "../../src/num/statistics/draws.ts";
import { RedisServer } from "../../test/compute/redis-server.ts";
import { answerOn, studies } from "../../test/compute/small-studies.ts";
import type { Findings } from "./findings.ts";

/** Seconds. */
const patience = 600;
const pause = (seconds: number): Promise<void> => new Promise((next) => setTimeout(next, 1000 * seconds));

export async function disturbedQueue(seed: number, findings: Findings): Promise<void> {
	const d = new Draws(seed, "queue");
	// Only these launch kernels.
	const method = d.pick(Object.keys(studies).filter((name) => name !== "guaranteed" && name !== "kriging"));
	const { text } = await answerOn(inline, method);
	const server = new RedisServer(["--appendonly", "yes", "--appendfsync", "always"]);
	const done: string[] = [];
	let isOver = false;
	try {
		await server.start();
		const workers = [await worker(server), await worker(server)];
		const place = await redis(server.url, { smallest: 0 });
		const running = answerOn(place, method);
		const chaos = disturb(d, server, workers, done, () => isOver);
		let timer: NodeJS.Timeout | undefined;
		const tooLong = new Promise<undefined>((resolve) => {
			timer = setTimeout(() => resolve(undefined), 1000 * patience);
		});
		const answer = await Promise.race([running, tooLong]).finally(() => clearTimeout(timer));
		isOver = true;
		await chaos;
		await place.close();
		for (const what of done) findings.count("queue", what);
		if (!answer) findings.add({ kind: "queue", seed, what: `no end in ${method}`, why: done.join(", ") });
		else if (answer.text !== text)
			findings.add({ kind: "queue", seed, what: `bits differ in ${method}`, why: done.join(", ") });
		else findings.count("queue", "same bits");
	} catch (error) {
		isOver = true;
		const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
		findings.add({ kind: "queue", seed, what: `error in ${method}`, why: `${why}\n${done.join(", ")}` });
	} finally {
		await server.clean();
	}
}

const worker = (server: RedisServer): Promise<ChildProcess> =>
	server.worker("--threads", "1", "--lease", "2");

/** Something happens every fraction of a second; in the end there are workers that can work. */
async function disturb(
	d: Draws,
	server: RedisServer,
	workers: ChildProcess[],
	done: string[],
	isOver: () => boolean,
): Promise<void> {
	for (let k = d.whole(1, 5); k > 0 && !isOver(); k--) {
		await pause(d.between(0.05, 0.8));
		const one = d.pick(workers);
		const what = d.pick(["kill", "halt", "stop", "join", "restart"]);
		done.push(what);
		if (what === "kill") await server.end(one, "SIGKILL");
		else if (what === "stop") await server.end(one, "SIGTERM");
		else if (what === "halt") {
			one.kill("SIGSTOP");
			await pause(d.between(0.5, 4));
			one.kill("SIGCONT");
		} else if (what === "join") workers.push(await worker(server));
		else {
			await server.stop("SIGKILL");
			await pause(d.between(0, 1.5));
			await server.start();
		}
	}
	if (!isOver()) await worker(server);
}
