/** What the plane can show: what is simulated; without a simulation the measured outputs, or the columns as they are. */
import type { Played } from "../../src/study/index.ts";
import type { PlanRecord, TableData } from "../contract.ts";
import { columnFor, type NeededNames } from "../page/record-guess.ts";

export function phaseNames(
	record: PlanRecord,
	{ columns }: TableData,
	{ outputs }: NeededNames,
	played: Played | undefined,
): string[] {
	if (played) return [...new Set([...played.states, ...played.outputs].map(({ name }) => name))];
	const measured = outputs.filter((name) => columns.some((each) => each.name === columnFor(record, name)));
	const own = columns.map(({ name }) => name).filter((name) => name !== record.time);
	return measured.length > 0 ? measured : [...new Set(own)];
}
