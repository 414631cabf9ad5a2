/**
 * The methods that this version has: a new one is a folder and its line here. The first is the usual one; those that ask more
 * of a model come later, and of several that a model looks made for the last is suggested.
 */
import { bayes } from "./bayes/bayes.ts";
import { crossCheck } from "./cross-check/cross-check.ts";
import { fit } from "./fit/fit.ts";
import { guaranteed } from "./guaranteed/guaranteed.ts";
import { inversion } from "./inversion/inversion.ts";
import { kriging } from "./kriging/kriging.ts";
import type { Method } from "./method.ts";
import { periodic } from "./periodic/periodic.ts";

/** Those that answer by themselves. */
export const singleMethods: readonly Method[] = [fit, kriging, bayes, periodic, inversion, guaranteed];

export const methods: ReadonlyMap<string, Method> = registryOf(singleMethods);

/** Methods by name, with the cross-check of all of them. */
export function registryOf(single: readonly Method[]): ReadonlyMap<string, Method> {
	return new Map([...single, crossCheck(single)].map((method) => [method.name, method]));
}
