// Everything that must hold: formatting and lint, types (with and without Node), tests. Does all its own set-up.
// With arguments, runs only the tests that they name: npm test -- test/model
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { mustPackage, root, setUp, setUpPage, setUpTypes } from "./setup.mjs";
import { mustAll, start, startScript } from "./side-by-side.mjs";

const chosen = process.argv.slice(2);
// What is fetched is only waited for: the processors build and compute meanwhile.
const fetched = chosen.length > 0 ? [] : ["system.mjs", "engines.mjs"].map(startScript);
setUp();
// The tests are of what was just built.
process.env.ODENTIFY_TEST = "built";
if (chosen.length > 0) {
	mustPackage("vitest", "run", ...chosen);
	process.exit(0);
}
/**
 * Room for what is soon forgotten, so that it is seldom swept; and by the thread that made it, since all processors are at work anyway.
 * Together these take an eighth of the processor's time from tests that compute. Most functions run for a short time only: to be
 * compiled anew by the optimising compiler, which took a third of that time in Node 20, they must run fifteen times as long as they do for a user.
 */
const flags = ["--max-semi-space-size=128", "--single-threaded-gc"];
if (process.versions.node.startsWith("20.")) flags.push("--interrupt-budget=1000000");
/** Some of the tests, beside others. */
function tests(name, project, before) {
	const results = join(root, ".build", `test-results-${name}.json`);
	rmSync(results, { force: true });
	const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${results}`];
	return {
		...start("vitest", ["run", `--project=${project}`, ...reporters], before, flags),
		found: () => (existsSync(results) ? JSON.parse(readFileSync(results, "utf8")) : undefined),
	};
}

// Tests that wait for programs and browsers leave the processor idle half of the time: those that only compute take it then. They need
// the library alone, and begin while the page is built and the sources are looked over.
const computing = tests("computing", "pure", process.platform === "win32" ? [] : ["nice", "-n", "10"]);
setUpPage();
setUpTypes();
await mustAll(
	["@biomejs/biome", "check", "--error-on-warnings", "."],
	["typescript", "--noEmit", "-p", "tsconfig.core.json"],
	["typescript", "--noEmit", "-p", "tsconfig.test.json"],
	["typescript", "--noEmit", "-p", "tsconfig.workbench.json"],
	["knip"],
);
await Promise.all(fetched);
const waiting = tests("waiting", "!pure");
waiting.hear();
const statuses = [await waiting.ended];
computing.hear();
statuses.push(await computing.ended);
if (statuses.some((status) => status !== 0)) process.exitCode = 1;
const found = [waiting.found(), computing.found()].filter(Boolean);
const sum = (key) => found.reduce((total, each) => total + each[key], 0);
const slowest = found
	.flatMap(({ testResults }) => testResults)
	.flatMap(({ name, assertionResults }) =>
		assertionResults.map(({ fullName, duration }) => ({ name, fullName, duration: duration ?? 0 })),
	)
	.sort((a, b) => b.duration - a.duration)
	.slice(0, 10);
console.log("\nslowest tests, by the clock and beside others");
for (const { name, fullName, duration } of slowest)
	console.log(`${(duration / 1000).toFixed(1).padStart(7)} s  ${relative(root, name)}: ${fullName}`);
console.log(
	`\n${sum("numPassedTests")} passed, ${sum("numFailedTests")} failed, ${sum("numPendingTests")} skipped`,
);
