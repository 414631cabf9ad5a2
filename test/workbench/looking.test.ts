/** The live view asks a method for its answer in the middle of a run: what comes out at the end is the same, to the last bit. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { inline } from "../../src/compute/index.ts";
import { readTable } from "../../src/data/index.ts";
import { defaultOptions, type Figure, type Method, methods, type Result } from "../../src/methods/index.ts";
import { parseModel } from "../../src/model/index.ts";
import { packJson, parseStudy, problemFromStudy, tablesOf } from "../../src/study/index.ts";
import type { FromEngine, LiveView } from "../../workbench/contract.ts";
import { LiveWatch } from "../../workbench/engine/live-watch.ts";
import { OnTheWay } from "../../workbench/engine/on-the-way.ts";

const folder = new URL("../../examples/papers/", import.meta.url);
const read = (path: string): Uint8Array => readFileSync(new URL(path, folder));

/** An example with one of the methods, ready to be advanced. */
async function prepared(id: string, name: string, given: Record<string, unknown>) {
	// The first part of a record is enough to look at.
	const text = new TextDecoder()
		.decode(read(`${id}/study.yaml`))
		.replace("train: 0..450\ntest: 450..676", "train: 0..150\ntest: 150..200")
		.replace("train: 0..40\ntest: 40..61", "train: 0..26\ntest: 26..36");
	const study = parseStudy(text, "study.yaml", methods);
	if (study.model.kind !== "file") throw new Error("the model is a file");
	const model = parseModel(new TextDecoder().decode(read(`${id}/${study.model.file}`)), study.model.file);
	const tables = await tablesOf(study, (file) => readTable(read(`${id}/${file}`), file));
	const problem = problemFromStudy(study, model, tables, inline);
	const method = methods.get(name) as Method;
	const options = { ...defaultOptions(method.options), ...given } as never;
	return { method, problem, options };
}

/** Runs an example; `look`: with its answer asked for at some steps. Gives the answer and how many looks saw something. */
async function run(
	id: string,
	name: string,
	given: Record<string, unknown>,
	look: boolean,
): Promise<{ result: Result; seen: number }> {
	const { method, problem, options } = await prepared(id, name, given);
	const state = await method.prepare(problem, options);
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

describe("before there is an answer", () => {
	const axes = { title: "", caption: "", xLabel: "", yLabel: "", section: "sure" } as const;

	/** Every figure that was to be seen while the method itself had none, by name, as they came. */
	async function early(id: string, name: string, given: Record<string, unknown>) {
		const { method, problem, options } = await prepared(id, name, given);
		const state = await method.prepare(problem, options);
		const onTheWay = new OnTheWay();
		const seen: string[] = [];
		const points: Record<string, number[]> = {};
		for (;;) {
			const { done } = await method.advance(state);
			if (done) return { seen: new Set(seen), points };
			onTheWay.note(method.glimpse(state));
			const { figures } = await method.result(state).catch(() => ({ figures: [] }));
			if (figures.length > 0) return { seen: new Set(seen), points };
			for (const { name: figure, marks } of onTheWay.figures) {
				seen.push(figure);
				const [first] = marks;
				points[figure] = [...(points[figure] ?? []), "x" in first ? first.x.length : 0];
			}
		}
	}

	it("a search for cycles shows what each start came to", { timeout: 120_000 }, async () => {
		const { seen } = await early("predator-prey", "periodic", { starts: 3 });
		expect(seen).toEqual(new Set(["starts"]));
	});

	it("a fit shows all its starts as they close in", { timeout: 120_000 }, async () => {
		const { seen, points } = await early("silverbox", "fit", { starts: 3 });
		expect(seen).toEqual(new Set(["closing-in"]));
		expect(points["closing-in"].at(-1)).toBeGreaterThan(points["closing-in"][0]);
	});

	it("an inversion shows the fit that closes in, then terms as they are taken out", {
		timeout: 120_000,
	}, async () => {
		const { seen, points } = await early("operating-conditions", "inversion", { stability: 0, starts: 1 });
		expect(seen).toEqual(new Set(["closing-in", "path", "path-criteria"]));
		expect(points.path.at(-1)).toBeGreaterThan(points.path[0]);
	});

	it("is sent at once when there is something", async () => {
		const sent: string[][] = [];
		const figure = { ...axes, name: "so far", marks: [] };
		let figures: Figure[] = [];
		const none = async () => {
			throw new Error("no answer yet");
		};
		const watch = new LiveWatch((event) =>
			sent.push((event as Extract<FromEngine, { event: "live" }>).live.figures.map(({ name }) => name)),
		);
		const run = { result: none, glimpse: () => ({ figures }) };
		await new Promise((next) => setTimeout(next, 300));
		await watch.look(run);
		expect(sent).toEqual([]);
		figures = [figure];
		await watch.look(run);
		expect(sent).toEqual([["so far"]]);
	});

	it("searches of another kind begin new lines", () => {
		const onTheWay = new OnTheWay();
		const note = (title: string, ...values: number[]): void =>
			onTheWay.note({ figures: [], levels: { name: "levels", title, yLabel: "", values } });
		for (const value of [3, 2, 2, 1]) note("fit: misfit", value, value + 1);
		expect(onTheWay.figures[0]).toMatchObject({
			title: "fit: misfit",
			marks: [
				{ x: [1, 2, 4], y: [4, 3, 2], role: "muted" },
				{ x: [1, 2, 4], y: [3, 2, 1], role: "model", label: "best" },
			],
		});
		note("inversion: misfit", 9, 8);
		expect(onTheWay.figures).toEqual([]);
		note("inversion: misfit", 7, Infinity);
		const [{ marks }] = onTheWay.figures;
		expect(marks).toMatchObject([{ y: [8] }, { y: [9, 7], role: "model" }]);
	});

	it("nothing is sent that shows nothing", async () => {
		const sent: LiveView[] = [];
		const empty = { figures: [], parameters: [], predictions: [], intervalName: "" } as unknown as Result;
		const watch = new LiveWatch((event) => sent.push((event as Extract<FromEngine, { event: "live" }>).live));
		const run = { result: async () => empty, glimpse: () => ({ figures: [] }) };
		await new Promise((next) => setTimeout(next, 300));
		await watch.look(run);
		expect(sent).toEqual([]);
	});
});
