/** Where test records start, by methods that fit initial values to them: the same, and with the noise that training found. */
import { describe, expect, test } from "vitest";
import { record } from "../../../src/data/data-record.ts";
import { run } from "../../../src/library/run.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";

const t = Array.from({ length: 41 }, (_, i) => 0.15 * i);
const path = t.map((at) => Math.exp(-0.7 * at));
/** Of one state, y is noisy and z is precise. */
const noisy = { y: 0.4, z: 0.05 };

function drawn(name: string, start: number) {
	const random = stream(5, name);
	return {
		t,
		y: path.map((x, i) => start * x + noisy.y * random.normal(i)),
		z: path.map((x, i) => 5 * start * x + noisy.z * random.normal(1000 + i)),
	};
}

const tail = (law: (value: string) => string) =>
	`state x\nx' = FORM\nmeasure y ${law("x")}\nmeasure z ${law("5*x")}`;
const plain = tail((value) => `= ${value}`);
const quick = { stability: 0, starts: 0, profile: false };
const methods = [
	["fit", "param k\n", "-k*x", {}],
	["inversion", "unknown f(x) = library(x)\n", "f(x)", quick],
] as const;

describe("two outputs of one state, eight times as precise one as the other", () => {
	const [train, other] = [drawn("train", 2), drawn("test", 3)];

	test.each(methods)("%s weighs them as training found their noise", async (method, head, form, options) => {
		const model = parseModel(head + plain.replace("FORM", form), "two.ode");
		const { predictions, doubts } = await run(model, record(train), {
			method,
			options,
			test: record(other),
			seed: 1,
		});
		const z = predictions.find(({ part, output }) => part === "test" && output === "z")!;
		// Least squares with the true weights, the decay known.
		const [wy, wz] = [1 / noisy.y ** 2, 1 / noisy.z ** 2];
		const products = path.reduce((sum, x, i) => sum + x * (wy * other.y[i] + 5 * wz * other.z[i]), 0);
		const best = products / path.reduce((sum, x) => sum + x * x * (wy + 25 * wz), 0);
		expect(Math.abs(z.y[0] / 5 - best)).toBeLessThan(0.01);
		const squares = z.data!.t.reduce((sum, at, k) => sum + (z.y[z.t.indexOf(at)] - z.data!.y[k]) ** 2, 0);
		expect(Math.sqrt(squares / t.length)).toBeLessThan(1.3 * noisy.z);
		expect(doubts.filter(({ code }) => code === "worse-on-test")).toEqual([]);
	});

	test.each(methods)(
		"%s: three samples that happen to lie on a curve are no more precise for that",
		async (method, head, form, options) => {
			const model = parseModel(head + plain.replace("FORM", form), "two.ode");
			const few = { t: t.slice(0, 3), y: path.slice(0, 3).map((x) => 2.6 * x), z: other.z.slice(0, 3) };
			const { predictions } = await run(model, record(train), {
				method,
				options,
				test: record(few),
				seed: 1,
			});
			const z = predictions.find(({ part, output }) => part === "test" && output === "z")!;
			expect(Math.abs(z.y[0] / 5 - 3)).toBeLessThan(0.05);
		},
	);

	test("a noise that varies with the state is taken as it is on the test record", async () => {
		const model = parseModel(
			`unknown f(x) = library(x)\nstate x\nx' = f(x)\nmeasure y ~ normal(x, 0.4 + 0.01*x)\nmeasure z ~ normal(5*x, 0.04 + 0.002*x)`,
			"varies.ode",
		);
		const { predictions } = await run(model, record(train), {
			method: "inversion",
			options: quick,
			test: record(other),
			seed: 1,
		});
		const z = predictions.find(({ part, output }) => part === "test" && output === "z")!;
		expect(Math.abs(z.y[0] / 5 - 3)).toBeLessThan(0.03);
	});
});
