/** The methods that this version has. */
import { bayes } from "./bayes/bayes.ts";
import { crossCheck } from "./cross-check/cross-check.ts";
import { fit } from "./fit/fit.ts";
import { guaranteed } from "./guaranteed/guaranteed.ts";
import { inversion } from "./inversion/inversion.ts";
import { kriging } from "./kriging/kriging.ts";
import type { Method } from "./method.ts";
import { periodic } from "./periodic/periodic.ts";

const single = [fit, kriging, bayes, periodic, inversion, guaranteed] as unknown as readonly Method[];
const all = crossCheck(single) as unknown as Method;

export const methods: ReadonlyMap<string, Method> = new Map(
	[...single, all].map((method) => [method.name, method]),
);
