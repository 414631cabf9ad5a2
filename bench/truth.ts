/**
 * The proving ground: problems whose truth is known, asked of every method with its defaults, and how often what each said was
 * true. A ledger that is named is gone on with. From 1000000, 2000000 and 3000000 on are the problems of inversion, kriging and periodic.
 *
 *   npm run bench -- truth --seed 0 --count 300 --minutes 10 --ledger truth.jsonl [--methods fit,bayes] [--patience SECONDS]
 *   npm run bench -- truth --fault "missing term" …     only problems with this fault, at the dose that an expert sees
 *   npm run bench -- truth --page truth.jsonl           writes docs/truth.md
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { type Fault, faults } from "../src/prove/faults.ts";
import { root } from "../test/cli/odentify.ts";
import type { BenchOptions } from "./main.ts";
import { pageOf } from "./truth/page.ts";
import { readLedger, runTruth } from "./truth/run.ts";
import { tablesOf } from "./truth/table.ts";

export async function bench({
	minutes = 10,
	seed = 0,
	count = 300,
	ledger = join(root, ".build/truth.jsonl"),
	threads = availableParallelism(),
	methods = "fit,bayes,periodic,inversion,kriging,guaranteed",
	patience = 240,
	fault,
	page,
}: BenchOptions): Promise<void> {
	if (page !== undefined) {
		writeFileSync(join(root, "docs/truth.md"), pageOf(readLedger(page)));
		return;
	}
	mkdirSync(dirname(ledger), { recursive: true });
	await runTruth({
		from: seed,
		to: seed + count,
		asked: methods.split(","),
		fault: fault === undefined ? undefined : faultNamed(fault),
		ledger,
		minutes,
		threads,
		patience,
	});
	console.log(tablesOf(readLedger(ledger)));
}

function faultNamed(name: string): Fault {
	const fault = faults.find((each) => each.name === name);
	const visible = faults.filter(({ seenAt }) => seenAt !== undefined);
	if (fault?.seenAt === undefined)
		throw new Error(
			`"${name}" is no fault that an expert sees: ${visible.map((each) => each.name).join(", ")}`,
		);
	return fault;
}
