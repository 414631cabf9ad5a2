/** Bits do not depend on the version of Node: every file of a run, for every method. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { build, Workplace } from "../cli/odentify.ts";
import { differing, engines, runOn } from "./engines.ts";
import { studies } from "./small-studies.ts";

const [own, ...others] = engines;

describe.runIf(others.length > 0)(`node ${engines.map(({ name }) => name).join(", ")}`, () => {
	const places: Workplace[] = [];
	beforeAll(build, 300_000);
	afterAll(() => {
		for (const place of places) place.clean();
	});

	test.each(Object.keys(studies))("%s", { timeout: 300_000 }, (method) => {
		const place = new Workplace(studies[method]);
		places.push(place);
		const here = runOn(own, place);
		expect([here.code, here.err]).toEqual([0, ""]);
		expect(here.files.size).toBeGreaterThan(3);
		for (const engine of others) expect(differing(here, runOn(engine, place)), engine.name).toEqual([]);
	});
});
