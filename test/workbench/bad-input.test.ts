/** Files that are wrong: a clear sentence, and the work at hand stays. */
import { strToU8, zipSync } from "fflate";
import type { Browser } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { xlsxBytes } from "../data/xlsx-writer.ts";
import { drop, hasChromium, openPage, Visit } from "./page.ts";
import { rigCsv, rigModel } from "./records-of-ones-own.ts";
import type { StaticServer } from "./static-server.ts";

describe.runIf(hasChromium)("bad input", () => {
	let server: StaticServer;
	let browser: Browser;
	beforeAll(async () => {
		({ server, browser } = await openPage());
	}, 180_000);

	it("is said in a sentence, one file after the other, and nothing is lost", {
		timeout: 60_000,
	}, async () => {
		const visit = await Visit.open(browser, server.url);
		const { page } = visit;
		await drop(page, [
			{ name: "rig.ode", content: rigModel },
			{ name: "rig.csv", content: rigCsv(100).replace("Zeit;Kraft;Weg", "t;F;pos") },
		]);
		await page.getByText("100 × 3").waitFor();
		await page.waitForSelector(".run button.primary:not([disabled])");
		const zip = zipSync({ "study.yaml": strToU8("model: m.ode\ndata: a.csv\n"), "../a.csv": strToU8("x") });
		for (const [name, content, said] of [
			["notes.xlsx", xlsxBytes({ Notes: [["nothing", "here"]] }), /holds no numbers/],
			["out.zip", zip, /leads out of it/],
			["odd.csv", "t,F,pos\n01/02/2024,1,2\n13/02/2024,1,2\n02/25/2024,1,2\n", /date|order|month/i],
			["empty.csv", "", /empty|nothing|no /i],
			["broken.yaml", "model: [\n", /./],
		] as const) {
			await drop(page, [{ name, content }]);
			const notice = page.locator(".notice, .oddities, [data-testid=obstacle]").filter({ hasText: said });
			await notice.first().waitFor({ timeout: 10_000 });
			const records = await page.locator(".record-tabs .chip").allTextContents();
			expect([name, records[0]]).toEqual([name, "rig.csv"]);
			if (records.length > 2) await page.getByRole("button", { name: "Undo" }).click();
		}
		// The same study is still there, and runs.
		await page.waitForSelector(".run button.primary:not([disabled])");
		expect(await visit.run()).toBe("converged");
		expect(visit.problems).toEqual([]);
		await visit.close();
	});

	it("two columns of one name cannot be used; a record with no column of the model is asked about", async () => {
		const visit = await Visit.open(browser, server.url);
		const { page } = visit;
		await drop(page, [
			{ name: "rig.ode", content: rigModel },
			{ name: "twice.csv", content: "t,F,pos,pos\n0,1,2,3\n1,1,2,3\n2,1,2,3\n" },
		]);
		await page.getByRole("button", { name: "twice.csv", exact: true }).waitFor();
		await page.getByText("twice.csv has several columns called pos").waitFor();
		expect(await page.locator(".run button.primary").isDisabled()).toBe(true);
		await page.click(".new-menu summary");
		await page.click('[data-new="blank"]');
		await drop(page, [
			{ name: "rig.ode", content: rigModel },
			{ name: "other.csv", content: "t,a,b\n0,1,2\n1,1,2\n2,1,2\n" },
		]);
		await page.getByText("Choose the column of other.csv for F and pos.").waitFor();
		expect(await page.locator(".run button.primary").isDisabled()).toBe(true);
		expect(visit.problems).toEqual([]);
		await visit.close();
	});
});
