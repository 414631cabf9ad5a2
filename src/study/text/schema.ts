/**
 * Shapes of a study file as data: each says in words what it expects, reads a value from its place, and reports what
 * is wrong instead of throwing, so that a user sees every error at once.
 */
import { nearestName } from "../../errors.ts";
import type { OptionSpec, OptionTable } from "../../methods/options.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Span } from "../../model/model.ts";
import type { Entry, Tree } from "./yaml-source.ts";

/** Where each value stands, by path: `data[0].columns.u`. */
export type Places = Map<string, { readonly key: Span; readonly value: Span }>;

export class Place {
	constructor(
		readonly tree: Tree,
		readonly path: string,
		readonly keySpan: Span,
		private readonly report: (diagnostic: Diagnostic) => void,
		private readonly places: Places,
	) {
		places.set(path, { key: keySpan, value: tree.span });
	}

	wrong(message: string, remedy = ""): undefined {
		this.report({ span: this.tree.kind === "null" ? this.keySpan : this.tree.span, message, remedy });
	}
	wrongKey(span: Span, message: string, remedy = ""): undefined {
		this.report({ span, message, remedy });
	}
	/** `rate: expected a number above 0, found the text "fast"` */
	expected(expects: string, remedy = ""): undefined {
		return this.wrong(`${this.path || "study"}: expected ${expects}, found ${found(this.tree)}`, remedy);
	}
	entry(entry: Entry): Place {
		const path = this.path ? `${this.path}.${entry.key}` : entry.key;
		return new Place(entry.value, path, entry.keySpan, this.report, this.places);
	}
	item(tree: Tree, index: number): Place {
		return new Place(tree, `${this.path}[${index}]`, tree.span, this.report, this.places);
	}
}

export interface Shape<T> {
	/** In words: `a number above 0`. */
	readonly expects: string;
	/** The value, or `undefined` after a report. */
	read(place: Place): T | undefined;
}
type Read<S> = S extends Shape<infer T> ? T : never;

function found(tree: Tree): string {
	if (tree.kind === "null") return "nothing";
	if (tree.kind === "list") return "a list";
	if (tree.kind === "map") return "keys with values";
	if (typeof tree.value !== "string") return String(tree.value);
	const text = tree.value.length > 40 ? `${tree.value.slice(0, 37)}...` : tree.value;
	return `the text ${JSON.stringify(text)}`;
}

export const text: Shape<string> = {
	expects: "a text",
	read(place) {
		const { tree } = place;
		if (tree.kind === "scalar" && tree.value !== "") return String(tree.value);
		return place.expected(this.expects);
	},
};

export const boolean: Shape<boolean> = {
	expects: "true or false",
	read(place) {
		const { tree } = place;
		return tree.kind === "scalar" && typeof tree.value === "boolean"
			? tree.value
			: place.expected(this.expects);
	},
};

interface Range {
	readonly min?: number;
	readonly max?: number;
	/** The ends themselves are not allowed. */
	readonly open?: boolean;
}

function rangeWords(what: string, { min, max, open }: Range): string {
	if (min !== undefined && max !== undefined)
		return `${what} ${open ? "between" : "from"} ${min} ${open ? "and" : "to"} ${max}`;
	if (min !== undefined) return `${what} ${open ? "above" : "of at least"} ${min}`;
	if (max !== undefined) return `${what} ${open ? "below" : "of at most"} ${max}`;
	return what;
}

function inRange(value: number, { min = -Infinity, max = Infinity, open }: Range): boolean {
	return open ? value > min && value < max : value >= min && value <= max;
}

export function number(range: Range = {}): Shape<number> {
	const expects = rangeWords("a number", range);
	return {
		expects,
		read(place) {
			const { tree } = place;
			if (tree.kind === "scalar" && typeof tree.value === "number" && Number.isFinite(tree.value)) {
				if (inRange(tree.value, range)) return tree.value;
			} else if (tree.kind === "scalar" && /^[-+]?\d+,\d+$/.test(String(tree.value)))
				return place.expected(expects, "Write decimals with a point: 0.5");
			return place.expected(expects);
		},
	};
}

/** A number, or a name: of a column. */
export const numberOrText: Shape<number | string> = {
	expects: "a number, or the name of a column",
	read(place) {
		const { tree } = place;
		if (tree.kind !== "scalar" || typeof tree.value === "boolean" || tree.value === "")
			return place.expected(this.expects);
		return typeof tree.value === "number" ? number().read(place) : String(tree.value);
	},
};

/** What stands for "no value": a number, the infinities among them, as YAML writes them or as files do; or a word. */
export const marker: Shape<number | string> = {
	expects: "a number or a word",
	read(place) {
		const { tree } = place;
		const value = tree.kind === "scalar" ? tree.value : "";
		if (typeof value === "number") return value;
		if (/^[-+]?(nan|inf(inity)?)$/i.test(String(value))) {
			const word = String(value).toLowerCase();
			return word.endsWith("nan") ? Number.NaN : word.startsWith("-") ? -Infinity : Infinity;
		}
		if (typeof value === "string" && value.trim() !== "") return value.trim();
		return place.expected(this.expects, "Empty fields count as missing by themselves.");
	},
};

