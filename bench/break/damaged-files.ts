/** Files of every format with bytes or words changed, cut or put together wrongly: what is read, or an error that the user can mend. */
import { InputError } from "../../src/errors.ts";
import { Draws } from "../../src/num/statistics/draws.ts";
import type { Outcome } from "./study-outcomes.ts";
import { formats, type WholeFiles } from "./whole-files.ts";

export interface DamagedFiles extends WholeFiles {
	readonly format: string;
}

export async function damagedFiles(seed: number): Promise<DamagedFiles> {
	const d = new Draws(seed, "damaged file");
	const format = d.pick(Object.keys(formats));
	const whole = await formats[format](d);
	const other = await formats[d.pick(Object.keys(formats))](d);
	const files = { ...whole.files };
	const parts = Object.values(other.files);
	// What has a grammar says no at once: little damage goes deeper.
	for (let k = format.startsWith("record") ? d.whole(1, 4) : d.pick([1, 1, 2]); k > 0; k--) {
		const name = d.pick(Object.keys(files));
		const isText = !/\.(mat|parquet|xlsx)$/.test(name);
		files[name] = isText && d.chance(0.8) ? reworded(d, files[name]) : damaged(d, files[name], d.pick(parts));
	}
	if (Object.keys(files).length > 1 && d.chance(0.05)) delete files[d.pick(Object.keys(files).slice(1))];
	return { format, files, read: whole.read };
}

function damaged(d: Draws, bytes: Uint8Array, other: Uint8Array): Uint8Array {
	const at = d.whole(0, Math.max(0, bytes.length - 1));
	const part = (from: Uint8Array): Uint8Array => {
		const start = d.whole(0, Math.max(0, from.length - 1));
		return from.subarray(start, start + d.whole(1, 64));
	};
	return d.either(
		() => bytes.slice(0, at),
		() => bytes.map((byte, i) => (i === at ? byte ^ (1 << d.whole(0, 7)) : byte)),
		() => bytes.map((byte, i) => (i >= at && i < at + 4 ? d.whole(0, 255) : byte)),
		// Counts and offsets that are far too large, or negative.
		() => bytes.map((byte, i) => (i >= at && i < at + 4 ? d.pick([0xff, 0x7f, 0x80, 0]) : byte)),
		() => joined(bytes.subarray(0, at), part(bytes), bytes.subarray(at)),
		() =>
			joined(bytes.subarray(0, at), part(other), bytes.subarray(Math.min(bytes.length, at + d.whole(0, 64)))),
		() => joined(bytes.subarray(0, at), other.subarray(Math.min(other.length, at))),
	);
}

/** A text that still has the form of one: words exchanged, numbers that nobody expects, lines twice or not at all. */
function reworded(d: Draws, bytes: Uint8Array): Uint8Array {
	const words = new TextDecoder().decode(bytes).split(/(\b)/);
	const isNumber = (word: string): boolean => /^\d/.test(word);
	const places = words.flatMap((word, i) => (/\w/.test(word) ? [i] : []));
	if (places.length === 0) return bytes;
	const place = d.pick(places);
	const numbers = places.filter((i) => isNumber(words[i]));
	const lines = words.join("").split("\n");
	const line = d.whole(0, lines.length - 1);
	const text = d.either(
		() => words.with(place, words[d.pick(places)]).join(""),
		() => words.with(place, "").join(""),
		() => {
			const odd = ["0", "-1", "1e308", "1e-320", "NaN", "inf", "", "9007199254740993", "0x10", "1,5", "<3"];
			return words.with(numbers.length > 0 ? d.pick(numbers) : place, d.pick(odd)).join("");
		},
		() => lines.toSpliced(line, 1).join("\n"),
		() => lines.toSpliced(line, 0, d.pick(lines)).join("\n"),
		() => lines.with(line, d.pick(lines)).join("\n"),
	);
	return new TextEncoder().encode(text);
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
	const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
	let at = 0;
	for (const part of parts) {
		out.set(part, at);
		at += part.length;
	}
	return out;
}

export async function readDamaged(seed: number, say: (outcome: Outcome) => void): Promise<void> {
	const { format, files, read } = await damagedFiles(seed);
	say({ what: "", why: "", isFault: false, begun: format });
	try {
		await read(files);
		say({ what: `${format} read`, why: "", isFault: false });
	} catch (error) {
		const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
		const isFault = !(error instanceof InputError);
		say({ what: isFault ? `bug in reading ${format}` : `${format} refused`, why, isFault });
	}
}
