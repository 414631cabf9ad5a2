/** Terms whose weights differ from record to record are there for all or for none: in which records they can be told from 0. */
import { list, note } from "../../../estimate/judge/words.ts";
import type { Remark } from "../../../estimate/result.ts";
import { studentQuantile975 } from "../../../num/statistics/quantile.ts";
import { standardErrors } from "../descent/fitted-model.ts";
import type { InversionRun } from "../inversion-run.ts";

export function unseenInRecords({ work, final, variance, degrees }: InversionRun): Remark[] {
	const { weights } = work.setting.candidates;
	const se = standardErrors(final!, variance);
	const quantile = studentQuantile975(degrees);
	const isTold = (u: number): boolean => Math.abs(final!.point[u]) > quantile * se[final!.active.indexOf(u)];
	const partly = work.terms(final!.active).flatMap((term) => {
		const members = work.sets.membersOf(term);
		const told = members.filter(isTold);
		if (members.length === 1 || told.length === members.length) return [];
		const where = told.length === 0 ? "none" : list(told.map((u) => weights[u].record!));
		return [`${work.termName(term)} in ${told.length} of ${members.length} (${where})`];
	});
	if (partly.length === 0) return [];
	return note(
		"unseen-in-records",
		"Some terms are seen in some records only",
		`A term is there for all records or for none. By its own weight each of these can be told from 0 in these records: ${list(partly)}. In the others it may be absent.`,
	);
}
