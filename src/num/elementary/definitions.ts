/** All elementary functions by name, for those who generate code from them. */
import type { Algebra } from "./algebra.ts";
import { acos, asin, atan } from "./arc.ts";
import { exp } from "./exp.ts";
import { cosh, sinh, tanh } from "./hyperbolic.ts";
import { log } from "./log.ts";
import { pow } from "./pow.ts";
import { twoOverPi } from "./reduce.ts";
import { cos, cosLarge, sin, sinLarge, tan, tanLarge } from "./sine.ts";

export interface Definition {
	readonly params: 1 | 2;
	/** Looks up tables: for one number at a time, through `rarely`. */
	readonly scalarOnly: boolean;
	readonly define: <V, M>(o: Algebra<V, M>, x: V, y: V) => V;
}
type Unary = <V, M>(o: Algebra<V, M>, x: V) => V;

const unary = { exp, log, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh };
const large = { sinLarge, cosLarge, tanLarge };

export const definitions: ReadonlyMap<string, Definition> = new Map([
	...Object.entries(large).map(([name, define]) => entry(name, 1, true, define)),
	...Object.entries(unary).map(([name, define]) => entry(name, 1, false, define)),
	entry("pow", 2, false, pow),
]);

export const tables: ReadonlyMap<string, readonly number[]> = new Map([["twoOverPi", twoOverPi]]);

function entry(
	name: string,
	params: 1 | 2,
	scalarOnly: boolean,
	define: Unary | Definition["define"],
): [string, Definition] {
	return [name, { params, scalarOnly, define }];
}
