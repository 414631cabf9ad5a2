/** The components of the page hold no type error: neither their scripts nor their markup. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { root } from "../cli/odentify.ts";
import { componentTypes } from "./component-types.ts";

const place = join(root, ".build/component-types");

/**
 * What the compiler says of components, in their places beside the page's own files; and of those that are changed, beside
 * the others. One program: most of the time is for what all of them import.
 */
function complaints(
	components: Readonly<Record<string, string>>,
	changed: Readonly<Record<string, string>>,
): { sound: string[]; changed: string[] } {
	rmSync(place, { recursive: true, force: true });
	const put = (top: string, sources: Readonly<Record<string, string>>): void => {
		for (const [name, source] of Object.entries(sources)) {
			const path = join(place, top, "workbench", `${name}.ts`);
			mkdirSync(dirname(path), { recursive: true });
			writeFileSync(path, componentTypes(source));
		}
	};
	put("sound", components);
	put("changed", changed);
	const config = {
		extends: "../../tsconfig.workbench.json",
		compilerOptions: {
			rootDirs: ["../..", "sound", "changed"],
			noUnusedLocals: false,
			noUnusedParameters: false,
			types: ["node", "svelte", "vite/client"],
		},
		include: ["sound", "changed", "../../workbench/ambient.d.ts"],
	};
	writeFileSync(join(place, "tsconfig.json"), JSON.stringify(config));
	const compiler = join(root, "node_modules/typescript/bin/tsc");
	const { stdout } = spawnSync(process.execPath, [compiler, "-p", join(place, "tsconfig.json")], {
		cwd: root,
		encoding: "utf8",
	});
	// Errors of other files are found where those are checked.
	const of = (top: string): string[] =>
		stdout.split("\n").filter((line) => line.includes(`component-types/${top}/workbench/`));
	return { sound: of("sound"), changed: of("changed") };
}

const folder = join(root, "workbench");
const components = Object.fromEntries(
	readdirSync(folder, { recursive: true, encoding: "utf8" })
		.filter((name) => name.endsWith(".svelte"))
		.map((name) => [name, readFileSync(join(folder, name), "utf8")]),
);

describe("components", () => {
	const changed: Record<string, string> = {};
	for (const [name, from, to] of [
		["result/figure-view.svelte", "domainOf(figure).x", "domainOf(figure.marks).x"],
		["result/cross-check.svelte", "own.estimate", "own.estimated"],
		["result/answer.svelte", "rows={bench.running.live.parameters}", "rows={bench.running.live.figures}"],
		["run/run-bar.svelte", "bench.running.pause()", "bench.running.pauses()"],
		["method/method-pane.svelte", "bench.change({ seed })", "bench.change({ seed: String(seed) })"],
	])
		changed[name] = components[name].replace(from, to);
	let said: ReturnType<typeof complaints>;
	beforeAll(() => {
		said = complaints(components, changed);
	}, 120_000);

	it("have the types that they say", () => {
		expect(Object.keys(components).length).toBeGreaterThan(10);
		expect(said.sound).toEqual([]);
	});

	it("are found out when they do not", () => {
		for (const name of Object.keys(changed))
			expect([name, changed[name]]).not.toEqual([name, components[name]]);
		const named = said.changed.map((line) => /workbench\/(\S+)\.ts\(/.exec(line)?.[1]);
		expect([...new Set(named)].sort()).toEqual(Object.keys(changed).sort());
	});
});
