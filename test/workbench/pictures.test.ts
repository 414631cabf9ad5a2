/** The pictures of the docs are those that the script makes: none is missing, none is left over, and its steps still work. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { build, root } from "../cli/odentify.ts";
import { buildPage, hasChromium } from "./page.ts";

const script = join(root, "scripts/workbench-pictures.mjs");
const pictures = (...flags: string[]) =>
	spawnSync(process.execPath, [script, ...flags], { encoding: "utf8" });
const shownIn = (page: string): string[] =>
	[...readFileSync(join(root, page), "utf8").matchAll(/images\/(workbench-[\w-]+\.png)/g)].map(
		([, name]) => name,
	);

/** Width and height, as a PNG says them. */
function sizeOf(path: string): number[] {
	const bytes = readFileSync(path);
	return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

describe("the pictures of the workbench", () => {
	it("are those that the docs show, each made by the script", () => {
		const made = pictures("--list").stdout.trim().split("\n").sort();
		const kept = readdirSync(join(root, "docs/images")).filter((name) => name.startsWith("workbench-"));
		expect(made.length).toBeGreaterThan(10);
		expect(shownIn("docs/workbench.md").sort()).toEqual(made);
		expect(kept.sort()).toEqual(made);
		expect(made).toEqual(expect.arrayContaining(shownIn("README.md")));
		expect(shownIn("README.md").length).toBeGreaterThan(0);
	});

	it("of a view that there is not are refused", () => {
		const { status, stderr } = pictures("--built", "nothing");
		expect([status, stderr]).toEqual([2, expect.stringContaining("There is no view nothing")]);
	});

	it.runIf(hasChromium)("are drawn as they stand in the docs, in size", { timeout: 180_000 }, async () => {
		await build();
		await buildPage();
		const folder = mkdtempSync(join(tmpdir(), "odentify-drawn-"));
		try {
			const views = ["first", "examples", "error", "options", "proof", "phone"];
			const { status, stderr } = pictures("--built", "--to", folder, ...views);
			expect([status, stderr]).toEqual([0, ""]);
			const drawn = readdirSync(folder).sort();
			expect(drawn).toEqual(
				pictures("--list", ...views)
					.stdout.trim()
					.split("\n")
					.sort(),
			);
			for (const name of drawn)
				expect([name, ...sizeOf(join(folder, name))]).toEqual([
					name,
					...sizeOf(join(root, "docs/images", name)),
				]);
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	});
});
