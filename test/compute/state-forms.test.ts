/** What the methods save: a checkpoint of another form must not be taken for one of this. */
import { describe, expect, test } from "vitest";
import { InputError } from "../../src/errors.ts";
import { goneOnFrom, savedStates, studies } from "./small-studies.ts";

/** Names in a value and below it, as `samplers[].cloud`. */
function namesIn(value: unknown, place = ""): string[] {
	if (Array.isArray(value)) return value.flatMap((each) => namesIn(each, `${place}[]`));
	if (typeof value !== "object" || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) => {
		const own = place === "" ? name : `${place}.${name}`;
		return [own, ...namesIn(inner, own)];
	});
}

describe.each(Object.keys(studies))("%s", (method) => {
	// Not as before? Then raise the method's `stateForm`, and record the new form with  npx vitest -u
	test("saves states of the form that it says", async () => {
		const { form, states } = await savedStates(method);
		const names = states.flatMap((state) => namesIn(JSON.parse(new TextDecoder().decode(state))));
		expect([`form ${form}`, ...new Set(names)].sort().join("\n")).toMatchSnapshot();
	}, 120_000);

	test.each(["{}", "[]", "null", "7", '[{"state":"e30=","done":false}]', "text", ""])(
		"refuses the state %j in words",
		async (text) => {
			await expect(goneOnFrom(method, new TextEncoder().encode(text))).rejects.toThrow(InputError);
		},
		120_000,
	);
});
