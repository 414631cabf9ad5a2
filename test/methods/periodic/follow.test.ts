/** A parameter that drifts slowly over many periods, followed within its stated error; a few of what  npm run bench -- periodic  tells of more. */
import { describe, expect, test } from "vitest";
import { model, run } from "../../../src/index.ts";
import { type Course, driftingModel, driftingRecord, driftingStart, sharedTruth } from "./drifting.ts";
import { morrisLecar } from "./models.ts";

test("a random drift of gK of Morris–Lecar, and all that is shared, within their errors", async () => {
	const { data, course } = driftingRecord(24, 50, 1);
	const result = await run(model(driftingModel), data, { method: "periodic", start: driftingStart });
	expect(result.outcome).toBe("converged");
	expect(result.doubts).toEqual([]);
	const { parameter, t, value, sd } = result.summary.followed as Course;
	expect(parameter).toBe("gK");
	expect(t.length).toBeGreaterThan(5);
	// Errors hang together along the course and with those of the others: 16 numbers, beyond 4 once in a thousand sets.
	for (const [i, time] of t.entries()) expect(Math.abs(value[i] - course(time)) / sd[i]).toBeLessThan(4);
	for (const [name, truth] of Object.entries(sharedTruth)) {
		const { estimate, sd: error } = result.parameters.find((each) => each.name === name)!;
		expect(Math.abs(estimate - truth) / error!, name).toBeLessThan(4);
	}
	// The drift is told from a constant.
	const [first, last] = [course(t[0]), course(t[t.length - 1])];
	expect(Math.abs(value[0] - value[t.length - 1])).toBeCloseTo(Math.abs(first - last), 1);
	const figure = result.figures.find(({ name }) => name === "followed")!;
	expect(figure.marks.map(({ type }) => type)).toEqual(["band", "points", "line"]);
	expect(result.files.map(({ name }) => name)).toEqual(["followed.csv"]);
}, 300_000);

describe("refused in words", () => {
	test("a record that is too short to follow", async () => {
		const { data } = driftingRecord(9, 40, 2);
		await expect(
			run(model(driftingModel), data, { method: "periodic", start: driftingStart }),
		).rejects.toThrow(/periods long, and 18 at least are needed to follow gK/);
	});
	test("two parameters that drift", async () => {
		const { data } = driftingRecord(20, 40, 2);
		const two = morrisLecar.replace(
			"param gCa, gK,",
			"param gCa, gCa' in [-1, 1]\nparam gK, gK' in [-1, 1]\nparam ",
		);
		await expect(run(model(two), data, { method: "periodic" })).rejects.toThrow(/drift/);
	});
});
