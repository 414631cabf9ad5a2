// Everything that must hold: formatting and lint, types (with and without Node), tests. Does all its own set-up.
// With arguments, runs only the tests that they name: npm test -- test/model
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ensureEngines } from "./engines.mjs";
import { mustPackage, root, setUp, setUpPage, setUpTypes } from "./setup.mjs";
import { ensureSystemPrograms } from "./system.mjs";

setUp();
// The tests are of what was just built.
process.env.ODENTIFY_TEST = "built";
const chosen = process.argv.slice(2);
if (chosen.length > 0) {
	mustPackage("vitest", "run", ...chosen);
	process.exit(0);
}
ensureSystemPrograms();
ensureEngines();
setUpPage();
setUpTypes();
mustPackage("@biomejs/biome", "check", "--error-on-warnings", ".");
mustPackage("typescript", "--noEmit", "-p", "tsconfig.core.json");
mustPackage("typescript", "--noEmit", "-p", "tsconfig.test.json");
mustPackage("typescript", "--noEmit", "-p", "tsconfig.workbench.json");
mustPackage("knip");
const results = join(root, ".build", "test-results.json");
mustPackage("vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${results}`);
const { testResults, ...numbers } = JSON.parse(readFileSync(results, "utf8"));
const { numPassedTests, numFailedTests, numPendingTests } = numbers;
const slowest = testResults
	.flatMap(({ name, assertionResults }) =>
		assertionResults.map(({ fullName, duration }) => ({ name, fullName, duration: duration ?? 0 })),
	)
	.sort((a, b) => b.duration - a.duration)
	.slice(0, 10);
console.log("\nslowest tests");
for (const { name, fullName, duration } of slowest)
	console.log(`${(duration / 1000).toFixed(1).padStart(7)} s  ${relative(root, name)}: ${fullName}`);
console.log(`\n${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`);
