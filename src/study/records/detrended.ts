/** What `detrend` took away, by record and column; nothing where no record asks for it. */
import type { Problem } from "../../methods/problem.ts";
import type { Study } from "../study.ts";

export function detrendedOf(study: Study, { train, test }: Problem): unknown {
	if ([...study.records, ...study.testRecords].every(({ detrend }) => detrend === "none")) return undefined;
	return Object.fromEntries([...train, ...test].map(({ name, removed }) => [name, removed]));
}
