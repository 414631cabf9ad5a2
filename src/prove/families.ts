/** All families, in an order that stays: a problem's number names one of them. */
import { biology } from "./families/biology.ts";
import { chaos } from "./families/chaos.ts";
import { chemistry } from "./families/chemistry.ts";
import { electricity } from "./families/electricity.ts";
import { epidemics } from "./families/epidemics.ts";
import { mechanics } from "./families/mechanics.ts";
import type { Family } from "./family.ts";

export const families: readonly Family[] = [
	...mechanics,
	...electricity,
	...chemistry,
	...biology,
	...epidemics,
	...chaos,
];
