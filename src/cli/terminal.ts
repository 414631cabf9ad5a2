/**
 * What goes where: with --json one document on standard output and everything else on standard error; else people read
 * standard output. Colours only on a terminal, and never where NO_COLOR is set; they help and carry nothing alone.
 */
import picocolors from "picocolors";

export interface CommonOptions {
	readonly json?: boolean;
	readonly quiet?: boolean;
	readonly out?: string;
	readonly seed?: string;
	readonly compute?: string;
	readonly fast?: boolean;
	readonly exact?: boolean;
	readonly checkpoint?: string;
	readonly follow?: boolean;
	readonly design?: string;
}

export type Colors = ReturnType<typeof picocolors.createColors>;

export class Terminal {
	readonly json: boolean;
	readonly quiet: boolean;
	/** Where people read. */
	readonly stream: NodeJS.WriteStream;
	readonly colors: Colors;

	constructor(options: CommonOptions) {
		this.json = options.json === true;
		this.quiet = options.quiet === true;
		this.stream = this.json ? process.stderr : process.stdout;
		this.colors = picocolors.createColors(hasColors(this.stream));
	}

	/** A line (or lines) for people. */
	say(text = ""): void {
		if (!this.quiet) this.stream.write(`${text}\n`);
	}

	/** The one document of --json. */
	answer(value: unknown): void {
		if (this.json) process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
	}
}

export function hasColors(stream: NodeJS.WriteStream): boolean {
	const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
	if (NO_COLOR) return false;
	if (FORCE_COLOR && FORCE_COLOR !== "0") return true;
	return stream.isTTY === true && TERM !== "dumb";
}
