/** The examples of docs/interval.md run, and print what they say. */
import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { expect, it } from "vitest";
import * as odentify from "../../src/interval/index.ts";

const text = readFileSync(new URL("../../docs/interval.md", import.meta.url), "utf8");
const blocks = [...text.matchAll(/```js\n([\s\S]*?)```/g)].map((match) => match[1]);

it("has examples", () => {
	expect(blocks.length).toBeGreaterThan(2);
});

it.each(blocks.map((block, i) => [i + 1, block] as const))("example %i", (_, block) => {
	const body = block.replace(/import \{([^}]*)\} from "odentify\/interval";/g, "const {$1} = odentify;");
	const printed: string[] = [];
	const show = (...values: unknown[]): void => void printed.push(values.map((v) => inspect(v)).join(" "));
	new Function("odentify", "console", body)(odentify, { log: show });
	const promised = [...block.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map((match) => match[1]);
	expect(promised.length).toBeGreaterThan(0);
	expect(printed).toEqual(promised);
});
