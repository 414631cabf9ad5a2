import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { build, Workplace } from "./odentify.ts";
import { decayFiles, decayStudy } from "./tiny-study.ts";

let place: Workplace;
beforeAll(build, 300_000);
afterEach(() => place?.clean());

describe("odentify cite", () => {
	it("prints the references that a run used, each as a whole entry", () => {
		place = new Workplace({ ...decayFiles, "study.yaml": decayStudy });
		expect(place.call("run", "study.yaml", "--out", "run").code).toBe(0);
		const { code, out } = place.call("cite", "run");
		expect(code).toBe(0);
		expect(out).toContain("@software{odentify,");
		expect(out).toContain("@article{raue2009,");
		const count = (letter: string): number => out.split(letter).length;
		expect(count("{")).toBe(count("}"));
		const { references } = JSON.parse(place.call("cite", "run", "--json").out);
		for (const { text, bibtex } of references) {
			expect(text).toMatch(/\d{4}/);
			expect(bibtex).toMatch(/^@\w+\{[\s\S]*\}$/);
		}
	});

	it("says what a folder without a result lacks", () => {
		place = new Workplace({ "empty/x": "" });
		const { code, err } = place.call("cite", "empty");
		expect(code).toBe(2);
		expect(err).toMatch(/empty/);
	});
});

describe("method: all", () => {
	it("prints the answers side by side, and writes them to the summary", () => {
		place = new Workplace({
			...decayFiles,
			"study.yaml": `${decayStudy}method: all\nbayes: { particles: 200 }\n`,
		});
		const { code, out } = place.call("run", "study.yaml", "--out", "run");
		expect(code).toBe(0);
		expect(out).toMatch(/fit +bayes/);
		expect(out).toMatch(/periodic +does not apply/);
		const summary = JSON.parse(place.text("run/summary.json"));
		expect(Object.keys(summary.methods)).toContain("guaranteed");
		expect(summary.agreement.map(({ parameter }: { parameter: string }) => parameter)).toContain("k");
		expect(place.text("run/report.html")).toMatch(/k: the methods (agree|contradict)/);
	}, 60_000);
});
