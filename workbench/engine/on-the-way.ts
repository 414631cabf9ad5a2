/**
 * What a run shows before its method has an answer: how far the starts of a search came, a fit that closes in, terms as
 * they are taken out. It is read from the method's state by its shape; a state of another shape shows nothing.
 */
import type { Figure, Mark } from "../../src/methods/index.ts";

interface Searching {
	readonly found: readonly { readonly cost: number }[];
	/** How many starts there will be at most. */
	readonly starts: number;
}
interface Fitting {
	readonly search?: { readonly machines: readonly { readonly cost: number }[] };
}
interface Selecting {
	readonly starts: { readonly descent?: { readonly sse: number } };
	readonly selection?: {
		readonly path: readonly {
			readonly dropped: number | null;
			readonly t: number | null;
			readonly terms: number;
			readonly bic: number;
		}[];
	};
}

/** Larger terms, and worse sets of terms, would hide the rest. */
const mostErrors = 10;
const mostAbove = 100;
/** Starts that have a place each along the axis. */
const mostNamed = 24;

/** Steps that are remembered; beyond, every other one is. */
const mostSteps = 400;

export class OnTheWay {
	/** What each start of a fit stood at, step by step. */
	#fits: { step: number; costs: readonly number[] }[] = [];
	#step = 0;

	/** Called after every step: what it sees costs nothing. */
	note(state: unknown): void {
		const { search } = state as Partial<Fitting>;
		const sse = (state as Partial<Selecting>).starts?.descent?.sse;
		const costs = search?.machines?.map(({ cost }) => cost) ?? (sse === undefined ? [] : [sse]);
		this.#step++;
		const last = this.#fits.at(-1)?.costs ?? [];
		if (costs.length === 0 || (costs.length === last.length && costs.every((cost, i) => cost === last[i])))
			return;
		if (costs.length !== last.length) this.#fits = [];
		this.#fits.push({ step: this.#step, costs });
		if (this.#fits.length > mostSteps) this.#fits = this.#fits.filter((_, i) => i % 2 === 0);
	}

	figures(state: unknown): readonly Figure[] {
		const { found, starts } = state as Partial<Searching>;
		const { selection } = state as Partial<Selecting>;
		if (Array.isArray(found) && found.length > 0)
			return [startsFigure(found, Number(starts) || found.length)];
		if (selection && selection.path.length > 1) return pathFigures(selection.path);
		return this.#fits.length > 1 ? [closingIn(this.#fits)] : [];
	}
}

const common = { caption: "", section: "sure" } as const;

function startsFigure(found: Searching["found"], starts: number): Figure {
	const misfits = found.map(({ cost }) => 0.5 * Math.log10(2 * cost));
	const seen = misfits.map((y, i) => ({ x: i + 1, y })).filter(({ y }) => Number.isFinite(y));
	return {
		...common,
		name: "starts",
		title: "What each start of the search came to",
		xLabel: "start",
		yLabel: "misfit of the record, power of ten",
		...(starts <= mostNamed
			? { xNames: Array.from({ length: starts }, (_, i) => ({ at: i + 1, name: String(i + 1) })) }
			: {}),
		marks: [{ type: "points", x: seen.map(({ x }) => x), y: seen.map(({ y }) => y), role: "model" }],
	};
}

function closingIn(fits: readonly { step: number; costs: readonly number[] }[]): Figure {
	const present = fits.at(-1)!.costs;
	const best = present.indexOf(Math.min(...present));
	const line = (start: number): Mark => {
		const seen = fits.filter(({ costs }) => costs[start] > 0 && costs[start] < Infinity);
		return {
			type: "line",
			x: seen.map(({ step }) => step),
			y: seen.map(({ costs }) => Math.log10(costs[start])),
			role: start === best ? "model" : "muted",
			...(start === best && present.length > 1 ? { label: "best" } : {}),
		};
	};
	const several = present.length > 1;
	return {
		...common,
		name: "closing-in",
		title: several ? "The fits of all starts close in" : "The fit closes in",
		xLabel: "step",
		yLabel: "sum of squares, power of ten",
		// The best is drawn last, above the others.
		marks: [...present.keys()].sort((a, b) => Number(a === best) - Number(b === best)).map(line),
	};
}

function pathFigures(path: NonNullable<Selecting["selection"]>["path"]): Figure[] {
	const drops = path.filter(({ dropped }) => dropped !== null);
	const finite = path.filter(({ bic }) => Number.isFinite(bic));
	const least = finite.reduce((a, { bic }) => Math.min(a, bic), Infinity);
	const points: Mark = {
		type: "points",
		x: drops.map(({ terms }) => terms + 1),
		y: drops.map(({ t }) => Math.min(t ?? 0, mostErrors)),
		role: "model",
	};
	const bic: Mark = {
		type: "line",
		x: finite.map(({ terms }) => terms),
		y: finite.map((step) => Math.min(step.bic - least, mostAbove)),
		role: "model",
	};
	return [
		{
			...common,
			name: "path",
			title: "Elimination path, from right to left",
			xLabel: "terms left before the drop",
			yLabel: "standard errors of what is dropped",
			marks: [points],
		},
		{
			...common,
			name: "path-criteria",
			title: "BIC along the path, lower is better",
			xLabel: "terms",
			yLabel: "above the least",
			marks: [bic],
		},
	];
}
