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
	return new Member({ method, problem: {} as Problem, options: {}, assumptions: [] });
}

describe.each(["prepare", "advance", "result", "load"] as const)("a member that fails in %s", (where) => {
	const act = (member: Member): Promise<void> =>
		where === "load" ? member.load(new Uint8Array(0), true) : member.advance();

	test("refuses what the user can mend", async () => {
		const member = memberOf(new InputError("m.ode", "has no noise", "Declare it."), where);
		await act(member);
		expect(member.done).toBe(true);
		expect(member.refusal).toBe("m.ode: has no noise Declare it.");
	});

	test("lets a bug be seen", async () => {
		const bug = new TypeError("Cannot read properties of undefined");
		const member = memberOf(bug, where);
		await expect(act(member)).rejects.toBe(bug);
		expect(member.refusal).toBeUndefined();
	});
});
