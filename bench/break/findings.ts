/** What was found, each with its seed in a folder of its own, and how often what happened. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../test/cli/odentify.ts";

export interface Finding {
	/** `models`, `files`, `kills`, `queue`. */
	readonly kind: string;
	readonly seed: number;
	/** In a few words: `bug in fit`. */
	readonly what: string;
	/** The message with its stack, or what differs. */
	readonly why: string;
	/** All that is needed to see it again. */
	readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

export class Findings {
	readonly folder = join(root, ".build", "break");
	readonly found: Finding[] = [];
	readonly #counts = new Map<string, Map<string, number>>();
	readonly #leftOut: string[] = [];

	/** What cannot be looked for on this machine. */
	leaveOut(what: string): void {
		this.#leftOut.push(what);
		console.log(`left out: ${what}`);
	}

	count(kind: string, what: string): void {
		let own = this.#counts.get(kind);
		if (!own) this.#counts.set(kind, (own = new Map()));
		own.set(what, (own.get(what) ?? 0) + 1);
	}

	add(finding: Finding): void {
		const { kind, seed, what, why, files = {} } = finding;
		this.found.push(finding);
		this.count(kind, what);
		const folder = join(this.folder, `${kind}-${seed}-${what.replace(/\W+/g, "-")}`);
		mkdirSync(folder, { recursive: true });
		for (const [name, content] of Object.entries({ ...files, "why.txt": `${what}\n\n${why}\n` }))
			writeFileSync(join(folder, name), content);
		console.log(`  ${kind}, seed ${seed}: ${what}: ${why.split("\n")[0].slice(0, 140)}`);
	}

	/** One line: a run that is broken off has said what it saw. */
	printSoFar(minutes: number): void {
		const all = [...this.#counts].map(([kind, own]) => {
			const total = [...own.values()].reduce((sum, count) => sum + count, 0);
			return `${kind} ${total}`;
		});
		console.log(`  after ${minutes.toFixed(0)} min: ${all.join(", ")}; ${this.found.length} findings`);
	}

	print(): void {
		for (const [kind, own] of this.#counts) {
			const sorted = [...own].sort(([a], [b]) => (a < b ? -1 : 1));
			console.log(`${kind.padEnd(7)} ${sorted.map(([what, count]) => `${what} ${count}`).join(", ")}`);
		}
		for (const what of this.#leftOut) console.log(`left out: ${what}`);
		console.log(
			this.found.length === 0
				? "nothing was found"
				: `${this.found.length} findings, each with its seed, in .build/break`,
		);
	}
}
