/** Doses of a record: lists, and files as pharmacologists write them; held against the solution by hand. */
import { describe, expect, it } from "vitest";
import { inline } from "../../src/compute/inline.ts";
import { readCsv } from "../../src/data/csv/csv.ts";
import { methods } from "../../src/methods/registry.ts";
import { Session } from "../../src/methods/session.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { problemFromStudy } from "../../src/study/problem-from-study.ts";
import { simulateStudy } from "../../src/study/simulate/simulate-study.ts";
import { StudyError } from "../../src/study/text/study-error.ts";
import { parseStudy } from "../../src/study/text/study-file.ts";
import { studyText } from "../../src/study/text/study-text.ts";

const oral = `param ka ~ lognormal(0, 1)
param k ~ lognormal(-2, 1)
param F ~ uniform(0.1, 1)
input u
state depot = 0
state centre = 0
depot' = F*u - ka*depot
centre' = ka*depot - k*centre
measure y ~ normal(centre, 0.05)
`;
const truth = { ka: 1.2, k: 0.15, F: 0.7 };
/** Amount in the centre at a time since one dose. */
const bateman = (t: number, amount: number, { ka, k, F } = truth): number =>
	t <= 0 ? 0 : ((F * amount * ka) / (ka - k)) * (Math.exp(-k * t) - Math.exp(-ka * t));

const parsed = (text: string) => parseStudy(text, "s.yaml", methods);
const tables = (csv: string) => new Map([["r.csv", readCsv(new TextEncoder().encode(csv), "r.csv")]]);
const simulated = (text: string, model = oral, csv = "t\n0\n") =>
	simulateStudy(parsed(text), parseModel(model, "m.ode"), tables(csv));
const column = (run: ReturnType<typeof simulated>[number], name: string) =>
	run.columns.find((each) => each.name === name)!.values;
const asked = (study: string, csv: string, model = oral) =>
	problemFromStudy(parsed(study), parseModel(model, "m.ode"), tables(csv), inline);

function message(study: string, csv: string, model = oral): string {
	try {
		asked(study, csv, model);
	} catch (error) {
		return (error as Error).message;
	}
	throw new Error("accepted");
}

const set = "set: { ka: 1.2, k: 0.15, F: 0.7 }\n";

it("a dose in a row before the start that was asked for is refused", () => {
	const csv = "t,AMT,y\n-1,100,\n0,,0.5\n1,,2\n2,,1.5\n";
	const study = (start: string) =>
		`model: m.ode\ndata: { file: r.csv, time: t, ${start}doses: { u: AMT } }\n`;
	expect(message(study("start: 0, "), csv)).toMatch(
		/ r\.csv: has a dose at -1, before the record starts at 0/,
	);
	expect(asked(study(""), csv).train[0].times[0]).toBe(-1);
});

it("a column of amounts that is not there is told once, and so is a compartment that nothing goes into", () => {
	const csv = "ID,t,AMT,CMT,y\n1,0,100,1,\n1,1,,2,2\n1,2,,2,1.5\n2,0,50,1,\n2,1,,2,2\n2,2,,2,1\n";
	const study = (doses: string) =>
		`model: m.ode\ndata: { file: r.csv, time: t, group: ID, doses: ${doses} }\n`;
	expect(message(study("{ u: DOSE }"), csv).match(/has no column DOSE/g)).toHaveLength(1);
	expect(message(study("{ u: { amount: AMT, compartment: 7 } }"), csv)).toMatch(
		/no dose goes into the compartment 7, and so nothing into u[\s\S]*CMT is 1 or 2 there/,
	);
	expect(asked(study("{ u: { amount: AMT, compartment: 1 } }"), csv).train).toHaveLength(2);
});

