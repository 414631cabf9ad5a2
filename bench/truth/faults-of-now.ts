/** Ledgers of before a problem was known to be open as measured: its family and outputs say so now. */
import { designOf } from "../../src/prove/design.ts";
import { openAsMeasured } from "../../src/prove/faults.ts";
import { million } from "../../src/prove/open/problem.ts";
import type { Entry } from "./entry.ts";

export function faultsOfNow(entries: readonly Entry[]): Entry[] {
	return entries.map((entry) => {
		if (entry.fault !== undefined || entry.number >= million) return entry;
		const { family, outputs } = designOf(entry.number);
		return family.openAlone !== undefined && outputs.length === 1
			? { ...entry, fault: openAsMeasured, dose: 1 }
			: entry;
	});
}
