/** Every example of the library is run as a user runs it: by Node, from the built package. */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { type Program, runPrograms } from "./programs.ts";

const folder = fileURLToPath(new URL("../../examples/library/", import.meta.url));

/** What each prints, with room for the last digit of estimates. */
const prints: Readonly<Record<string, RegExp>> = {
	"01-fit-a-decay.mjs": /^k = 0\.9\d ± 0\.0\d$/,
	"02-simulate.mjs": /^201 samples, largest deflection 1\.\d$/,
	"03-progress.mjs": /^done after \d+ steps: converged, \d+ iterations\nConverged; /,
	"04-bayes.mjs": /^r is 0\.\d\d, with 90 % of its probability in 0\.\d\d … 0\.\d\d$/,
	"05-guaranteed.mjs": /^proved: p lies between 0\.2\d\d and 0\.3\d\d$/,
	"06-several-experiments.mjs":
		/^h = 0\.2\d\nroom = 2\d\.\d\d\nT\(0\) of from 90 = \d+\.\d\d\nT\(0\) of from 55 = \d+\.\d\d$/,
	"07-kriging.mjs": /^Learned f from 121 observations\.[\s\S]*function-f\.csv$/,
	"08-inversion.mjs": /^f: 1\.00 y\ng: -[01]\.\d\d x\ng: [01]\.\d\d y\ng: -[01]\.\d\d x\^2\*y$/,
	"09-all.mjs": /^fit: k = 0\.\d+\nbayes: k = 0\.\d+\nguaranteed: k = 0\.\d+\n.* agree on every parameter\.$/,
	"10-cancel.mjs": /^model:2:7: unknown name "k"[\s\S]*\nthe run was cancelled$/,
};

test("every example is here", () => {
	expect(readdirSync(folder).sort()).toEqual(Object.keys(prints).sort());
});

let ended: Map<string, Program>;
beforeAll(() => {
	ended = runPrograms(Object.keys(prints).map((file) => `${folder}${file}`));
}, 300_000);

test.each(Object.entries(prints))("%s", (file, expected) => {
	const { printed, failed } = ended.get(`${folder}${file}`)!;
	expect(failed).toBeUndefined();
	expect(printed.trim()).toMatch(expected);
});
