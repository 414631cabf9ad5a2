/** Which column of a table is probably its time. */
import type { Column, Table } from "../table/table.ts";

const units = "s|secs?|seconds?|ms|us|µs|ns|min|minutes?|h|hours?|d|days?|weeks?|months?|years?";
const unit = `(?:[\\s_.-]*[[(]?(?:${units})[\\])]?)?`;
/** Names that mean time whatever the values are. */
const surelyTime = new RegExp(`^(?:t|time|timestamp|datetime|date|zeit|datum)${unit}$`, "i");
/** Names that may mean time: of a column that rises they do. */
const perhapsTime = new RegExp(`^(?:(?:elapsed|clock)${unit}|${units}|jahr|tag|stunde|minute|sekunde)$`, "i");

/**
 * Its name; `undefined` where no column says so by its name or its dates. A column that is named time and does not rise is
 * taken, too: who reads it says what is wrong with it. Names in `taken` are somebody else's.
 */
export function timeColumnOf(
	table: Pick<Table, "columns">,
	taken: readonly string[] = [],
): string | undefined {
	const free = table.columns.filter(({ name }) => !taken.includes(name));
	const rising = free.filter(rises);
	const first = (list: readonly Column[], names: RegExp): string | undefined =>
		list.find(({ name }) => names.test(name))?.name;
	const dates = free.filter(({ origin }) => origin !== undefined);
	return (
		first(rising, surelyTime) ??
		(dates.length > 0 ? (dates.find(rises) ?? dates[0]).name : undefined) ??
		first(rising, perhapsTime) ??
		first(free, surelyTime)
	);
}

function rises({ values, open }: Column): boolean {
	if (open) return true;
	for (let i = 1; i < values.length; i++) if (!(values[i] > values[i - 1])) return false;
	return values.length > 1;
}
