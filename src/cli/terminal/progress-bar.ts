/**
 * How far a method is: a bar with a time to go on a terminal; where there is none, a line now and then. It is written
 * to standard error and leaves nothing behind.
 */
import type { Progress } from "../../estimate/run/progress.ts";
import { accentOf } from "../../methods/accent.ts";
import { formatSeconds } from "../../report/format.ts";
import { colorsFor, emptiedLine, toErr, visible } from "./screen.ts";
import type { Terminal } from "./terminal.ts";

const width = 26;
/** Milliseconds between two drawings of the bar, and between two lines. */
const redrawEvery = 80;
const firstLineAfter = 5_000;
const lineEvery = 15_000;

export class ProgressBar {
	readonly #start = performance.now();
	readonly #live: boolean;
	readonly #silent: boolean;
	readonly #paint: (text: string) => string;
	#shown = false;
	#next: number;

	constructor(
		private readonly method: string,
		terminal: Terminal,
		/** Share of the work that an earlier process did. */
		private readonly done = 0,
	) {
		this.#live = process.stderr.isTTY === true && process.env.TERM !== "dumb";
		this.#silent = terminal.quiet;
		this.#paint = colorsFor(process.stderr)[accentOf(method).terminal];
		this.#next = this.#live ? this.#start : this.#start + firstLineAfter;
	}

	/** Shows itself before the first step, which may be a long one. */
	begin(): void {
		if (!this.#live) return;
		this.#next = 0;
		this.update({ done: false, fraction: this.done, label: "" });
	}

	update({ fraction, label: said }: Progress): void {
		const now = performance.now();
		if (this.#silent || now < this.#next) return;
		const label = visible(said).replace(/[\n\t]/g, " ");
		const left = secondsToGo(fraction, this.done, (now - this.#start) / 1000);
		if (this.#live) {
			this.#next = now + redrawEvery;
			const columns = Math.max(40, process.stderr.columns ?? 80);
			const tail = `${percent(fraction)}  ${left === undefined ? "" : `${formatSeconds(left)} to go  `}${label}`;
			const head = `  ${this.method.padEnd(10)}  `;
			const text = tail.slice(0, columns - head.length - width - 3);
			toErr(`${emptiedLine}${head}${this.#paint(bar(fraction))}  ${text}`);
			this.#shown = true;
		} else {
			this.#next = now + lineEvery;
			const time = left === undefined ? "" : `, about ${formatSeconds(left)} to go`;
			toErr(`  ${this.method}: ${percent(fraction).trim()}${time}  ${label}\n`);
		}
	}

	/** Takes the bar off the screen. */
	clear(): void {
		if (this.#shown) toErr(emptiedLine);
		this.#shown = false;
	}
}

/** `████████░░░░` in eighths of a character. */
export function bar(fraction: number): string {
	const eighths = Math.round(Math.min(1, Math.max(0, fraction)) * width * 8);
	const full = Math.floor(eighths / 8);
	const part = eighths % 8;
	const partial = part === 0 ? "" : String.fromCharCode(0x2590 - part);
	return ("█".repeat(full) + partial).padEnd(width, "░");
}

/** Seconds left if the rest goes as fast as what this process has done; `undefined` while that is guessing. */
export function secondsToGo(fraction: number, done: number, seconds: number): number | undefined {
	const share = (fraction - done) / (1 - done);
	if (!(share > 0.02) || !(seconds > 0.5)) return undefined;
	return (seconds * (1 - share)) / share;
}

function percent(fraction: number): string {
	return `${String(Math.floor(100 * Math.min(1, Math.max(0, fraction)))).padStart(3)} %`;
}