describe("columns that a study says nothing of", () => {
	const plain = `param k ~ lognormal(-2, 1)\nstate c = 100\nc' = -k*c\nmeasure y ~ normal(c, 0.05)\n`;
	const study = (more = "") => `model: m.ode\ndata: { file: r.csv, time: t${more} }\n`;
	const dosed = "t,AMT,y\n0,100,0\n1,0,2\n2,0,1.5\n";

	it("rows of doses are refused, by AMT or by EVID, unless they are to be left aside", () => {
		expect(message(study(), dosed, plain)).toMatch(
			/one row is a dose \(AMT\), and the study does not say where they go[\s\S]*doses: \{ c: AMT \}[\s\S]*doses: \{\}/,
		);
		const events = "t,dose,evid,y\n0,100,1,0\n1,0,0,2\n1.5,100,1,0\n2,0,0,1.5\n";
		expect(message(study(", columns: { y: y }"), events, plain)).toMatch(/2 rows are doses \(EVID\)/);
		expect(message(study(), dosed.replace("AMT", "amt"), plain)).toMatch(/one row is a dose/);
		const aside = study(", doses: {}");
		expect(asked(aside, dosed, plain).train[0].outputs.get("y")!.values).toHaveLength(3);
		expect(studyText(parsed(aside), plain, methods, (file) => file)).toContain("doses: {}");
	});

	it("an amount that the study uses, or that all rows have, is none", () => {
		const fed = `param k ~ lognormal(-2, 1)\ninput u\nstate c = 0\nc' = u - k*c\nmeasure y ~ normal(c, 0.05)\n`;
		expect(asked(study(", columns: { u: AMT }"), dosed, fed).train).toHaveLength(1);
		expect(asked(study(), "t,AMT,y\n0,5,3\n1,5,2\n2,5,1\n", plain).train).toHaveLength(1);
	});

	it("an amount in a row that is a sample by its EVID is refused", () => {
		const csv = "t,AMT,EVID,y\n0,100,1,\n1,100,0,2\n2,0,0,1.5\n";
		expect(message(study(", doses: { c: AMT }"), csv, plain)).toMatch(
			/has an amount in row 1, which is no dose by its EVID/,
		);
	});

	it("samples of several kinds in one column are refused", () => {
		const csv = "t,AMT,CMT,y\n0,100,1,\n1,0,2,2\n1,0,3,80\n2,0,2,1.5\n";
		const drug = study(", doses: { c: { amount: AMT, compartment: 1 } }");
		expect(message(drug, csv, plain)).toMatch(
			/the column y holds samples of several kinds, CMT 2 and 3, and y is one/,
		);
		expect(message(study(), "t,DVID,y\n0,1,3\n1,2,80\n2,1,1\n", plain)).toMatch(/DVID 1 and 2/);
		expect(asked(drug, csv.replace("1,0,3,80\n", ""), plain).train).toHaveLength(1);
		const wide = "t,CMT,y,z\n0,1,3,\n1,2,,80\n2,1,1,\n";
		expect(
			asked(study(), wide, `${plain}measure z ~ normal(30*c, 1)\n`).train[0].outputs.get("y")!.values,
		).toHaveLength(2);
	});
});

