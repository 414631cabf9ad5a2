// Everything that must hold: formatting and lint, types (with and without Node), tests. Does all its own set-up.
// With arguments, runs only the tests that they name: npm test -- test/model
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ensureEngines } from "./engines.mjs";
import { mustPackage, root, setUp, setUpPage, setUpTypes } from "./setup.mjs";
import { ensureSystemPrograms } from "./system.mjs";

setUp();
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
const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(results, "utf8"));
console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`);
