/** Questions on a terminal: one line each, an empty one takes what is proposed. */
import { createInterface, type Interface } from "node:readline/promises";
import { InputError } from "../errors.ts";
import { toErr } from "./terminal/screen.ts";

/** Whether somebody is there to be asked. */
export function canAsk(): boolean {
	return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

export class Asker {
	readonly #lines: Interface;
	/** Lines that come before they are asked for wait their turn. */
	readonly #next: AsyncIterator<string>;

	constructor(
		input: NodeJS.ReadableStream = process.stdin,
		private readonly say: (text: string) => void = toErr,
	) {
		this.#lines = createInterface({ input });
		this.#next = this.#lines[Symbol.asyncIterator]();
	}

	/** One of these, by its number or its beginning. */
	async choose(question: string, choices: readonly { name: string; says: string }[]): Promise<string> {
		const width = Math.max(...choices.map(({ name }) => name.length));
		this.say(`\n${question}\n`);
		for (const [i, { name, says }] of choices.entries())
			this.say(`  ${String(i + 1).padStart(2)}  ${name.padEnd(width)}  ${says}\n`);
		for (;;) {
			const answer = await this.#answer(`Number or name [1]: `);
			if (answer === "") return choices[0].name;
			const byNumber = /^\d+$/.test(answer) ? choices[Number(answer) - 1] : undefined;
			const begun = choices.filter(({ name }) => name.toLowerCase().startsWith(answer.toLowerCase()));
			const exact = choices.find(({ name }) => name === answer);
			const found = exact ?? byNumber ?? (begun.length === 1 ? begun[0] : undefined);
			if (found) return found.name;
			this.say(`  There is no ${answer} in the list.\n`);
		}
	}

	async #answer(question: string): Promise<string> {
		this.say(question);
		const { value, done } = await this.#next.next();
		if (done) throw new InputError("the question", "was not answered", "See  odentify init --help");
		return value.trim();
	}

	close(): void {
		this.#lines.close();
	}
}