describe("doses that are listed", () => {
	// Each is followed by a rest, the longer the faster it goes; a multiple of the tolerance for what steps add up to.
	it.each([0.02, 0.3, 2, 3, 7, 100])(
		"are followed within the tolerance, two hundred of them, at the rate %d",
		(k) => {
			const model = `param k = ${k}\ninput u\nstate c = 0\nc' = u - k*c\nmeasure y = c\n`;
			const doses = "{ u: [{ time: 0, amount: 200, more: 199, every: 12 }] }";
			const times = "{ from: 0, to: 1652, step: 0.1 }";
			const [run] = simulated(`model: m.ode\ndata: { times: ${times}, doses: ${doses} }\n`, model);
			let worst = 0;
			column(run, "t").forEach((t, i) => {
				// A sample at the very time of a dose is taken before it.
				const last = Math.max(0, Math.ceil(t / 12 - 1e-9) - 1);
				const left = Math.expm1(-k * 12 * (last + 1)) / Math.expm1(-k * 12);
				const exact = t > 0 ? 200 * left * Math.exp(-k * (t - 12 * last)) : 0;
				worst = Math.max(worst, Math.abs(column(run, "y")[i] - exact) / (1e-10 + 1e-8 * exact));
			});
			expect(worst).toBeLessThan(100);
		},
	);

	it("add up, boluses and infusions, as the linear solution says", () => {
		const [run] = simulated(
			`model: m.ode\ndata: { times: { from: 0, to: 20, samples: 41 }, doses: { u: [{ time: 0, amount: 10 }, { time: 6, amount: 4, more: 2, every: 5 }] } }\n${set}`,
		);
		const t = column(run, "t");
		const y = column(run, "centre");
		t.forEach((at, i) => {
			const exact = bateman(at, 10) + [6, 11, 16].reduce((sum, from) => sum + bateman(at - from, 4), 0);
			expect(Math.abs(y[i] - exact)).toBeLessThan(2e-6);
		});
		// A sample at the time of a dose is taken before it.
		const depot = column(run, "depot");
		expect(depot[0]).toBe(0);
		expect(depot[1]).toBeCloseTo(7 * Math.exp(-1.2 * 0.5), 6);
		expect(depot[t.indexOf(6)]).toBeCloseTo(7 * Math.exp(-1.2 * 6), 6);
	});

	it("last as long as they say, into a state by its name", () => {
		const model = "param k\nstate x = 0\nx' = -k*x\nmeasure y = x\n";
		const study = `model: m.ode\ndata: { times: { from: 0, to: 8, samples: 33 }, doses: { x: [{ time: 1, amount: 6, duration: 2 }, { time: 5, amount: 3 , rate: 2 }] } }\nset: { k: 0.4 }\n`;
		const [run] = simulated(study, model);
		const x = column(run, "x");
		const infused = (t: number, rate: number, length: number): number => {
			if (t <= 0) return 0;
			const during = (rate / 0.4) * (1 - Math.exp(-0.4 * Math.min(t, length)));
			return during * Math.exp(-0.4 * Math.max(t - length, 0));
		};
		column(run, "t").forEach((t, i) => {
			expect(Math.abs(x[i] - infused(t - 1, 3, 2) - infused(t - 5, 2, 1.5))).toBeLessThan(1e-6);
		});
		// The rate is shown by the name that the study gives it.
		expect(run.columns.filter(({ kind }) => kind === "input").length).toBe(1);
	});

	it("are written again as they were read", () => {
		const text = `model: m.ode\ndata: { file: r.csv, time: t, doses: { u: [{ time: 0, amount: 10, every: 12, steady: true }], depot: { amount: AMT, compartment: 2 } } }\n`;
		const again = parsed(studyText(parsed(text), oral, methods, (file) => file));
		expect(again.records[0].doses).toEqual({ u: [{ time: 0, amount: 10, every: 12, steady: true }] });
		expect(again.records[0].doseColumns).toEqual({ depot: { amount: "AMT", compartment: 2 } });
	});
});

/** Subject 1: a bolus at 0, three more every 12, an infusion; subject 2: a dose, a reset with a dose. */
const pharmacological = `ID,TIME,AMT,RATE,EVID,CMT,ADDL,II,DV
1,0,10,.,1,1,.,.,.
1,1,.,.,0,2,.,.,3
1,12,5,.,1,1,1,6,.
1,12,.,.,0,2,.,.,1
1,13,.,.,0,2,.,.,2
1,19,.,.,0,2,.,.,2
1,20,8,4,1,1,.,.,.
1,22,.,.,0,2,.,.,2
2,0,10,.,1,1,.,.,.
2,1,.,.,0,2,.,.,3
2,2,.,.,0,2,.,.,3
2,10,20,.,4,1,.,.,.
2,11,.,.,0,2,.,.,5
2,12,.,.,0,2,.,.,5
`;
const fromFile =
	"model: m.ode\ndata: { file: r.csv, time: TIME, group: ID, columns: { y: DV }, doses: { u: AMT } }\n";

