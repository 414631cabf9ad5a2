import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { methods } from "../../src/methods/registry.ts";
import { parseStudy } from "../../src/study/text/study-file.ts";

const text = readFileSync(new URL("../../docs/study-file.md", import.meta.url), "utf8");
const blocks = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, block]) => block);

describe("docs/study-file.md", () => {
	it("has examples", () => {
		expect(blocks.length).toBeGreaterThan(8);
	});
	it.each(blocks)("example %# is a study", (block) => {
		expect(() => parseStudy(block, "docs", methods)).not.toThrow();
	});
	it("explains every key", () => {
		// All keys that the parser knows stand in its message about one that it does not.
		const keysOf = (study: string): string[] => {
			try {
				parseStudy(study, "docs", methods);
			} catch (error) {
				return /The keys(?: of \S+)? are (.*)\./.exec((error as Error).message)![1].split(", ");
			}
			throw new Error("accepted");
		};
		const head = "model: m.ode\ndata: { file: r.csv, rate: 1 }\n";
		const all = [
			...keysOf(`${head}nothing: 1\n`),
			...keysOf("model: m.ode\ndata: { file: r.csv, rate: 1, nothing: 1 }\n"),
			...keysOf(`${head}simulate: { nothing: 1 }\n`),
			...keysOf("model: m.ode\ndata: { times: { to: 1, samples: 2, nothing: 1 } }\n"),
		];
		expect(all.length).toBeGreaterThan(25);
		for (const key of all) expect(text).toMatch(new RegExp(`\\b${key}\\b`));
	});
	it("lists every option of every method with its default", () => {
		for (const { options } of methods.values())
			for (const [name, spec] of Object.entries(options)) {
				const row = new RegExp(`^\\| +\`${name}\` +\\|.*\\| +${String(spec.default)} +\\|$`, "m");
				expect(text).toMatch(row);
			}
	});
});
