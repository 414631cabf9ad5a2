/**
 * A reader of the test language of ITF1788: `testcase NAME { operation operand … = result … [signal NAME]; }`, with comments as in C. Operands and results
 * are intervals with or without decoration, numbers, lists of numbers, texts, or words like `true`, `before`, `com`.
 */
export interface ItlInterval {
	readonly kind: "interval";
	readonly lo: number;
	readonly hi: number;
	readonly decoration?: string;
}

export type ItlValue =
	| ItlInterval
	| { readonly kind: "number"; readonly value: number }
	| { readonly kind: "list"; readonly values: readonly number[] }
	| { readonly kind: "text"; readonly text: string }
	| { readonly kind: "word"; readonly word: string };

export interface Assertion {
	readonly file: string;
	readonly line: number;
	readonly testcase: string;
	readonly operation: string;
	readonly operands: readonly ItlValue[];
	readonly results: readonly ItlValue[];
	readonly signal?: string;
	readonly source: string;
}

interface Token {
	readonly text: string;
	readonly line: number;
}

const tokenPattern =
	/\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|"([^"]*)"|[[\]{},;=]|_[a-zA-Z]+|[+-]?(?:0[xX][\da-fA-F]*\.?[\da-fA-F]*(?:[pP][+-]?\d+)?|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|[+-]?[A-Za-z][\w.-]*/gy;

function tokensOf(file: string, text: string): Token[] {
	const tokens: Token[] = [];
	let line = 1;
	tokenPattern.lastIndex = 0;
	for (let at = 0; at < text.length; at = tokenPattern.lastIndex) {
		const match = tokenPattern.exec(text);
		if (!match) throw new Error(`${file}:${line}: cannot read ${JSON.stringify(text.slice(at, at + 30))}`);
		const piece = match[0];
		if (!/^(\s|\/\/|\/\*)/.test(piece)) tokens.push({ text: piece, line });
		line += piece.split("\n").length - 1;
	}
	return tokens;
}

/** All assertions of a file, in order. */
export function readItl(file: string, text: string): Assertion[] {
	const tokens = tokensOf(file, text);
	let at = 0;
	const peek = (): string => tokens[at]?.text ?? "";
	const take = (wanted?: string): string => {
		const token = tokens[at];
		if (!token || (wanted !== undefined && token.text !== wanted))
			throw new Error(`${file}:${token?.line}: ${wanted} wanted, ${token?.text} found`);
		at++;
		return token.text;
	};
	const value = (): ItlValue => {
		const token = take();
		if (token === "[") return interval();
		if (token === "{") {
			const values: number[] = [];
			while (peek() !== "}") {
				values.push(numberOf(take()));
				if (peek() === ",") take();
			}
			take("}");
			return { kind: "list", values };
		}
		if (token.startsWith('"')) return { kind: "text", text: token.slice(1, -1) };
		return isNumber(token) ? { kind: "number", value: numberOf(token) } : { kind: "word", word: token };
	};
	const interval = (): ItlInterval => {
		const first = take().toLowerCase();
		let ends: { lo: number; hi: number; decoration?: string };
		if (first === "empty") ends = { lo: Infinity, hi: -Infinity };
		else if (first === "entire") ends = { lo: -Infinity, hi: Infinity };
		else if (first === "nai") ends = { lo: Infinity, hi: -Infinity, decoration: "ill" };
		else {
			take(",");
			ends = { lo: numberOf(first), hi: numberOf(take()) };
		}
		take("]");
		if (peek().startsWith("_")) ends.decoration = take().slice(1);
		return { kind: "interval", ...ends };
	};
	const assertions: Assertion[] = [];
	while (at < tokens.length) {
		take("testcase");
		const testcase = take();
		take("{");
		while (peek() !== "}") {
			const start = at;
			const { line } = tokens[at];
			const operation = take();
			const operands: ItlValue[] = [];
			const results: ItlValue[] = [];
			while (peek() !== "=") operands.push(value());
			take("=");
			while (peek() !== ";" && peek() !== "signal") results.push(value());
			const signals = peek() === "signal";
			if (signals) take();
			const signal = signals ? take() : undefined;
			const source = tokens
				.slice(start, at)
				.map((token) => token.text)
				.join(" ");
			take(";");
			assertions.push({ file, line, testcase, operation, operands, results, signal, source });
		}
		take("}");
	}
	return assertions;
}

function isNumber(token: string): boolean {
	return /^[+-]?(\d|\.\d|inf(inity)?$|nan$)/i.test(token);
}

/** The double nearest to the number that the token writes; hexadecimal numbers have at most 53 bits. */
export function numberOf(token: string): number {
	const lower = token.toLowerCase();
	const sign = lower.startsWith("-") ? -1 : 1;
	const size = lower.replace(/^[+-]/, "");
	if (size.startsWith("inf")) return sign * Infinity;
	if (size === "nan") return NaN;
	const hex = /^0x([\da-f]*)\.?([\da-f]*)(?:p([+-]?\d+))?$/.exec(size);
	if (!hex) return sign * Number(size);
	let digits = BigInt(`0x${hex[1]}${hex[2]}`);
	let exponent = Number(hex[3] ?? 0) - 4 * hex[2].length;
	if (digits === 0n) return sign * 0;
	while ((digits & 1n) === 0n) {
		digits >>= 1n;
		exponent++;
	}
	if (digits >> 53n !== 0n) throw new Error(`${token} is no double`);
	const half = Math.trunc(exponent / 2);
	return sign * Number(digits) * 2 ** half * 2 ** (exponent - half);
}
