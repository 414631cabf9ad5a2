import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { nodeProblem, oldestNode } from "../../src/cli/node-version.ts";
import { version } from "../../src/version.ts";
import { build, main, root } from "./odentify.ts";

const ofPackage = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

it("the version is that of the package", () => {
	expect(version).toBe(ofPackage.version);
});

describe("Node", () => {
	beforeAll(build, 300_000);

	it("is needed as the package says", () => {
		expect(ofPackage.engines.node).toBe(`>=${oldestNode}`);
		for (const fine of ["20.12.0", "20.20.2", "21.0.0", "22.0.0", "100.1.0"])
			expect(nodeProblem(fine)).toBeUndefined();
		for (const old of ["20.11.1", "18.20.8", "8.0.0"])
			expect(nodeProblem(old)).toMatch(`this is version ${old}, and Odentify needs 20.12 or newer`);
	});
	it("is needed by the scripts as the package and its tools say", async () => {
		const { serves } = await import(pathToFileURL(join(root, "scripts/need-node.mjs")).href);
		const { version: wanted } = ofPackage.devEngines.runtime;
		for (const fine of ["20.19.0", "22.12.0", "23.0.0", "24.1.0"]) expect(serves(fine, wanted)).toBe(true);
		for (const old of ["18.20.0", "20.18.3", "21.7.0", "22.11.0"]) expect(serves(old, wanted)).toBe(false);
		for (const tool of ["vite", "knip"]) {
			const { engines } = JSON.parse(readFileSync(join(root, "node_modules", tool, "package.json"), "utf8"));
			expect(engines.node.replaceAll(/(\d+\.\d+)\.0/g, "$1")).toBe(wanted);
		}
	});
	it.each([
		["the command", main, "20.11.1", "Odentify needs 20.12 or newer"],
		["the scripts", join(root, "scripts/setup.mjs"), "20.18.3", "building Odentify needs ^20.19 || >=22.12"],
	])("that is too old is told so by %s before anything else", (_what, script, old, said) => {
		// As if this Node were an older one.
		const disguise = `Object.defineProperty(process.versions, "node", { value: "${old}" })`;
		const { status, stderr, stdout } = spawnSync(
			process.execPath,
			["--import", `data:text/javascript,${encodeURIComponent(disguise)}`, script],
			{ encoding: "utf8" },
		);
		expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
		expect(stderr).toContain(`this is version ${old}, and ${said}`);
	});
	it("that is very old can read the start", () => {
		const start = ["main", "node-version"].map((name) =>
			readFileSync(join(root, `dist/cli/${name}.js`), "utf8"),
		);
		expect(
			start.flatMap((text) => [...text.matchAll(/^import .* from "(.*)"/gm)].map(([, from]) => from)),
		).toEqual(["./node-version.js"]);
		// Nothing that came after modules did: `?.`, `??`, fields, await outside of functions.
		for (const text of start)
			expect(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "")).not.toMatch(/\?\.|\?\?|#\w|\bawait\b/);
	});
});
