/** The matrix of weights: a row for each parameter or function, a column for each of its terms, dropped ones greyed. */
import type { Figure, Mark, NamedPlace } from "../../../estimate/figure.ts";
import type { Weight } from "../candidates/candidates.ts";
import type { InversionRun } from "../inversion-run.ts";

/** Beyond this nothing could be told apart. */
const mostWeights = 400;
const mostRows = 20;
/** Letters that have room in all cells of a row together. */
const lettersAcross = 108;
/** With so few rows a cell has room for two lines, so far from its middle. */
const tallRows = 7;
const line = 0.2;

export function weightMatrix({ work, final }: InversionRun): Figure[] {
	const { weights } = work.setting.candidates;
	if (weights.length > mostWeights) return [];
	const rowOf = ({ of, record }: Weight): string => (record === undefined ? of : `${of} of ${record}`);
	const rows = [...new Set(weights.map(rowOf))];
	const places = weights.map((weight, w) => ({
		x: 1 + weights.slice(0, w).filter((other) => rowOf(other) === rowOf(weight)).length,
		y: -rows.indexOf(rowOf(weight)),
		term: weight.term,
		value: final!.point[w],
		kept: final!.active.includes(w),
	}));
	type Place = (typeof places)[number];
	const boxes = (role: "accent" | "muted", chosen: readonly Place[]): Mark[] =>
		chosen.length === 0
			? []
			: [
					{
						type: "boxes",
						x0: chosen.map(({ x }) => x - 0.45),
						x1: chosen.map(({ x }) => x + 0.45),
						y0: chosen.map(({ y }) => y - 0.42),
						y1: chosen.map(({ y }) => y + 0.42),
						role,
					},
				];
	const width = Math.max(...places.map(({ x }) => x));
	const room = Math.floor(lettersAcross / width);
	// A column has a name where all rows that reach it have the same term there.
	const heads = Array.from({ length: width }, (_, k) => {
		const terms = new Set(places.filter(({ x }) => x === k + 1).map(({ term }) => term));
		const [term] = terms;
		return terms.size === 1 && term.length <= room ? term : undefined;
	});
	const numbered = places.map((place) => {
		const isNamed = heads[place.x - 1] !== undefined;
		const number = numberFor(place, room);
		const isTall = !isNamed && rows.length <= tallRows && place.term.length <= room;
		const both = `${place.term}: ${number}`;
		return { ...place, isTall, words: isNamed || isTall || both.length > room ? number : both };
	});
	const shown = rows.length <= mostRows ? numbered.filter(({ words }) => words.length <= room) : [];
	// Where the cells name their terms themselves, the column needs no name.
	const namesItself = (k: number): boolean => numbered.every(({ x, isTall }) => x !== k + 1 || isTall);
	const columns: NamedPlace[] = heads.map((head, k) => ({
		at: k + 1,
		name: head ?? (namesItself(k) ? "" : String(k + 1)),
	}));
	const words = (
		role: "muted" | "data",
		own: readonly Place[],
		texts: readonly string[],
		shift: number,
	): Mark => ({
		type: "words",
		x: own.map(({ x }) => x),
		y: own.map(({ y }) => y + shift),
		words: texts,
		role,
	});
	return [
		{
			name: "weights",
			title: "Which weights are there",
			caption: `A row for each parameter or function${weights.some(({ record }) => record !== undefined) ? ", of each record where they differ" : ""}${rows.length > mostRows ? ` (${rows.join(", ")})` : ""}, its terms in the order of the model. Weights that were dropped are grey.`,
			xLabel: "term",
			yLabel: "",
			section: "sure",
			xNames: columns,
			yNames: rows.map((row, r) => ({ at: -r, name: rows.length > mostRows ? "" : row })),
			marks: [
				...boxes(
					"muted",
					places.filter(({ kept }) => !kept),
				),
				...boxes(
					"accent",
					places.filter(({ kept }) => kept),
				),
				...(["muted", "data"] as const).flatMap((role) => {
					const own = shown.filter(({ kept }) => kept === (role === "data"));
					const tall = own.filter(({ isTall }) => isTall);
					const flat = own.filter(({ isTall }) => !isTall);
					return [
						words(
							role,
							flat,
							flat.map((each) => each.words),
							0,
						),
						words(
							role,
							tall,
							tall.map((each) => each.words),
							-line,
						),
						words(
							"muted",
							tall,
							tall.map(({ term }) => term),
							line,
						),
					];
				}),
			],
		},
	];
}

/** With as many of three digits as there is room for. */
function numberFor({ value, kept }: { value: number; kept: boolean }, room: number): string {
	const texts = [3, 2, 1].map((digits) => String(Number(value.toPrecision(digits))).replace("-", "\u2212"));
	return kept ? (texts.find(({ length }) => length <= room) ?? texts[2]) : "0";
}
