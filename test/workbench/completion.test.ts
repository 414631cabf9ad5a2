/** What the editor offers to write, and what it then writes. */
import { CompletionContext } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { errorDistributions, functionNames } from "../../src/model/index.ts";
import { checkModel } from "../../workbench/engine/check-model.ts";
import { completions } from "../../workbench/model/language.ts";

const { description } = await checkModel("param k\nstate x = 1\nx' = -k*x\nmeasure y = x", "model.ode");

/** What is offered behind a text. */
function offered(text: string) {
	const context = new CompletionContext(EditorState.create({ doc: text }), text.length, true);
	return completions(() => description)(context)?.options ?? [];
}

describe("completion", () => {
	it.each(["x' = ", "x' = -k*s", "measure y ~ n"])(
		"of functions and distributions writes their name, behind %j",
		(text) => {
			const calls = offered(text).filter(({ apply }) => apply !== undefined);
			expect(calls.length).toBeGreaterThan(5);
			for (const { label, apply } of calls) expect(apply).toBe(`${label}(`);
		},
	);

	it("offers every function in an expression, and the names of the model", () => {
		const labels = offered("x' = -k*").map(({ label }) => label);
		expect(labels).toEqual(expect.arrayContaining([...functionNames, "k", "x", "t"]));
	});

	it("offers distributions behind ~, and declarations at the start of a line", () => {
		expect(offered("param k ~ ").map(({ label }) => label)).toContain("normal");
		expect(offered("").map(({ label }) => label)).toContain("param");
		expect(offered("measure y ~ ").map(({ label }) => label)).toEqual([...errorDistributions.keys()]);
	});

	it("offers nothing in a comment", () => {
		expect(offered("x' = k # s")).toEqual([]);
	});
});
