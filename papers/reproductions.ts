/** The papers that this version repeats, by the method's name. */

import type { Reproduction } from "../src/report/reproduction.ts";
import { bayes } from "./bayes/reproduce.ts";
import { guaranteed } from "./guaranteed/reproduce.ts";
import { inversion } from "./inversion/reproduce.ts";
import { kriging } from "./kriging/reproduce.ts";
import { periodic } from "./periodic/reproduce.ts";

export const reproductions: ReadonlyMap<string, Reproduction> = new Map(
	[kriging, bayes, periodic, inversion, guaranteed].map((reproduction) => [reproduction.name, reproduction]),
);
