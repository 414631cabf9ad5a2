/** The command finds the papers as they were built, apart from the library. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { build, Workplace } from "../cli/odentify.ts";

const place = new Workplace();
beforeAll(build, 300_000);
afterAll(() => place.clean());

test("names the papers that there are", () => {
	const { code, err } = place.run("reproduce", "bayse");
	expect(code).toBe(2);
	expect(err).toContain("Did you mean bayes?");
	expect(err).toContain("kriging, bayes, periodic, inversion, guaranteed");
});
