/**
 * The one way out to the terminal. Names, headers and messages are others' text: what a terminal would obey in them is made
 * visible (`\x1b`), so that they can neither move its cursor nor write over what stands there. Only our own colours and the
 * bar, which are marked by a word that nobody else can know, become what a terminal obeys.
 */
import { randomUUID } from "node:crypto";

const colorCodes = {
	bold: [1, 22],
	dim: [2, 22],
	red: [31, 39],
	green: [32, 39],
	yellow: [33, 39],
	blue: [34, 39],
	magenta: [35, 39],
	cyan: [36, 39],
} as const;

export type ColorName = keyof typeof colorCodes;
export type Colors = Readonly<Record<ColorName, (text: string) => string>>;

const secret = randomUUID();
const marks = new RegExp(`${secret}(\\d+);`);
const lineMark = 0;

/** Begins the present line again. */
export const emptiedLine = marked(lineMark);

/** Control characters, those that turn the direction of writing, and line breaks that are not `\n`. */
const obeyed = /\r\n|[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Text as it may go to a terminal, with its line breaks and tabs. */
export function visible(text: string): string {
	return text.replace(obeyed, (character) => {
		if (character === "\n" || character === "\t") return character;
		if (character === "\r\n") return "\n";
		const code = character.codePointAt(0)!;
		return code < 0x100 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`;
	});
}

/** One JSON document: the same value, and nothing in it that a terminal obeys. */
export function visibleJson(value: unknown, indent?: number): string {
	return JSON.stringify(value, null, indent).replace(obeyed, (character) =>
		character === "\n" ? character : `\\u${hex(character.codePointAt(0)!, 4)}`,
	);
}

/** What paints text that is written by `toOut` or `toErr`; to be measured and cut before. */
export function colorsFor(stream: NodeJS.WriteStream): Colors {
	const has = hasColors(stream);
	const paints = Object.entries(colorCodes).map(([name, [on, off]]) => [
		name,
		has ? (text: string) => marked(on) + text + marked(off) : (text: string) => text,
	]);
	return Object.fromEntries(paints);
}

export function toOut(text: string): void {
	process.stdout.write(drawn(text));
}

export function toErr(text: string): void {
	process.stderr.write(drawn(text));
}

/** Colours only on a terminal, and never where NO_COLOR is set; they help and carry nothing alone. */
function hasColors(stream: NodeJS.WriteStream): boolean {
	const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
	if (NO_COLOR) return false;
	if (FORCE_COLOR && FORCE_COLOR !== "0") return true;
	return stream.isTTY === true && TERM !== "dumb";
}

function marked(code: number): string {
	return `${secret}${code};`;
}

function drawn(text: string): string {
	return text
		.split(marks)
		.map((piece, i) => {
			if (i % 2 === 0) return visible(piece);
			return Number(piece) === lineMark ? "\r\u001b[2K" : `\u001b[${piece}m`;
		})
		.join("");
}

function hex(code: number, digits: number): string {
	return code.toString(16).padStart(digits, "0");
}
