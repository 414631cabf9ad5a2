/** `odentify reproduce [NAME…]`: repeats the papers' tables and prints the paper's numbers beside ours. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Compute } from "../../compute/compute.ts";
import { makeFolder } from "../../data/node/make-folder.ts";
import { readTableFile } from "../../data/node/read-file.ts";
import type { Table } from "../../data/table/table.ts";
import { InputError, nearestName } from "../../errors.ts";
import { accentOf } from "../../methods/accent.ts";
import type { Reproduction, ReproductionTable } from "../../report/reproduction.ts";
import { reproductionPage } from "../../report/reproduction-page.ts";
import { writeAtomic } from "../../study/node/atomic-write.ts";
import { version } from "../../version.ts";
import { seedOf, withCompute } from "../common-options.ts";
import { ProgressBar } from "../terminal/progress-bar.ts";
import { type CommonOptions, Terminal } from "../terminal/terminal.ts";
import { wrap } from "../terminal/wrap.ts";

interface ReproduceOptions extends CommonOptions {
	readonly quick?: boolean;
	readonly data?: string;
}

export async function reproduce(names: readonly string[], options: ReproduceOptions): Promise<number> {
	const terminal = new Terminal(options);
	const all = await reproductions();
	const chosen = names.length > 0 ? names.map((name) => find(name, all)) : [...all.values()];
	if (options.data !== undefined && !existsSync(options.data))
		throw new InputError(
			`--data ${options.data}`,
			"there is no such folder",
			"Name the folder of the public records.",
		);
	return withCompute(options, (compute) => repeat(chosen, compute, options, terminal));
}

async function repeat(
	chosen: readonly Reproduction[],
	compute: Compute,
	options: ReproduceOptions,
	terminal: Terminal,
): Promise<number> {
	const seed = seedOf(options, 1);
	const folder = options.out ?? join("runs", "reproduce");
	const answers: Record<string, readonly ReproductionTable[]> = {};
	for (const reproduction of chosen) {
		const bar = new ProgressBar(reproduction.name, terminal);
		bar.begin();
		const { tables, figures } = await reproduction.run({
			quick: options.quick === true,
			seed,
			compute,
			record: (path) => recordOf(options.data, path),
			progress: (fraction, label) => bar.update({ done: false, fraction, label }),
		});
		bar.clear();
		answers[reproduction.name] = tables;
		print(reproduction, tables, terminal);
		makeFolder(folder);
		const page = join(folder, `${reproduction.name}.html`);
		writeAtomic(
			page,
			reproductionPage({
				...reproduction,
				accent: accentOf(reproduction.name),
				tables,
				figures,
				version,
				seed,
			}),
		);
		terminal.say(`  Page     ${page}\n`);
	}
	terminal.say(`  ${tally(answers)}\n`);
	terminal.answer({ version, seed, quick: options.quick === true, papers: answers });
	return Object.values(answers).some((tables) => tables.some(({ rows }) => rows.some(isShort))) ? 1 : 0;
}

/** `41 rows: 20 reached, 15 better, …` */
function tally(answers: Readonly<Record<string, readonly ReproductionTable[]>>): string {
	const rows = Object.values(answers).flatMap((tables) => tables.flatMap((table) => table.rows));
	const counts = new Map<string, number>();
	for (const { verdict } of rows) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
	return `${rows.length} rows: ${[...counts].map(([verdict, n]) => `${n} ${verdict}`).join(", ")}`;
}

const isShort = ({ verdict }: { verdict: string }): boolean => verdict === "not reached";

/** The papers stand beside the library, and are loaded only here, as built. */
async function reproductions(): Promise<ReadonlyMap<string, Reproduction>> {
	const built = new URL("../../papers/reproductions.js", import.meta.url);
	if (!existsSync(built))
		throw new InputError("reproduce", "the papers have not been built", "Build them:  npm run build");
	return (await import(built.href)).reproductions;
}

function find(name: string, all: ReadonlyMap<string, Reproduction>): Reproduction {
	const found = all.get(name);
	if (found) return found;
	const near = nearestName(name, all.keys());
	throw new InputError(
		`reproduce ${name}`,
		"is no paper of this version",
		`${near ? `Did you mean ${near}? ` : ""}There are: ${[...all.keys()].join(", ")}.`,
	);
}

async function recordOf(folder: string | undefined, path: string): Promise<Table | undefined> {
	if (folder === undefined) return undefined;
	const file = join(folder, path);
	return existsSync(file) ? readTableFile(file) : undefined;
}

function print(
	{ name, title }: Reproduction,
	tables: readonly ReproductionTable[],
	terminal: Terminal,
): void {
	const { colors } = terminal;
	terminal.say(`\n${colors.bold(name)}   ${title}`);
	for (const table of tables) {
		terminal.say(`\n  ${colors.bold(table.title)}`);
		const rows = [
			["", "paper", "ours", "goal", ""],
			...table.rows.map((r) => [r.what, r.paper, r.ours, r.goal, r.verdict]),
		];
		const widths = rows[0].map((_, c) => Math.max(...rows.map((row) => row[c].length)));
		rows.forEach((row, i) => {
			terminal.say(`  ${row.map((cell, c) => cell.padEnd(widths[c])).join("   ")}`.trimEnd());
			const why = i > 0 ? table.rows[i - 1].why : undefined;
			if (why) for (const line of wrap(why, 96)) terminal.say(colors.dim(`      ${line}`));
		});
	}
	terminal.say();
}
