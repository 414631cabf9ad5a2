/** The live view asks a method for its answer in the middle of a run: what comes out at the end is the same, to the last bit. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { inline } from "../../src/compute/index.ts";
import { readTable } from "../../src/data/index.ts";
import { defaultOptions, type Method, methods, type Result } from "../../src/methods/index.ts";
import { parseModel } from "../../src/model/index.ts";
import { packJson, parseStudy, problemFromStudy, tablesOf } from "../../src/study/index.ts";

const folder = new URL("../../examples/papers/", import.meta.url);
const read = (path: string): Uint8Array => readFileSync(new URL(path, folder));

/** Runs an example; `look`: with its answer asked for at some steps. Gives the answer and how many looks saw something. */
async function run(
	id: string,
	name: string,
	given: Record<string, unknown>,
	look: boolean,
): Promise<{ result: Result; seen: number }> {
	const study = parseStudy(new TextDecoder().decode(read(`${id}/study.yaml`)), "study.yaml", methods);
	if (study.model.kind !== "file") throw new Error("the model is a file");
	const model = parseModel(new TextDecoder().decode(read(`${id}/${study.model.file}`)), study.model.file);
	const tables = await tablesOf(study, (file) => readTable(read(`${id}/${file}`), file));
	const problem = problemFromStudy(study, model, tables, inline);
	const method = methods.get(name) as Method;
	const state = await method.prepare(problem, { ...defaultOptions(method.options), ...given } as never);
	let seen = 0;
	for (let step = 0; ; step++) {
		const { done } = await method.advance(state);
		if (done) return { result: await method.result(state), seen };
		if (!look || step % 7 !== 2) continue;
		try {
			const { figures, parameters } = await method.result(state);
			if (figures.length + parameters.length > 0) seen++;
		} catch {
			// Nothing to be seen yet.
		}
	}
}

describe("looking at a run changes nothing of it", () => {
	for (const [id, method, options] of [
		["silverbox", "bayes", { particles: 60 }],
		["silverbox", "fit", { starts: 2 }],
		["compartments", "guaranteed", {}],
		["operating-conditions", "inversion", { stability: 10, starts: 1 }],
		["lotka-volterra-field", "kriging", {}],
		["predator-prey", "periodic", {}],
	] as const)
		it(`${method} of ${id}`, { timeout: 120_000 }, async () => {
			const plain = await run(id, method, options, false);
			const looked = await run(id, method, options, true);
			const text = ({ result }: { result: Result }): string => {
				const { timing: _, ...summary } = result.summary as Record<string, unknown>;
				return packJson({ ...result, summary, message: "" });
			};
			expect(text(looked)).toBe(text(plain));
			// A search from one start shows nothing before it has ended.
			expect(looked.seen).toBeGreaterThanOrEqual(method === "periodic" ? 0 : 1);
		});
});
