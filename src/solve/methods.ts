/**
 * The methods by name.
 */
import { dop853 } from "./dop853.ts";
import type { MethodName } from "./ivp.ts";
import { rodas5p } from "./rodas5p.ts";
import { rodas6p } from "./rodas6p.ts";
import type { RosenbrockTable } from "./rosenbrock-table.ts";
import type { RungeKuttaTable } from "./runge-kutta-table.ts";
import { tsit5 } from "./tsit5.ts";

export const explicitMethods: Readonly<Record<"tsit5" | "dop853", RungeKuttaTable>> = { tsit5, dop853 };
export const stiffMethods: Readonly<Record<"rodas5p" | "rodas6p", RosenbrockTable>> = { rodas5p, rodas6p };

export type ExplicitName = keyof typeof explicitMethods;
export type StiffName = keyof typeof stiffMethods;

export function isStiff(method: MethodName): method is StiffName {
	return method in stiffMethods;
}
