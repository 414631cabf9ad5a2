/** Files in every way that people write them, drawn at random, read back to what was put in. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { readCsv } from "../../src/data/csv/csv.ts";
import { utf8 } from "./bytes.ts";

interface Drawn {
	readonly text: string;
	readonly names: readonly string[];
	readonly units: readonly (string | undefined)[];
	readonly rows: readonly (readonly (number | undefined)[])[];
	readonly titles: number;
}

const separators = [",", ";", "\t", "|"] as const;
const units = ["s", "N", "mm", "m/s", "°C", "mol/L", "kg", "1/min"];
const titleLines = [
	"Rig 7",
	"Measured by Anna, late",
	"Sensor: A-12; gain 3",
	"Monday 3rd | hall 2",
	"Serial 12345",
	"Comment: two words, and more; of them",
];
const words = ["", "NA", "-", "NaN", "n/a", "null", "#N/A"];
const day = 86_400_000;

const drawnFile: fc.Arbitrary<Drawn> = fc
	.record({
		separator: fc.constantFrom(...separators),
		isComma: fc.boolean(),
		eol: fc.constantFrom("\n", "\r\n"),
		titles: fc.array(fc.constantFrom(...titleLines), { maxLength: 4 }),
		blank: fc.boolean(),
		nColumns: fc.integer({ min: 2, max: 5 }),
		nRows: fc.integer({ min: 3, max: 30 }),
		unitStyle: fc.constantFrom("none", "square", "round", "slash", "row"),
		clock: fc.constantFrom("numbers", "iso", "german", "american"),
		start: fc.integer({ min: 0, max: 20_000 }),
		seed: fc.integer(),
		values: fc.array(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }), {
			minLength: 150,
			maxLength: 150,
		}),
		holes: fc.array(fc.nat(8), { minLength: 150, maxLength: 150 }),
		word: fc.constantFrom(...words),
	})
	.map((draw): Drawn => {
		const { separator, isComma, nColumns, nRows, clock, unitStyle } = draw;
		const point = isComma && separator !== "," ? "," : ".";
		const number = (value: number): string => String(value).replace(".", point);
		const own = Array.from({ length: nColumns }, (_, c) => units[(c + Math.abs(draw.seed)) % units.length]);
		const names = Array.from({ length: nColumns }, (_, c) => (c === 0 ? "time" : `signal ${c}`));
		const header = names.map((name, c) => {
			if (unitStyle === "square") return `${name} [${own[c]}]`;
			if (unitStyle === "round") return `${name} (${own[c]})`;
			return unitStyle === "slash" ? `${name}/${own[c]}` : name;
		});
		// Thirteen days at least, so that the order of days and months is in the dates.
		const first = Date.UTC(2000, 0, 1 + draw.start);
		const dates = Array.from(
			{ length: nRows },
			(_, i) => new Date(first + i * 13 * day + (i % 24) * 3_600_000),
		);
		const rows = dates.map((date, i) =>
			Array.from({ length: nColumns }, (_, c): number | undefined => {
				if (c === 0) return clock === "numbers" ? i / 10 : (date.getTime() - dates[0].getTime()) / 1000;
				const k = (i * nColumns + c) % 150;
				// -0 is written as 0.
				return draw.holes[k] === 0 && i > 0 ? undefined : draw.values[k] + 0;
			}),
		);
		const lines = [
			...draw.titles,
			...(draw.blank && draw.titles.length > 0 ? [""] : []),
			header.join(separator),
			...(unitStyle === "row" ? [own.join(separator)] : []),
			...rows.map((row, i) =>
				row
					.map((value, c) => {
						if (c === 0 && clock !== "numbers") return dateText(dates[i], clock);
						return value === undefined ? draw.word : number(value);
					})
					.join(separator),
			),
		];
		return {
			text: lines.join(draw.eol) + draw.eol,
			names,
			units: own.map((unit, c) =>
				c === 0 && clock !== "numbers" ? "s" : unitStyle === "none" ? undefined : unit,
			),
			rows,
			titles: draw.titles.length,
		};
	});

function dateText(date: Date, clock: string): string {
	const [y, m, d, h] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCHours()];
	const two = (n: number): string => String(n).padStart(2, "0");
	if (clock === "iso") return `${y}-${two(m)}-${two(d)} ${two(h)}:00`;
	if (clock === "german") return `${two(d)}.${two(m)}.${y} ${two(h)}:00:00`;
	return `${m}/${d}/${y} ${h % 12 === 0 ? 12 : h % 12}:00 ${h < 12 ? "AM" : "PM"}`;
}

it("separators, decimals, titles, units, dates, holes", () => {
	fc.assert(
		fc.property(drawnFile, ({ text, names, units, rows, titles }) => {
			const table = readCsv(utf8(text), "f.csv");
			expect(table.reading!.titles).toHaveLength(titles);
			expect(table.columns.map(({ name }) => name)).toEqual(names);
			expect(table.columns.map(({ unit }) => unit)).toEqual(units);
			for (const [c, { values, missing }] of table.columns.entries()) {
				expect([...values].map((value) => (Number.isNaN(value) ? undefined : value))).toEqual(
					rows.map((row) => row[c]),
				);
				expect([...(missing ?? new Uint8Array(rows.length))]).toEqual(
					rows.map((row) => (row[c] === undefined ? 1 : 0)),
				);
			}
		}),
		{ seed: 11, numRuns: 1000 },
	);
});
