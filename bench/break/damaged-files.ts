/** Data files of every format with bytes changed, cut or put together wrongly: a table or an error that the user can mend. */
import { parquetWriteBuffer } from "hyparquet-writer";
import { readTable } from "../../src/data/read-table.ts";
import { InputError } from "../../src/errors.ts";
import { Draws } from "../../src/num/draws.ts";
import { matFile as mat5 } from "../../test/data/mat5-writer.ts";
import { matFile as mat73 } from "../../test/workbench/mat-file.ts";
import type { Outcome } from "./study-outcomes.ts";

let newMat: Promise<Uint8Array> | undefined;

/** A whole file of each format, with numbers of its own. */
async function wholeFiles(d: Draws): Promise<Record<string, Uint8Array>> {
	const n = d.whole(1, 60);
	const column = (): number[] => Array.from({ length: n }, (_, i) => (d.chance(0.5) ? i / 7 : d.normal()));
	const [t, y] = [column(), column()];
	const text = (separator: string): Uint8Array =>
		new TextEncoder().encode(
			["t", "y"].join(separator) + "\n" + t.map((at, i) => `${at}${separator}${y[i]}\n`).join(""),
		);
	newMat ??= mat73();
	const variables = ["t", "y"].map((name, i) => ({
		kind: "array" as const,
		name,
		size: [n, 1],
		values: i === 0 ? t : y,
	}));
	return {
		"record.csv": text(d.pick([",", ";"])),
		"record.tsv": text("\t"),
		"record.mat": mat5(variables, { little: d.chance(0.7), compressed: d.chance(0.5) }),
		"new.mat": await newMat,
		"record.parquet": new Uint8Array(
			parquetWriteBuffer({
				columnData: [
					{ name: "t", data: t, type: "DOUBLE" },
					{ name: "y", data: y.map((value) => (d.chance(0.1) ? null : value)), type: "DOUBLE" },
				],
				codec: d.pick(["UNCOMPRESSED", "SNAPPY"] as const),
			}),
		),
	};
}

export async function damagedFile(seed: number): Promise<{ name: string; bytes: Uint8Array }> {
	const d = new Draws(seed, "damaged file");
	const files = await wholeFiles(d);
	const name = d.pick(Object.keys(files));
	let bytes: Uint8Array = files[name].slice();
	for (let k = d.whole(1, 4); k > 0; k--) bytes = damaged(d, bytes, files[d.pick(Object.keys(files))]);
	return { name, bytes };
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

function joined(...parts: readonly Uint8Array[]): Uint8Array {
	const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
	let at = 0;
	for (const part of parts) {
		out.set(part, at);
		at += part.length;
	}
	return out;
}

export async function damagedTable(seed: number, say: (outcome: Outcome) => void): Promise<void> {
	const { name, bytes } = await damagedFile(seed);
	say({ what: "", why: "", isFault: false, begun: name });
	try {
		await readTable(bytes, name);
		say({ what: "read", why: "", isFault: false });
	} catch (error) {
		const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
		const isFault = !(error instanceof InputError);
		say({ what: isFault ? `bug in reading ${name}` : "refused", why, isFault });
	}
}
