/** The methods that this version has. */
import { bayes } from "./bayes/bayes.ts";
import { fit } from "./fit/fit.ts";
import { guaranteed } from "./guaranteed/guaranteed.ts";
import { inversion } from "./inversion/inversion.ts";
import { kriging } from "./kriging/kriging.ts";
import type { Method } from "./method.ts";
import { periodic } from "./periodic/periodic.ts";

const all = [fit, kriging, bayes, periodic, inversion, guaranteed] as unknown as readonly Method[];

export const methods: ReadonlyMap<string, Method> = new Map(all.map((method) => [method.name, method]));
