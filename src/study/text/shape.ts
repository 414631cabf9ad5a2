/** What a value that was read must look like, piece by piece; what does not is named by its place. */

/** The first thing that is wrong, as `parameters[0].name is no text`; nothing when all is right. */
export type Shape = (value: unknown, place: string) => string | undefined;

const plain =
	(words: string, holds: (value: unknown) => boolean): Shape =>
	(value, place) =>
		holds(value) ? undefined : `${place} is ${words}`;

export const text = plain("no text", (value) => typeof value === "string");
export const number = plain("no number", (value) => typeof value === "number");
export const flag = plain("neither true nor false", (value) => typeof value === "boolean");
export const anyObject = plain("no object", isObject);
export const column = plain("no column of numbers", (value) => value instanceof Float64Array);
export const numbers = plain(
	"no list of numbers",
	(value) =>
		value instanceof Float64Array ||
		(Array.isArray(value) && value.every((each) => typeof each === "number")),
);

export function oneOf(...words: readonly string[]): Shape {
	return plain(`none of ${words.join(", ")}`, (value) => words.includes(value as string));
}

export function listOf(item: Shape): Shape {
	return (value, place) => {
		if (!Array.isArray(value)) return `${place} is no list`;
		return firstOf(value.length, (i) => item(value[i], `${place}[${i}]`));
	};
}

/** An object with any names. */
export function namedOf(item: Shape): Shape {
	return (value, place) => {
		if (!isObject(value)) return `${place} is no object`;
		const entries = Object.entries(value);
		return firstOf(entries.length, (i) => item(entries[i][1], `${place}.${entries[i][0]}`));
	};
}

/** An object with these names; further ones are let be. */
export function fields(
	needed: Readonly<Record<string, Shape>>,
	optional: Readonly<Record<string, Shape>> = {},
): Shape {
	const all = Object.entries({ ...needed, ...optional });
	return (value, place) => {
		if (!isObject(value)) return `${place} is no object`;
		return firstOf(all.length, (i) => {
			const [name, shape] = all[i];
			if (value[name] === undefined && !(name in needed)) return undefined;
			return shape(value[name], place === "" ? name : `${place}.${name}`);
		});
	};
}

/** Several shapes at once. */
export function both(...shapes: readonly Shape[]): Shape {
	return (value, place) => firstOf(shapes.length, (i) => shapes[i](value, place));
}

/** By the word that `key` holds. */
export function byKind(key: string, kinds: Readonly<Record<string, Shape>>): Shape {
	return (value, place) => {
		const kind = isObject(value) ? value[key] : undefined;
		if (typeof kind !== "string" || !Object.hasOwn(kinds, kind))
			return `${place}.${key} is none of ${Object.keys(kinds).join(", ")}`;
		return kinds[kind](value, place);
	};
}

/** Columns of an object that must be as long as one another, as far as they are there. */
export function sameLength(...names: readonly string[]): Shape {
	return (value, place) => {
		const lengths = names.flatMap((name) => {
			const each = (value as Record<string, ArrayLike<unknown> | undefined>)[name];
			return each === undefined ? [] : [each.length];
		});
		return lengths.every((length) => length === lengths[0])
			? undefined
			: `${place} has columns of different lengths`;
	};
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

function firstOf(count: number, problem: (i: number) => string | undefined): string | undefined {
	for (let i = 0; i < count; i++) {
		const found = problem(i);
		if (found !== undefined) return found;
	}
	return undefined;
}
