/** Turns generated text into a function. The text comes from the IR only: nothing a user wrote is in it. */
import { names } from "./names.ts";

/** `new Function` of `return (<source>)`, with the functions of `calls` in scope. */
export function evaluate<F>(source: string, calls: ReadonlySet<string>): F {
	const used = [...calls].sort();
	const make = new Function(...used, `"use strict";\nreturn (${source});`);
	return make(...used.map((name) => names[name])) as F;
}

let allowed: boolean | undefined;

/** Whether this place allows `new Function`: a page may forbid it. */
export function mayEvaluate(): boolean {
	if (allowed === undefined)
		try {
			allowed = new Function("return true")() as boolean;
		} catch {
			allowed = false;
		}
	return allowed;
}
