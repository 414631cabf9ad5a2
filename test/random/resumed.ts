/** A random study that forgets all but its checkpoint now and then: it must end where one that went through ends. */
import { InputError } from "../../src/errors.ts";
import type { Result } from "../../src/estimate/result.ts";
import { Session, type Task } from "../../src/methods/session.ts";
import { Draws } from "../../src/num/statistics/draws.ts";

/** What differs between the two, or undefined; with the number of times that it was saved and loaded. */
export async function resumedApart(
	task: Task,
	seed: number,
): Promise<{ readonly times: number; readonly differs?: string }> {
	let one: Record<string, string>;
	try {
		const whole = await Session.begin(task);
		while (!(await whole.advance()).done);
		one = plain(await whole.result());
	} catch (error) {
		if (error instanceof InputError) return { times: 0 };
		throw error;
	}
	const d = new Draws(seed, "resume");
	const share = d.between(0.05, 0.6);
	const most = d.whole(1, 4);
	let times = 0;
	let cut = await Session.begin(task);
	let done = false;
	while (!done) {
		({ done } = await cut.advance());
		// What a checkpoint does not hold is done again: with one after each step a phase of many would never end.
		if (times < most && d.chance(share)) {
			cut = await Session.begin({ ...task, from: cut.save() });
			times++;
			done = false;
		}
	}
	const other = plain(await cut.result());
	for (const name of Object.keys(one))
		if (one[name] !== other[name]) return { times, differs: `${name}: ${apart(one[name], other[name])}` };
	return { times };
}

/** Each part as text, without what a clock says. */
function plain(result: Result): Record<string, string> {
	return Object.fromEntries(
		Object.entries(result).map(([name, value]) => [
			name,
			JSON.stringify(value, (key, each: unknown) =>
				/seconds|timing/i.test(key)
					? 0
					: ArrayBuffer.isView(each)
						? Array.from(each as Float64Array)
						: typeof each === "number"
							? String(each)
							: each,
			) ?? "",
		]),
	);
}

function apart(one: string, other: string): string {
	let at = 0;
	while (one[at] === other[at]) at++;
	const from = Math.max(0, at - 60);
	return `…${one.slice(from, at + 40)} beside …${other.slice(from, at + 40)}`;
}
