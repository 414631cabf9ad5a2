/**
 * The methods by name.
 */
import { dop853 } from "./explicit/dop853.ts";
import { tsit5 } from "./explicit/tsit5.ts";
import type { MethodName } from "./ivp.ts";
import { radau9 } from "./stiff/radau-table.ts";
import { rodas5p } from "./stiff/rodas5p.ts";
import { rodas6p } from "./stiff/rodas6p.ts";

export const explicitMethods = { tsit5, dop853 };
export const rosenbrockMethods = { rodas5p, rodas6p };
export const stiffMethods = { ...rosenbrockMethods, radau9 };

export type ExplicitName = keyof typeof explicitMethods;
export type StiffName = keyof typeof stiffMethods;

export function isStiff(method: MethodName): method is StiffName {
	return method in stiffMethods;
}
