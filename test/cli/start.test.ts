/** The command starts from its joined files, unless the sources were compiled after these were made. */
import { spawnSync } from "node:child_process";
import { copyFileSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { build, main, Workplace } from "./odentify.ts";

let place: Workplace;
beforeAll(build, 300_000);
afterEach(() => place.clean());

/** The start as built, before two programs that say which they are. */
function started(files: Readonly<Record<string, number>>): string {
	place = new Workplace({
		"package.json": '{ "type": "module" }',
		"cli/program.js": "console.log('compiled')",
	});
	for (const name of ["main", "node-version", "start"])
		copyFileSync(join(dirname(main), `${name}.js`), join(place.path, `cli/${name}.js`));
	for (const [name, seconds] of Object.entries(files)) {
		place.put(name, "console.log('joined')");
		utimesSync(join(place.path, name), seconds, seconds);
	}
	const { stdout, stderr } = spawnSync(process.execPath, [join(place.path, "cli/main.js")], {
		encoding: "utf8",
	});
	expect(stderr).toBe("");
	return stdout.trim();
}

describe("the program", () => {
	const joined = "cli/joined/program.js";
	it.each<[string, Record<string, number>, string]>([
		["as a package has it", { [joined]: 1000 }, "joined"],
		["joined after it was compiled", { [joined]: 1001, ".tsbuildinfo": 1000 }, "joined"],
		["compiled since", { [joined]: 1000, ".tsbuildinfo": 1001 }, "compiled"],
		["never joined", { ".tsbuildinfo": 1000 }, "compiled"],
	])("%s", (_, files, expected) => {
		expect(started(files)).toBe(expected);
	});
});
