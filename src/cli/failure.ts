/** How a command fails: what the user can fix (exit 2), said without a stack; or a bug of ours (exit 70), said with one. */
import { systemReason } from "../data/node/system-words.ts";
import { InputError, InternalError } from "../errors.ts";
import { version } from "../version.ts";
import { colorsFor, toErr, toOut, visibleJson } from "./terminal/screen.ts";

export const exitCodes = {
	answer: 0,
	noAnswer: 1,
	badInput: 2,
	inPart: 3,
	bug: 70,
	interrupted: 130,
} as const;

/** Tells what went wrong and returns the exit code. */
export function fail(error: unknown, json: boolean): number {
	const input = asInputError(error);
	if (input) {
		if (json) print({ error: describeError(input) });
		toErr(`${marked(input.message)}\n`);
		return exitCodes.badInput;
	}
	const { message, stack } = error instanceof Error ? error : new Error(String(error));
	const state = error instanceof InternalError ? error.state : undefined;
	if (json) print({ error: { kind: "bug", message } });
	toErr(
		[
			"Odentify made a mistake of its own. Sorry: this is a bug, not your input.",
			"Please report it with the study, and with these lines:",
			`  odentify ${version}, node ${process.version}, ${process.platform} ${process.arch}`,
			...(stack ?? message).split("\n").map((line) => `  ${line}`),
			...(state === undefined ? [] : [`  state: ${shortJson(state)}`]),
			"",
		].join("\n"),
	);
	return exitCodes.bug;
}

/** What the system refuses is the user's to fix too: a disk, a permission, a name. */
function asInputError(error: unknown): InputError | undefined {
	if (error instanceof InputError) return error;
	const why = systemReason(error, "read");
	if (why === undefined) return undefined;
	const { path, syscall, message } = error as NodeJS.ErrnoException;
	return path === undefined
		? new InputError("the system", `refused to ${syscall}: ${why}`, message)
		: new InputError(path, why);
}

export function describeError(error: InputError): Record<string, unknown> {
	const { subject, problem, remedy, message } = error;
	const diagnostics = (
		error as { diagnostics?: readonly { message: string; remedy: string; span: unknown }[] }
	).diagnostics;
	return { kind: "input", subject, problem, remedy, message, ...(diagnostics ? { diagnostics } : {}) };
}

/** The first line stands out; the rest is quoted text and advice. */
export function marked(message: string): string {
	return message.replace(/^.*$/m, colorsFor(process.stderr).red);
}

function print(value: unknown): void {
	toOut(`${visibleJson(value, 2)}\n`);
}

function shortJson(value: unknown): string {
	try {
		return JSON.stringify(value).slice(0, 2000);
	} catch {
		return String(value);
	}
}