describe("doses in the rows of a file", () => {
	it("are doses, and their rows are no samples; a reset begins a record", () => {
		const { train } = asked(fromFile, pharmacological);
		expect(train.map(({ name, unit }) => [name, unit])).toEqual([
			["ID 1", undefined],
			["ID 2", "ID 2"],
			["ID 2, from 10", "ID 2"],
		]);
		expect(train.map(({ times }) => [...times])).toEqual([
			[0, 1, 12, 13, 19, 22],
			[0, 1, 2],
			[10, 11, 12],
		]);
		const given = train[0].inputs.get("u#given")!;
		expect([0, 11, 12, 17.9, 18, 30].map((t) => given.at(t))).toEqual([10, 10, 15, 15, 20, 20]);
		// The sample at 12 stands below the dose: it was taken after it.
		const seen = train[0].inputs.get("u#seen")!;
		expect([0, 12, 18].map((t) => seen.at(t))).toEqual([0, 15, 15]);
		const rate = train[0].inputs.get("u#rate")!;
		expect([19, 20, 21.9, 22].map((t) => rate.at(t))).toEqual([0, 4, 4, 0]);
	});

	it("have intervals and rates in the units of their times", () => {
		const { train } = asked(fromFile.replace("doses:", "factors: { t: 2 }, doses:"), pharmacological);
		const { inputs } = train[0];
		expect([24, 35.9, 36].map((t) => inputs.get("u#given")!.at(t))).toEqual([15, 15, 20]);
		expect([39, 40, 43.9, 44].map((t) => inputs.get("u#rate")!.at(t))).toEqual([0, 2, 2, 0]);
	});

	it("in a steady state are as if they had been given for ever, and begin a record", () => {
		const csv =
			"TIME,AMT,EVID,SS,II,DV\n0,3,1,0,0,.\n1,.,0,.,.,1\n2,.,0,.,.,1\n24,10,1,1,12,.\n25,.,0,.,.,8\n30,.,0,.,.,4\n";
		const runs = simulated(
			`model: m.ode\ndata: { file: r.csv, time: TIME, columns: { y: DV }, doses: { u: AMT } }\n${set}`,
			oral,
			csv,
		);
		expect(runs.length).toBe(2);
		const [first, steady] = runs.map((run) => {
			const t = column(run, "t");
			return (at: number) => column(run, "centre")[t.indexOf(at)];
		});
		expect(first(2)).toBeCloseTo(bateman(2, 3), 5);
		for (const t of [1, 6]) {
			const exact = Array.from({ length: 200 }, (_, j) => bateman(t + 12 * j, 10)).reduce((a, b) => a + b);
			expect(steady(24 + t)).toBeCloseTo(exact, 5);
		}
	});

	it("need no EVID: a row with an amount and no sample is a dose", () => {
		const { train } = asked(
			"model: m.ode\ndata: { file: r.csv, time: t, doses: { u: dose } }\n",
			"t,dose,y\n0,5,\n1,,2\n2,3,1\n3,,2\n",
		);
		expect([...train[0].times]).toEqual([0, 1, 2, 3]);
		expect([...train[0].outputs.get("y")!.times]).toEqual([1, 2, 3]);
		expect(train[0].inputs.get("u#seen")!.at(2)).toBe(5);
	});

	it.each([
		[
			"a dose before the start",
			"model: m.ode\ndata: { file: r.csv, time: t, doses: { u: [{ time: -1, amount: 1 }] } }\n",
			"t,y\n0,1\n1,2\n",
			/dose at -1, before the record starts at 0.*\n?.*start: -1/,
		],
		[
			"no place",
			"model: m.ode\ndata: { file: r.csv, time: t, doses: { gut: [{ time: 0, amount: 1 }] } }\n",
			"t,y\n0,1\n1,2\n",
			/go nowhere.*no input or state.*It has u, depot, centre/s,
		],
		[
			"a missing column",
			"model: m.ode\ndata: { file: r.csv, time: t, doses: { u: AMT } }\n",
			"t,y\n0,1\n1,2\n",
			/has no column AMT/,
		],
		[
			"a steady state of what is never repeated",
			fromFile,
			pharmacological.replace("ADDL", "SS").replace("1,0,10,.,1,1,.,.,.", "1,0,10,.,1,1,1,.,."),
			/SS 1 with II 0 in row 0/,
		],
		[
			"two compartments",
			fromFile,
			pharmacological.replace("1,12,5,.,1,1", "1,12,5,.,1,2"),
			/compartments 1 and 2/,
		],
		[
			"one sample",
			fromFile,
			`${pharmacological}3,0,10,.,1,1,.,.,.\n3,1,.,.,0,2,.,.,4\n`,
			/ID 3.*has one sample only.*except/s,
		],
		[
			"half a dose",
			"model: m.ode\ndata: { file: r.csv, time: t, doses: { u: [{ time: 0 }] } }\n",
			"t,y\n0,1\n1,2\n",
			/a dose needs its time and its amount/,
		],
	])("%s is refused clearly", (_, study, csv, words) => {
		expect(message(study, csv)).toMatch(words);
	});

	it("boluses into what is not linear are refused, infusions are not", () => {
		const model = "param k\ninput u\nstate x = 1\nx' = -k*x + sqrt(u)\nmeasure y ~ normal(x, 0.1)\n";
		const csv = "t,y\n0,1\n1,2\n";
		const study = (dose: string) => `model: m.ode\ndata: { file: r.csv, time: t, doses: { u: [${dose}] } }\n`;
		expect(message(study("{ time: 0, amount: 1 }"), csv, model)).toMatch(/not a constant times u/);
		expect(asked(study("{ time: 0, amount: 1, duration: 2 }"), csv, model).train.length).toBe(1);
	});
});

