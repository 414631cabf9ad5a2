/** Every example, one click each: the page gives the numbers of the command line, to the last bit. */
import type { Browser } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { exampleList } from "../../workbench/page/example-list.ts";
import { build, Workplace } from "../cli/odentify.ts";
import { hasChromium, numbersOf, openPage, Visit } from "./page.ts";
import type { StaticServer } from "./static-server.ts";

describe.runIf(hasChromium)("examples", () => {
	let server: StaticServer;
	let browser: Browser;
	let visit: Visit;
	beforeAll(async () => {
		await build();
		({ server, browser } = await openPage());
		server.asked.length = 0;
		visit = await Visit.open(browser, server.url);
	}, 180_000);

	const places = new Map<string, { place: Workplace; summary: string; files: ReadonlyMap<string, Buffer> }>();

	for (const { id } of exampleList)
		it(`${id} runs to its end in the page`, { timeout: 120_000 }, async () => {
			await visit.openExample(id);
			expect(await visit.run()).toMatch(/^(converged|proved)$/);
			const place = new Workplace();
			place.put("study.yaml", await visit.download('[data-file="study.yaml"]'));
			for (const button of await visit.page.locator("[data-record]").all()) {
				const file = (await button.getAttribute("data-record"))!;
				place.put(file, await visit.download(`[data-record="${file}"]`));
			}
			const summary = await visit.download('[data-file="summary.json"]');
			const files = await visit.downloadAnswer();
			expect(files.has("trajectory.csv")).toBe(true);
			places.set(id, { place, summary, files });
		});

	for (const { id } of exampleList)
		it(`${id}: the command line gives the same bits`, { timeout: 120_000 }, () => {
			const { place, summary, files } = places.get(id)!;
			try {
				const { code, err } = place.call("run", "study.yaml", "--out", "out", "--quiet");
				expect([code, err]).toEqual([0, ""]);
				expect(numbersOf(summary)).toEqual(numbersOf(place.text("out/summary.json")));
				for (const [name, content] of files)
					expect(content.equals(place.bytes(`out/${name}`)), `${id}: ${name}`).toBe(true);
			} finally {
				place.clean();
			}
		});

	it("used the other cores, where there are some", async () => {
		const cores = Number(await visit.page.evaluate("navigator.hardwareConcurrency"));
		const started = server.asked.some(({ path }) => path.includes("compute-worker"));
		expect(started).toBe(cores > 1);
	});

	it("met no error and asked no other host", () => {
		expect(visit.problems).toEqual([]);
	});
});
