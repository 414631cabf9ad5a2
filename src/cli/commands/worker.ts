/** `odentify worker`: joins a queue and does its batches until it is told to leave. */
import { type QueueWorker, startQueueWorker } from "../../compute/node/redis/queue-worker.ts";
import { InputError } from "../../errors.ts";
import { formatNumber } from "../../report/format.ts";
import { onStopSignal } from "../stop-signal.ts";
import { type CommonOptions, Terminal } from "../terminal/terminal.ts";

interface WorkerOptions extends CommonOptions {
	readonly queue: string;
	readonly threads?: string;
	readonly lease?: string;
}

const lineEvery = 15_000;

export async function worker(options: WorkerOptions): Promise<number> {
	const terminal = new Terminal(options);
	const threads = countOf("--threads", options.threads, 1, 4096);
	const lease = countOf("--lease", options.lease, 1, 3600);
	// Listened for from the start: who is told to leave while he joins leaves, too.
	const told = untilTold(terminal);
	const joined = await startQueueWorker(options.queue, { threads, lease });
	const few = joined.threads === 1 ? "1 thread" : `${joined.threads} threads`;
	terminal.say(`  at ${joined.url.shown} with ${few}; Ctrl-C to leave`);
	const lines = setInterval(() => sayRate(joined, terminal), lineEvery);
	await told;
	clearInterval(lines);
	const { done, failed, dropped } = joined.record;
	await joined.close();
	terminal.say(`  left after ${batches(done)}`);
	terminal.answer({ queue: joined.url.shown, threads: joined.threads, done, failed, dropped });
	return 0;
}

/** The first signal asks to leave after the present batches, the second ends the process at once. */
function untilTold(terminal: Terminal): Promise<void> {
	return new Promise((resolve) => {
		onStopSignal(() => {
			terminal.say("  leaving after the present batches … (once more to leave at once)");
			resolve();
		});
	});
}

function sayRate({ record }: QueueWorker, terminal: Terminal): void {
	const { done, jobsPerSecond, operationsPerSecond } = record;
	if (jobsPerSecond > 0)
		terminal.say(
			`  ${batches(done)} done; ${formatNumber(jobsPerSecond, 2)} a second, ${formatNumber(operationsPerSecond / 1e9, 2)} billion operations a second`,
		);
}

function batches(count: number): string {
	return count === 1 ? "1 batch" : `${count} batches`;
}

function countOf(option: string, text: string | undefined, least: number, most: number): number | undefined {
	if (text === undefined) return undefined;
	const value = Number(text);
	if (!/^\d+$/.test(text) || !(value >= least && value <= most))
		throw new InputError(`${option} ${text}`, `is not a whole number from ${least} to ${most}`);
	return value;
}