export function integer(range: Range = {}): Shape<number> {
	const expects = rangeWords("a whole number", range);
	return {
		expects,
		read(place) {
			const { tree } = place;
			const good =
				tree.kind === "scalar" &&
				typeof tree.value === "number" &&
				Number.isSafeInteger(tree.value) &&
				inRange(tree.value, range);
			return good ? (tree.value as number) : place.expected(expects);
		},
	};
}

/** A whole number, or one word instead. */
export function integerOr<const W extends string>(range: Range, word: W): Shape<number | W> {
	const expects = `${rangeWords("a whole number", range)}, or ${word}`;
	return {
		expects,
		read(place) {
			const value = place.tree.kind === "scalar" ? place.tree.value : undefined;
			if (value === word) return word;
			const good = typeof value === "number" && Number.isSafeInteger(value) && inRange(value, range);
			return good ? value : place.expected(expects);
		},
	};
}

export function choice<const C extends string>(choices: readonly C[]): Shape<C> {
	const expects =
		choices.length === 1 ? choices[0] : `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
	return {
		expects,
		read(place) {
			const { tree } = place;
			const value = tree.kind === "scalar" ? String(tree.value) : "";
			if ((choices as readonly string[]).includes(value)) return value as C;
			const nearest = nearestName(value, choices);
			return place.expected(expects, value && nearest ? `Did you mean "${nearest}"?` : "");
		},
	};
}

/** A name for each value: `{ u: V1, y: V2 }`. */
export function named<T>(shape: Shape<T>, expects: string): Shape<Record<string, T>> {
	return {
		expects,
		read(place) {
			if (place.tree.kind === "null") return {};
			if (place.tree.kind !== "map") return place.expected(expects);
			const values: Record<string, T> = Object.create(null);
			for (const entry of place.tree.entries) {
				const value = shape.read(place.entry(entry));
				if (value !== undefined) values[entry.key] = value;
			}
			return values;
		},
	};
}

/** One value, or a list of them: always read as a list. */
export function oneOrMany<T>(shape: Shape<T>): Shape<T[]> {
	const expects = `${shape.expects}, or a list of them`;
	return {
		expects,
		read(place) {
			if (place.tree.kind !== "list") {
				const value = shape.read(place);
				return value === undefined ? undefined : [value];
			}
			if (place.tree.items.length === 0) return place.expected(expects);
			const values = place.tree.items.map((tree, index) => shape.read(place.item(tree, index)));
			return values.some((value) => value === undefined) ? undefined : (values as T[]);
		},
	};
}

type Fields = Readonly<Record<string, Shape<unknown>>>;
export type FieldValues<F extends Fields> = { -readonly [K in keyof F]?: Read<F[K]> };

/** Known keys, each with its shape. Values with errors are left out of what is read. */
export function mapping<F extends Fields>(expects: string, fields: F): Shape<FieldValues<F>> {
	return {
		expects,
		read(place) {
			if (place.tree.kind !== "map") return place.expected(expects);
			const values: Record<string, unknown> = {};
			for (const entry of place.tree.entries) {
				if (!Object.hasOwn(fields, entry.key)) {
					reportUnknownKey(place, entry, Object.keys(fields));
					continue;
				}
				const value = fields[entry.key].read(place.entry(entry));
				if (value !== undefined) values[entry.key] = value;
			}
			return values as FieldValues<F>;
		},
	};
}

function reportUnknownKey(place: Place, entry: Entry, known: readonly string[]): void {
	const nearest = nearestName(entry.key, known);
	const where = place.path ? ` of ${place.path}` : "";
	const all = `The keys${where} are ${known.join(", ")}.`;
	place.wrongKey(
		entry.keySpan,
		`unknown key "${entry.key}"`,
		nearest ? `Did you mean "${nearest}"?  ${all}` : all,
	);
}

/** The block of a method, checked against its options; those not given have their default. */
export function optionBlock(table: OptionTable): Shape<Record<string, unknown>> {
	const fields = Object.fromEntries(Object.entries(table).map(([name, spec]) => [name, optionShape(spec)]));
	const block = mapping("options with values", fields);
	return {
		expects: block.expects,
		read: (place) => (place.tree.kind === "null" ? {} : block.read(place)),
	};
}

function optionShape(spec: OptionSpec): Shape<unknown> {
	switch (spec.type) {
		case "number":
			return number(spec);
		case "integer":
			return integer(spec);
		case "boolean":
			return boolean;
		case "choice":
			return choice(spec.choices);
		case "integerOrAuto":
			return integerOr(spec, "auto");
	}
}
