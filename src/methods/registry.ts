/** The methods that this version has. */
import { fit } from "./fit/fit.ts";
import type { Method } from "./method.ts";

export const methods: ReadonlyMap<string, Method> = new Map([[fit.name, fit as unknown as Method]]);
