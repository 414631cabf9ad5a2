/** What is left of the data where a model cannot do what they do: the same share, in the same words. */
import { expect, test } from "vitest";
import { stream } from "../../../src/num/random.ts";
import { type Asked, ask, doubtOf, textOf } from "./one-record.ts";

const random = stream(5, "poor fit");
const t = Array.from({ length: 100 }, (_, i) => 0.1 * i);
const noise = t.map((_, i) => 0.02 * random.normal(i));

const law = "~ normal(x, 0.02)";
/** The terms of the model that is fitted, and no more: another set of them could leave another share. */
const textFor = (method: Asked): string => textOf(method, law).replace("polynomial(2)", "polynomial(1)");
const found = async (method: "fit" | "bayes" | "inversion", y: readonly number[]) =>
	doubtOf(await ask(method, law, t, y, textFor(method)), "poor-fit");

test("a swing in a model that can only relax: fit and inversion leave as much of it", async () => {
	const y = t.map((time, i) => 3 * Math.exp(-0.4 * time) * Math.cos(2 * time) + noise[i]);
	const titles: string[] = [];
	for (const method of ["fit", "inversion"] as const) {
		const doubt = await found(method, y);
		expect(doubt).toMatchObject({ grave: true, outputs: ["y"] });
		expect(doubt?.text).toMatch(
			/^Mean square of the residuals over the variance of the samples: y of record \(\d+ %\)\. /,
		);
		titles.push(doubt!.title);
	}
	expect(titles[0]).toMatch(/^The model leaves \d+ % of the variance of y unexplained$/);
	expect(titles[1]).toBe(titles[0]);
});

test("bayes leaves as much of it, but for what its prior asks", async () => {
	const y = t.map((time, i) => 3 * Math.exp(-0.4 * time) * Math.cos(2 * time) + noise[i]);
	const [own, other] = [await found("bayes", y), await found("fit", y)];
	expect(own).toMatchObject({ grave: true, outputs: ["y"] });
	const left = (title = ""): number => Number(/leaves (\d+) %/.exec(title)?.[1]);
	expect(Math.abs(left(own?.title) - left(other?.title))).toBeLessThanOrEqual(2);
});

test.each(["fit", "bayes", "inversion"] as const)(
	"%s has nothing to say of what it explains",
	async (method) => {
		const y = t.map((time, i) => 3 * Math.exp(-0.4 * time) + noise[i]);
		expect(await found(method, y)).toBeUndefined();
	},
);
