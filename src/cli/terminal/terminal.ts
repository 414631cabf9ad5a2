/**
 * What goes where: with --json one document on standard output and everything else on standard error; else people read
 * standard output.
 */
import { type Colors, colorsFor, toErr, toOut, visibleJson } from "./screen.ts";

export interface CommonOptions {
	readonly json?: boolean;
	readonly quiet?: boolean;
	readonly out?: string;
	readonly seed?: string;
	readonly method?: string;
	readonly compute?: string;
	readonly fast?: boolean;
	readonly exact?: boolean;
	readonly checkpoint?: string;
	readonly follow?: boolean;
	readonly design?: string;
}

export class Terminal {
	readonly json: boolean;
	readonly quiet: boolean;
	/** Of what people read. */
	readonly colors: Colors;

	constructor(options: CommonOptions) {
		this.json = options.json === true;
		this.quiet = options.quiet === true;
		this.colors = colorsFor(this.json ? process.stderr : process.stdout);
	}

	/** A line (or lines) for people. */
	say(text = ""): void {
		if (this.quiet) return;
		if (this.json) toErr(`${text}\n`);
		else toOut(`${text}\n`);
	}

	/** The one document of --json. */
	answer(value: unknown): void {
		if (this.json) toOut(`${visibleJson(value, 2)}\n`);
	}
}
