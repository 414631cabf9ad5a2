/** The tests that draw many problems or noises, with all of them: `npm test` makes the first few (test/repetitions.ts). */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export async function bench(): Promise<void> {
	const files = readdirSync("test", { recursive: true, encoding: "utf8" })
		.filter((file) => file.endsWith(".test.ts"))
		.map((file) => join("test", file))
		.filter((file) => readFileSync(file, "utf8").includes('/repetitions.ts"'));
	const { status } = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...files], {
		stdio: "inherit",
		env: { ...process.env, ODENTIFY_TEST: "built", ODENTIFY_REPETITIONS: "all" },
	});
	if (status !== 0) process.exitCode = 1;
}