describe("methods", () => {
	const doses =
		"doses: { u: [{ time: 0, amount: 10 }, { time: 5, amount: 10 }, { time: 9, amount: 6, duration: 1.5 }] }";
	const t = Array.from({ length: 60 }, (_, i) => 0.25 * (i + 1));
	const made = () => {
		const [run] = simulated(
			`model: m.ode\ndata: { times: { from: 0, to: 15, samples: 61 }, ${doses} }\n${set}simulate: { noise: true }\nseed: 4\n`,
		);
		const y = column(run, "y");
		return `t,y\n${t.map((at, i) => `${at},${y[i + 1]}`).join("\n")}\n`;
	};
	const study = (method: string) =>
		`model: m.ode\ndata: { file: r.csv, time: t, start: 0, ${doses} }\nmethod: ${method}\n`;

	const answerOf = async (method: string, options = {}) => {
		const problem = asked(study(method), made());
		const session = await Session.begin({ method: methods.get(method)!, problem, options });
		while (!(await session.advance()).done);
		return session.result();
	};

	it("fit finds what it was made with, a bioavailability as well", async () => {
		const { parameters } = await answerOf("fit", { starts: 2 });
		for (const { name, estimate: value, sd } of parameters) {
			const z = (value - truth[name as keyof typeof truth]) / sd!;
			expect(Math.abs(z)).toBeLessThan(3.3);
			expect(sd! / value).toBeLessThan(0.05);
		}
	});

	it("bayes finds the same", async () => {
		const { parameters } = await answerOf("bayes", { particles: 200, runs: 1 });
		for (const { name, estimate: value, sd } of parameters)
			expect(Math.abs(value - truth[name as keyof typeof truth]) / sd!).toBeLessThan(3.5);
	});

	it("others refuse, with a reason", async () => {
		const problem = asked(study("periodic"), made());
		await expect(Session.begin({ method: methods.get("periodic")!, problem })).rejects.toThrow(
			/records have doses/,
		);
	});

	it("a bad study is one error with its place", () => {
		expect(() => parsed("model: m.ode\ndata: { file: r.csv, doses: { u: 5 } }\n")).toThrow(StudyError);
	});
});
