/** Options of a method as data: checked in the study file, shown with their sentence in docs and workbench. */

interface OptionBase<T> {
	readonly default: T;
	/** One sentence for the user. */
	readonly says: string;
}
export type OptionSpec =
	| (OptionBase<number> & { readonly type: "number"; readonly min?: number; readonly max?: number })
	| (OptionBase<number> & { readonly type: "integer"; readonly min?: number; readonly max?: number })
	| (OptionBase<boolean> & { readonly type: "boolean" })
	| (OptionBase<string> & { readonly type: "choice"; readonly choices: readonly string[] })
	/** A whole number, or `auto`: the method chooses. */
	| (OptionBase<number | "auto"> & {
			readonly type: "integerOrAuto";
			readonly min?: number;
			readonly max?: number;
	  });

export type OptionTable = Readonly<Record<string, OptionSpec>>;

type ValueOf<S> = S extends { type: "number" | "integer" }
	? number
	: S extends { type: "boolean" }
		? boolean
		: S extends { type: "choice"; choices: readonly (infer C)[] }
			? C
			: S extends { type: "integerOrAuto" }
				? number | "auto"
				: never;

export type OptionValues<T extends OptionTable> = { readonly [K in keyof T]: ValueOf<T[K]> };

/** All defaults of a table. */
export function defaultOptions<T extends OptionTable>(table: T): OptionValues<T> {
	return Object.fromEntries(
		Object.entries(table).map(([name, spec]) => [name, spec.default]),
	) as OptionValues<T>;
}

/** Options by name, as far as they are given; whoever takes them from outside has checked them. */
export type GivenOptions = Readonly<Record<string, unknown>>;

/** Those given, and the defaults of the others. */
export function withDefaults<T extends OptionTable>(table: T, given: GivenOptions = {}): OptionValues<T> {
	return { ...defaultOptions(table), ...given } as OptionValues<T>;
}
