/** All pairs of unknowns at once: clouds of the posterior below a diagonal of histograms. */
import type { Figure, Mark } from "../../../estimate/figure.ts";
import { correlation, type Marginal } from "./posterior.ts";

/** Unknowns that one page shows legibly. */
const mostUnknowns = 6;
const points = 300;
const bins = 18;
/** Room at either side of a cell. */
const margin = 0.06;

/** `z`: sampled coordinates of `n` particles, in columns. Of many unknowns those that hang together most. */
export function cornerFigure(posterior: readonly Marginal[], z: Float64Array, n: number): Figure[] {
	const varied = posterior.map((_, i) => i).filter((i) => spanOf(posterior[i].values).width > 0);
	if (varied.length < 2) return [];
	const chosen = closest(varied, z, n).sort((a, b) => a - b);
	const d = chosen.length;
	const names = chosen.map((i) => posterior[i].name);
	const every = Math.max(1, Math.ceil(n / points));
	const cells = chosen.map((i) => {
		const { values } = posterior[i];
		const { lo, width } = spanOf(values);
		const within = (value: number): number => margin + (1 - 2 * margin) * ((value - lo) / width);
		const room = (margin / (1 - 2 * margin)) * width;
		return { within, values, span: { lo: lo - room, hi: lo + width + room } };
	});
	const marks: Mark[] = [];
	for (let row = 0; row < d; row++)
		for (let column = 0; column < row; column++) {
			const kept = (k: number, offset: number): number[] =>
				Array.from(
					cells[k].values.filter((_, b) => b % every === 0),
					(v) => offset + cells[k].within(v),
				);
			marks.push({ type: "points", x: kept(column, column), y: kept(row, d - 1 - row), role: "accent" });
		}
	marks.push(histograms(cells, d), grid(d), rhoWords(chosen, z, n));
	return [
		{
			name: "corner",
			title: `All pairs of ${names.join(", ")}`,
			caption: `Particles of the posterior, pair by pair; on the diagonal each by itself, above it the correlations.${
				varied.length > d ? ` Of ${varied.length} unknowns those that hang together most.` : ""
			}`,
			xLabel: "",
			yLabel: "",
			xNames: names.map((name, i) => ({ at: i + 0.5, name, span: cells[i].span })),
			// Heights of the first row are counts.
			yNames: names.map((name, i) => ({
				at: d - 0.5 - i,
				name,
				...(i > 0 ? { span: cells[i].span } : {}),
			})),
			section: "sure",
			square: true,
			marks,
		},
	];
}

function spanOf(values: Float64Array): { lo: number; width: number } {
	let lo = Infinity;
	let hi = -Infinity;
	for (const value of values) {
		lo = Math.min(lo, value);
		hi = Math.max(hi, value);
	}
	return { lo, width: hi - lo };
}

/** Those in the strongest correlations. */
function closest(among: readonly number[], z: Float64Array, n: number): number[] {
	if (among.length <= mostUnknowns) return [...among];
	const strength = among.map((i) => ({
		i,
		most: Math.max(...among.filter((j) => j !== i).map((j) => Math.abs(correlation(z, n, i, j)))),
	}));
	return strength
		.sort((a, b) => b.most - a.most)
		.slice(0, mostUnknowns)
		.map(({ i }) => i);
}

function histograms(
	cells: readonly { within(value: number): number; values: Float64Array }[],
	d: number,
): Mark {
	const boxes = cells.flatMap(({ within, values }, i) => {
		const counts = new Float64Array(bins);
		for (const value of values) counts[Math.min(bins - 1, Math.floor(within(value) * bins))]++;
		const most = Math.max(...counts);
		return Array.from(counts, (count, k) => ({
			x0: i + k / bins,
			x1: i + (k + 1) / bins,
			y0: d - 1 - i,
			y1: d - 1 - i + 0.92 * (count / most),
		})).filter(({ y0, y1 }) => y1 > y0);
	});
	const column = (key: "x0" | "x1" | "y0" | "y1"): number[] => boxes.map((box) => box[key]);
	const [x0, x1, y0, y1] = [column("x0"), column("x1"), column("y0"), column("y1")];
	return { type: "boxes", x0, x1, y0, y1, role: "accent" };
}

/** Frames of the cells. */
function grid(d: number): Mark {
	const places = Array.from({ length: d }, (_, i) => i).flatMap((i) =>
		Array.from({ length: i + 1 }, (_, j) => ({ x: j, y: d - 1 - i })),
	);
	return {
		type: "boxes",
		x0: places.map(({ x }) => x),
		x1: places.map(({ x }) => x + 1),
		y0: places.map(({ y }) => y),
		y1: places.map(({ y }) => y + 1),
		role: "muted",
	};
}

function rhoWords(chosen: readonly number[], z: Float64Array, n: number): Mark {
	const d = chosen.length;
	const cells = chosen.flatMap((i, row) =>
		chosen.slice(row + 1).map((j, k) => ({
			x: row + 1 + k + 0.5,
			y: d - 0.5 - row,
			word: correlation(z, n, i, j).toFixed(2).replace("-", "−"),
		})),
	);
	return {
		type: "words",
		x: cells.map(({ x }) => x),
		y: cells.map(({ y }) => y),
		words: cells.map(({ word }) => word),
		role: "muted",
	};
}
