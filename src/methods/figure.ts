/** A plot as data: methods say what is to be seen, the report and the workbench draw it. */

/** What a mark shows; each role has one colour and dash everywhere. */
export type Role = "data" | "model" | "band" | "truth" | "guide" | "accent" | "muted";

export type Mark =
	| {
			readonly type: "line";
			readonly x: ArrayLike<number>;
			readonly y: ArrayLike<number>;
			readonly role: Role;
			readonly label?: string;
	  }
	| {
			readonly type: "points";
			readonly x: ArrayLike<number>;
			readonly y: ArrayLike<number>;
			readonly role: Role;
			readonly label?: string;
	  }
	| {
			readonly type: "band";
			readonly x: ArrayLike<number>;
			readonly lo: ArrayLike<number>;
			readonly hi: ArrayLike<number>;
			readonly role: Role;
			readonly label?: string;
	  }
	/** Vertical bars from 0, as in an autocorrelation or a histogram. */
	| {
			readonly type: "bars";
			readonly x: ArrayLike<number>;
			readonly y: ArrayLike<number>;
			readonly role: Role;
			readonly label?: string;
	  }
	/** A straight line across the plot at x or at y. */
	| {
			readonly type: "rule";
			readonly at: number;
			readonly axis: "x" | "y";
			readonly role: Role;
			readonly label?: string;
	  }
	/** Axis-parallel rectangles: x0, x1, y0, y1 in columns. */
	| {
			readonly type: "boxes";
			readonly x0: ArrayLike<number>;
			readonly x1: ArrayLike<number>;
			readonly y0: ArrayLike<number>;
			readonly y1: ArrayLike<number>;
			readonly role: Role;
			readonly label?: string;
	  }
	/** Words in the plot, centred at their places. */
	| {
			readonly type: "words";
			readonly x: ArrayLike<number>;
			readonly y: ArrayLike<number>;
			readonly words: readonly string[];
			readonly role: Role;
			readonly label?: undefined;
	  };

/** A place on an axis that has a name: a method, a term. */
export interface NamedPlace {
	readonly at: number;
	readonly name: string;
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
	/** Small ones stand side by side. */
	readonly small?: boolean;
}
