/** `odentify queue URL`: workers, jobs and rates of a queue; with --watch again and again, also past a restart of Redis. */
import { type QueueStatus, queueStatus } from "../../compute/node/redis/queue-status.ts";
import { byVersion, type WorkerRecord } from "../../compute/node/redis/worker-record.ts";
import { InputError } from "../../errors.ts";
import { counted } from "../../estimate/judge/words.ts";
import { formatNumber, formatSeconds } from "../../report/format.ts";
import { version } from "../../version.ts";
import { toOut, visibleJson } from "../terminal/screen.ts";
import { type CommonOptions, Terminal } from "../terminal/terminal.ts";

interface QueueOptions extends CommonOptions {
	readonly watch?: boolean;
}

const watchEvery = 2000;

export async function queue(url: string, options: QueueOptions): Promise<number> {
	const terminal = new Terminal(options);
	const show = (status: QueueStatus): void => {
		for (const line of lines(status)) terminal.say(line);
	};
	// An address that never answered is a mistake, also with --watch.
	const first = await queueStatus(url, "queue");
	show(first);
	if (!options.watch) {
		terminal.answer(first);
		return 0;
	}
	// One document a line, for those who read as it comes.
	const answer = (status: QueueStatus): void => {
		if (terminal.json) toOut(`${visibleJson(status)}\n`);
	};
	answer(first);
	for (let away = ""; ; ) {
		await new Promise((next) => setTimeout(next, watchEvery));
		try {
			const status = await queueStatus(url, "queue");
			away = "";
			show(status);
			answer(status);
		} catch (error) {
			if (!(error instanceof InputError)) throw error;
			// Without the system's reason, which may change from one time to the next.
			const problem = error.problem.replace(/ \(.*\)$/, "");
			if (problem !== away) terminal.say(`  ${problem}; waiting`);
			away = problem;
		}
	}
}

function lines({ queue, workers, jobs, operationsPerSecond, jobsPerSecond }: QueueStatus): string[] {
	const { own, others } = byVersion(workers);
	const threads = own.reduce((sum, worker) => sum + worker.threads, 0);
	const few = `${counted(own.length, "worker")}, ${counted(threads, "thread")}`;
	const rows = [
		[
			"host",
			"process",
			"version",
			"threads",
			"here for",
			"at work",
			"done",
			"failed",
			"batches/s",
			"operations/s",
		],
		...workers.map(row),
	];
	const widths = rows[0].map((_, column) => Math.max(...rows.map((each) => each[column].length)));
	const table = rows.map(
		(each) => `    ${each.map((cell, column) => cell.padEnd(widths[column])).join("  ")}`,
	);
	return [
		`  ${queue}   ${few}`,
		`  ${jobs.waiting} waiting, ${jobs.active} at work, ${jobs.failed} failed; ` +
			`${formatNumber(jobsPerSecond, 2)} batches and ${billions(operationsPerSecond)} operations a second`,
		...others.map(
			(each) =>
				`  ${each} ${each.startsWith("1 ") ? "is there and gets" : "are there and get"} ` +
				`no batches of this version, ${version}`,
		),
		...(workers.length > 0 ? table.map((line) => line.trimEnd()) : ["  no worker is there"]),
	];
}

function row(worker: WorkerRecord): string[] {
	return [
		worker.host,
		String(worker.pid),
		worker.version,
		String(worker.threads),
		formatSeconds((Date.now() - worker.since) / 1e3),
		String(worker.active),
		String(worker.done),
		String(worker.failed),
		formatNumber(worker.jobsPerSecond, 2),
		billions(worker.operationsPerSecond),
	];
}

function billions(operations: number): string {
	return operations < 1e6 ? "0" : `${formatNumber(operations / 1e9, 2)} billion`;
}
