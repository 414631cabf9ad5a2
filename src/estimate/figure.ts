/** A plot as data: methods say what is to be seen, the report and the workbench draw it. */

/** What a mark shows; each role has one colour and dash everywhere. */
export type Role = "data" | "model" | "band" | "truth" | "guide" | "accent" | "muted";

type Numbers = ArrayLike<number>;

/** Bars stand on 0, as in an autocorrelation or a histogram; words are centred at their places. */
type Shape =
	| { readonly type: "line" | "points" | "bars"; readonly x: Numbers; readonly y: Numbers }
	| { readonly type: "words"; readonly x: Numbers; readonly y: Numbers; readonly words: readonly string[] }
	| { readonly type: "band"; readonly x: Numbers; readonly lo: Numbers; readonly hi: Numbers }
	/** A straight line across the plot at x or at y. */
	| { readonly type: "rule"; readonly at: number; readonly axis: "x" | "y" }
	/** Axis-parallel rectangles. */
	| {
			readonly type: "boxes";
			readonly x0: Numbers;
			readonly x1: Numbers;
			readonly y0: Numbers;
			readonly y1: Numbers;
	  };

export type Mark = Shape & { readonly role: Role; readonly label?: string };

/** A place on an axis that has a name: a method, a term. */
export interface NamedPlace {
	readonly at: number;
	readonly name: string;
	/** Where the place is a cell with a scale of its own: values at its ends. */
	readonly span?: { readonly lo: number; readonly hi: number };
}

export interface Figure {
	readonly name: string;
	readonly title: string;
	/** One sentence: what to see here. */
	readonly caption: string;
	readonly xLabel: string;
	readonly yLabel: string;
	readonly marks: readonly Mark[];
	/** Names instead of numbers along an axis; half a place of room is left at either end. */
	readonly xNames?: readonly NamedPlace[];
	readonly yNames?: readonly NamedPlace[];
	/** Where the report shows it: how sure, does it fit, what to doubt. */
	readonly section: "sure" | "fit" | "doubt";
	/** Long records can be zoomed. */
	readonly zoom?: boolean;
	/** As high as it is wide. */
	readonly square?: boolean;
	/** Values at the edges of bands that lie one above the other: a scale of their shades stands beside the plot. */
	readonly levels?: readonly number[];
	/** Small ones stand side by side. */
	readonly small?: boolean;
}
