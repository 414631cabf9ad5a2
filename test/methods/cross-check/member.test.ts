/** A method inside a cross-check: what it cannot do is a refusal, a bug of it is not. */
import { describe, expect, test } from "vitest";
import { InputError } from "../../../src/errors.ts";
import { Member } from "../../../src/methods/cross-check/member.ts";
import type { Method } from "../../../src/methods/method.ts";
import type { Problem } from "../../../src/methods/problem.ts";

function memberOf(error: unknown, where: "prepare" | "advance" | "result" | "load"): Member {
	const at = async (here: string): Promise<void> => {
		if (here === where) throw error;
	};
	const method = {
		name: "fit",
		options: {},
		prepare: () => at("prepare"),
		advance: async () => {
			await at("advance");
			return { done: true, fraction: 1, label: "" };
		},
		result: () => at("result"),
		save: () => new Uint8Array(0),
		load: () => at("load"),
	} as unknown as Method;
	return new Member({
		method,
		problem: {
			model: { events: [], params: [], inputs: [], unknowns: [] },
			train: [],
			test: [],
		} as unknown as Problem,
		options: {},
		assumptions: [],
	});
}

const refusal = new InputError("m.ode", "has no noise", "Declare it.");
const bug = new TypeError("Cannot read properties of undefined");

describe.each(["prepare", "advance", "result"] as const)("a member that fails in %s", (where) => {
	test("refuses what the user can mend", async () => {
		const member = memberOf(refusal, where);
		await member.advance();
		expect(member.done).toBe(true);
		expect(member.refusal).toBe("m.ode: has no noise. Declare it.");
	});

	test("lets a bug be seen", async () => {
		const member = memberOf(bug, where);
		await expect(member.advance()).rejects.toBe(bug);
		expect(member.refusal).toBeUndefined();
	});
});

// A state that cannot be read is no answer of the method: whoever asks to go on is to know.
describe("a member whose state cannot be read", () => {
	test.each([
		["for a reason that has words", refusal, "m.ode: has no noise"],
		["for another", bug, "the checkpoint: holds a state that fit cannot go on from"],
	])("says so, %s", async (_, error, words) => {
		const member = memberOf(error, "load");
		const loading = member.load(new Uint8Array(0), true);
		await expect(loading).rejects.toThrow(InputError);
		await expect(loading).rejects.toThrow(words);
		expect(member.refusal).toBeUndefined();
	});
});
