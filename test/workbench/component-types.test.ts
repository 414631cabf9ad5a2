/** The components of the page hold no type error: neither their scripts nor their markup. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../cli/odentify.ts";
import { componentTypes } from "./component-types.ts";

const place = join(root, ".build/component-types");

/** What the compiler says of components, in their places beside the page's own files. */
function complaints(components: Readonly<Record<string, string>>): string[] {
	rmSync(place, { recursive: true, force: true });
	for (const [name, source] of Object.entries(components)) {
		const path = join(place, "workbench", `${name}.ts`);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, componentTypes(source));
	}
	const config = {
		extends: "../../tsconfig.workbench.json",
		compilerOptions: {
			rootDirs: ["../..", "."],
			noUnusedLocals: false,
			noUnusedParameters: false,
			types: ["node", "svelte", "vite/client"],
		},
		include: ["workbench", "../../workbench/ambient.d.ts"],
	};
	writeFileSync(join(place, "tsconfig.json"), JSON.stringify(config));
	const compiler = join(root, "node_modules/typescript/bin/tsc");
	const { stdout } = spawnSync(process.execPath, [compiler, "-p", join(place, "tsconfig.json")], {
		cwd: root,
		encoding: "utf8",
	});
	// Errors of other files are found where those are checked.
	return stdout.split("\n").filter((line) => line.includes("component-types/workbench/"));
}

const folder = join(root, "workbench");
const components = Object.fromEntries(
	readdirSync(folder, { recursive: true, encoding: "utf8" })
		.filter((name) => name.endsWith(".svelte"))
		.map((name) => [name, readFileSync(join(folder, name), "utf8")]),
);

describe("components", () => {
	it("have the types that they say", { timeout: 120_000 }, () => {
		expect(Object.keys(components).length).toBeGreaterThan(10);
		expect(complaints(components)).toEqual([]);
	});

	it("are found out when they do not", { timeout: 120_000 }, () => {
		const changed = { ...components };
		const broken = (name: string, from: string, to: string): void => {
			expect(changed[name]).toContain(from);
			changed[name] = changed[name].replace(from, to);
		};
		broken("result/figure-view.svelte", "domainOf(figure).x", "domainOf(figure.marks).x");
		broken("result/cross-check.svelte", "own.estimate", "own.estimated");
		broken("result/result-pane.svelte", "rows={bench.live.parameters}", "rows={bench.live.figures}");
		broken("run/run-bar.svelte", "bench.pause()", "bench.pauses()");
		broken("method/method-pane.svelte", "bench.change({ seed })", "bench.change({ seed: String(seed) })");
		const named = complaints(changed).map((line) => /workbench\/(\S+)\.ts\(/.exec(line)?.[1]);
		expect([...new Set(named)].sort()).toEqual([
			"method/method-pane.svelte",
			"result/cross-check.svelte",
			"result/figure-view.svelte",
			"result/result-pane.svelte",
			"run/run-bar.svelte",
		]);
	});
});
