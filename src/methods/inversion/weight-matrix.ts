/** The matrix of weights: a row for each parameter or function, a column for each of its terms, dropped ones greyed. */
import type { Figure, Mark, NamedPlace } from "../figure.ts";
import type { InversionRun } from "./inversion-run.ts";

/** Beyond this nothing could be told apart. */
const mostWeights = 400;
const mostRows = 20;
/** Letters that have room in all cells of a row together. */
const lettersAcross = 96;

export function weightMatrix({ work, final }: InversionRun): Figure[] {
	const { weights } = work.setting.candidates;
	if (weights.length > mostWeights) return [];
	const rows = [...new Set(weights.map(({ of }) => of))];
	const places = weights.map(({ of, term }, w) => ({
		x: 1 + weights.slice(0, w).filter((other) => other.of === of).length,
		y: -rows.indexOf(of),
		term,
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
	const lists = rows.map((_, row) => places.filter(({ y }) => y === -row).map(({ term }) => term));
	const same = lists.every((list) => list.join() === lists[0].join());
	const nameOf = ({ term, value, kept }: Place): string => {
		const number = kept ? String(Number(value.toPrecision(3))).replace("-", "\u2212") : "0";
		return same || term === "1" ? number : `${term}: ${number}`;
	};
	const room = lettersAcross / width;
	const shown = places.filter((place) => rows.length <= mostRows && nameOf(place).length <= room);
	const columns: NamedPlace[] = Array.from({ length: width }, (_, k) => ({
		at: k + 1,
		name: same && lists[0][k].length <= room ? lists[0][k] : String(k + 1),
	}));
	return [
		{
			name: "weights",
			title: "Which weights are there",
			caption: `A row for each parameter or function${rows.length > mostRows ? ` (${rows.join(", ")})` : ""}, its terms in the order of the model. Weights that were dropped are grey.`,
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
				...(["muted", "data"] as const).map((role): Mark => {
					const own = shown.filter(({ kept }) => kept === (role === "data"));
					return {
						type: "words",
						x: own.map(({ x }) => x),
						y: own.map(({ y }) => y),
						words: own.map(nameOf),
						role,
					};
				}),
			],
		},
	];
}
