/** Bits do not depend on the version of Node, nor on a browser: every file of a run, for every method. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { build, Workplace } from "../cli/odentify.ts";
import { allRepetitions } from "../repetitions.ts";
import { hasChromium } from "../workbench/page.ts";
import { Chromium } from "./browser/chromium.ts";
import { differing, engines, runOn } from "./engines.ts";
import { studies } from "./small-studies.ts";

const [own, ...others] = engines;

const names = [...engines.map(({ name }) => `node ${name}`), ...(hasChromium ? ["Chromium"] : [])];

describe.runIf(names.length > 1)(names.join(", "), () => {
	const places: Workplace[] = [];
	let chromium: Chromium | undefined;
	beforeAll(async () => {
		build();
		chromium = await Chromium.open();
	}, 300_000);
	afterAll(async () => {
		for (const place of places) place.clean();
		await chromium?.close();
	});

	test.each(Object.keys(studies))("%s", { timeout: 300_000 }, async (method) => {
		const place = new Workplace(studies[method]);
		places.push(place);
		const here = runOn(own, place);
		expect([here.code, here.err]).toEqual([0, ""]);
		expect(here.files.size).toBeGreaterThan(3);
		// Its parts are compared one by one.
		for (const engine of method === "all" && !allRepetitions ? others.slice(-1) : others)
			expect(differing(here, runOn(engine, place)), engine.name).toEqual([]);
		if (chromium)
			expect(differing(here, await chromium.again(studies[method], here)), "Chromium").toEqual([]);
	});
});
