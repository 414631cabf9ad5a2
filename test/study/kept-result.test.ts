/** result.json, whole and with each of its parts exchanged for something else: read and drawn, or refused in words. */

import { describe, expect, it } from "vitest";
import { InputError } from "../../src/errors.ts";
import { reportPage } from "../../src/report/page.ts";
import { compareEvidence } from "../../src/study/compare-evidence.ts";
import { keptResult } from "../../src/study/kept-result.ts";
import { packJson } from "../../src/study/packed-json.ts";
import { sampleReport, sampleResult } from "../report/sample-report.ts";

const { title, records, noise, seed, seconds, finished, version } = sampleReport(20);
const kept = {
	result: {
		...sampleResult(20),
		summary: { logEvidence: -3, runs: [{ logEvidence: -3 }, { logEvidence: -4 }], filter: { q: 2 } },
		comparison: {
			answers: [sampleResult(20)].map(({ method, outcome, message, answered, parameters, intervalName }) => ({
				method,
				outcome,
				message,
				answered,
				parameters,
				intervalName,
			})),
			refusals: [{ method: "bayes", why: "no law" }],
			agreement: [{ parameter: "m", verdict: "agree", why: "near", methods: ["fit"] }],
		},
	},
	facts: { title, records, noise, seed, seconds, finished, version, nSamples: 20 },
};

/** What the commands do with a result. */
function use(text: string): void {
	const { result, facts } = keptResult(text, "run/result.json");
	reportPage({
		...facts,
		accent: { light: "#000", dark: "#fff", terminal: "blue" },
		result,
		equations: [],
		study: "",
		references: result.references,
		files: result.files.map(({ name }) => name),
	});
	facts.finished.split("-");
	const both = ["a", "b"].map((run) => ({ run, result }));
	compareEvidence(both);
}

/** All places of a value, outermost first. */
function placesIn(value: unknown, place: readonly string[] = []): (readonly string[])[] {
	if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return [place];
	return [place, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...place, key]))];
}

function exchanged(value: unknown, [key, ...rest]: readonly string[], other: unknown): unknown {
	if (key === undefined) return other;
	const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
	copy[key] = exchanged(copy[key], rest, other);
	return copy;
}

describe("result.json", () => {
	it("comes back as it was written", () => {
		expect(keptResult(packJson(kept), "f")).toEqual(kept);
		use(packJson(kept));
	});

	it.each(["", "null", "[]", "{}", '{"result":{},"facts":{}}', '"text"', "3"])(
		"of %j is refused",
		(value) => {
			const text = `{"format":"odentify packed JSON 1","columns":[],"value":${value || "0"}}`;
			expect(() => use(text)).toThrow(/^f?.*: is not a whole result: .* is no/);
		},
	);

	it("with any part exchanged is drawn or refused in words, never a bug", () => {
		const others = [null, 3, "text", {}, [], [3], true, Float64Array.of(1, 2), { length: 1e9 }];
		let refused = 0;
		for (const place of placesIn(kept))
			for (const other of others) {
				try {
					use(packJson(exchanged(kept, place, other)));
				} catch (error) {
					if (!(error instanceof InputError))
						throw new Error(`${place.join(".")} as ${JSON.stringify(other)}: ${error}`, { cause: error });
					refused++;
				}
			}
		expect(refused).toBeGreaterThan(500);
	});
});
