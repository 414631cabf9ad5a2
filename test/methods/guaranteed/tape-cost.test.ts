/** What an evaluation is counted for: a function costs what its coefficients do, however few terms a model has. */
import { expect, it } from "vitest";
import { TaylorSpace } from "../../../src/interval/taylor/taylor-model.ts";
import { tapeOf } from "../../../src/lower/interval/tape.ts";
import { costOf } from "../../../src/methods/guaranteed/flow/tape-cost.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";

const functions = "exp log sqrt sin cos tan asin acos atan sinh cosh tanh".split(" ");

function cost(expression: string): number {
	const model = parseModel(`state x = 0.5\nx' = ${expression}`, "m.ode");
	return costOf(tapeOf([model.rhs[0]], ["x"], { smooth: true }), new TaylorSpace(1, 0, 6), () => false);
}

it.each(functions)(
	"%s of a model with few terms is counted as more than seven products of models",
	(name) => {
		const plain = cost("x");
		expect(cost(`${name}(x)`) - plain).toBeGreaterThan(7 * (cost("x*x*x") - cost("x*x")));
	},
);
it("powers that are not whole cost most: each of their coefficients is a power by itself", () => {
	expect(cost("x^0.3")).toBeGreaterThan(3 * cost("exp(x)"));
});
