/** Doses in a steady state, held against series by hand: at every rate, slow ones as well. */
import { describe, expect, it } from "vitest";
import { inline } from "../../src/compute/inline.ts";
import { readCsv } from "../../src/data/csv/csv.ts";
import { simulate } from "../../src/library/simulate.ts";
import { methods } from "../../src/methods/registry.ts";
import { Session } from "../../src/methods/session.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { recordLines } from "../../src/report/record-lines.ts";
import { problemFromStudy } from "../../src/study/problem-from-study.ts";
import { simulateStudy } from "../../src/study/simulate/simulate-study.ts";
import { parseStudy } from "../../src/study/text/study-file.ts";

const study = (text: string, csv: string, model: string) => ({
	parsed: parseStudy(text, "s.yaml", methods),
	model: parseModel(model, "m.ode"),
	tables: new Map([["r.csv", readCsv(new TextEncoder().encode(csv), "r.csv")]]),
});
function simulated(text: string, csv: string, model: string) {
	const { parsed, model: own, tables } = study(text, csv, model);
	return simulateStudy(parsed, own, tables);
}
const column = (run: ReturnType<typeof simulated>[number], name: string) =>
	run.columns.find((each) => each.name === name)!.values;

const oral = `param ka, k
input u
state depot = 0
state centre = 0
depot' = u - ka*depot
centre' = ka*depot - k*centre
measure y ~ normal(centre, 0.05)
`;
/** Amount in the centre, t after the last of doses that are repeated for ever. */
const repeated = (t: number, every: number, ka: number, k: number): number => {
	const part = (rate: number): number => Math.exp(-rate * t) / -Math.expm1(-rate * every);
	return (ka / (ka - k)) * (part(k) - part(ka));
};

const asked = (rest: string): string =>
	`model: m.ode\ndata: { file: r.csv, time: TIME, columns: { y: DV }, doses: { u: AMT } }\n${rest}`;

describe("a steady state of doses", () => {
	it.each([1e-7, 1e-4, 0.003, 0.01, 0.04, 0.2, 0.9, 7])("is one at the rate %d", (k) => {
		const csv = "TIME,AMT,EVID,SS,II,DV\n0,320,1,1,4,.\n0.5,.,0,.,.,1\n1,.,0,.,.,1\n3.9,.,0,.,.,1\n";
		const [run] = simulated(asked(`set: { ka: 1.1, k: ${k} }\n`), csv, oral);
		expect([...column(run, "t")]).toEqual([0.5, 1, 3.9]);
		column(run, "t").forEach((t, i) => {
			const exact = 320 * repeated(t, 4, 1.1, k);
			expect(Math.abs(column(run, "y")[i] / exact - 1)).toBeLessThan(3e-6);
		});
	});

	it("of infusions, one after another or over one another, is the mean of that of boluses", () => {
		const model = "param k\nstate x = 0\nx' = -k*x\nmeasure y ~ normal(x, 1)\n";
		const m = parseModel(model, "m.ode");
		// What is left at t of boluses of unit rate over [0, length], repeated for ever.
		const exact = (t: number, k: number, every: number, length: number): number => {
			let [sum, at] = [0, t];
			// Infusions that still run.
			for (; at < length; at += every) sum += -Math.expm1(-k * at) / k;
			return sum + (Math.exp(-k * (at - length)) * -Math.expm1(-k * length)) / k / -Math.expm1(-k * every);
		};
		for (const [every, duration] of [
			[12, 2],
			[12, 12],
			[12, 31],
			[5, 0.1],
		])
			for (const k of [1e-5, 0.01, 0.3]) {
				const doses = { x: [{ time: 0, amount: 6 * duration, duration, every, steady: true }] };
				const { columns } = simulate(m, { times: [0, 1, 4.5], values: { k }, doses });
				columns.y.forEach((y, i) => {
					const t = columns.t[i];
					expect(Math.abs(y / (6 * exact(t, k, every, duration)) - 1)).toBeLessThan(3e-6);
				});
			}
	});

	it("adds up: two intervals, two places, production of its own", () => {
		const model = parseModel(
			"param k\nstate a = 0\nstate b = 1\na' = 2 - k*a + 0.1*b\nb' = -0.7*b\nmeasure y ~ normal(a, 1)\n",
			"m.ode",
		);
		const at = (doses: Record<string, { amount: number; every: number }[]>, k: number) =>
			simulate(model, {
				times: [0, 3, 11],
				values: { k },
				doses: Object.fromEntries(
					Object.entries(doses).map(([place, list]) => [
						place,
						list.map((dose) => ({ ...dose, time: 0, steady: true })),
					]),
				),
			}).columns.y;
		for (const k of [0.002, 0.1]) {
			const y = at(
				{
					a: [
						{ amount: 3, every: 24 },
						{ amount: 5, every: 15 },
					],
					b: [{ amount: 10, every: 12 }],
				},
				k,
			);
			[0, 3, 11].forEach((t, i) => {
				// A sample at the time of a dose is taken before it.
				const own = (every: number): number => Math.exp(-k * (t || every)) / -Math.expm1(-k * every);
				const through = (every: number): number => (0.1 / 0.7) * repeated(t || every, every, 0.7, k);
				const exact = 2 / k + 3 * own(24) + 5 * own(15) + 10 * through(12);
				expect(Math.abs(y[i] / exact - 1)).toBeLessThan(3e-6);
			});
		}
	});

	const kept = Array.from({ length: 24 }, (_, i) => 1 + 14 * i);
	const slow = `param k ~ lognormal(log(0.001), 1), V ~ lognormal(log(60), 1)
input u
state c = 0
c' = u - k*c
measure y ~ normal(c/V, 0.03*c/V)
`;
	// Half-life 40 days, a dose a day: forty doses are half of the way.
	const rate = Math.log(2) / 960;
	const measured = (() => {
		const at = (t: number): number => (200 / 60) * (Math.exp(-rate * t) / -Math.expm1(-rate * 24));
		const rows = kept.map((t, i) => `${t},${at(t) * (1 + 0.03 * Math.sin(1 + 7.3 * i * i))},.,0,.,.`);
		return `TIME,DV,AMT,EVID,II,SS\n0,.,200,1,24,1\n${rows.join("\n")}\n`;
	})();

	it.each([
		["fit", { starts: 2 }],
		["bayes", { particles: 200, runs: 1 }],
	])("of a slow drug is found by %s, and what led to it is not shown", async (name, options) => {
		const { parsed, model, tables } = study(asked(`method: ${name}\n`), measured, slow);
		const problem = problemFromStudy(parsed, model, tables, inline);
		expect(recordLines(parsed, problem)[0]).toMatch(/t = 0 … 323/);
		const session = await Session.begin({ method: methods.get(name)!, problem, options });
		while (!(await session.advance()).done);
		const { parameters, predictions, doubts } = await session.result();
		const volume = parameters.find((each) => each.name === "V")!;
		expect(Math.abs(volume.estimate - 60)).toBeLessThan(3.5 * volume.sd!);
		expect(volume.sd!).toBeLessThan(10);
		expect(predictions[0].t[0]).toBeGreaterThanOrEqual(0);
		expect(predictions[0].y.length).toBe(predictions[0].t.length);
		expect(doubts.map(({ code }) => code)).not.toContain("steady-state");
	});

	it("stands beside records that have none", () => {
		const csv =
			"ID,TIME,AMT,EVID,SS,II,DV\n1,0,320,1,1,4,.\n1,0.5,.,0,.,.,1\n1,2,.,0,.,.,1\n2,0,320,1,0,0,.\n2,0.5,.,0,.,.,1\n2,2,.,0,.,.,1\n";
		const runs = simulated(
			asked("set: { ka: 1.1, k: 0.01 }\n").replace("time:", "group: ID, time:"),
			csv,
			oral,
		);
		const once = (t: number): number => (1.1 / 1.09) * 320 * (Math.exp(-0.01 * t) - Math.exp(-1.1 * t));
		expect(column(runs[0], "y")[1]).toBeCloseTo(320 * repeated(2, 4, 1.1, 0.01), 1);
		expect(column(runs[1], "y")[2]).toBeCloseTo(once(2), 4);
	});
});

describe("linear equations that do not fade", () => {
	const text = (rest: string) =>
		`model: m.ode\ndata: { file: r.csv, time: TIME, doses: { c: AMT } }\n${rest}`;
	const growing = "param r ~ uniform(-0.2, 0.5)\nstate c = 0\nc' = r*c\nmeasure y ~ normal(c, 3)\n";
	const csv = (level: (t: number) => number) => {
		const rows = [1, 3, 5, 7, 9, 11].map((t, i) => `${t},.,0,.,.,${level(t) + 3 * Math.cos(5 * i)}`);
		return `TIME,AMT,EVID,SS,II,y\n0,200,1,1,12,.\n${rows.join("\n")}\n`;
	};
	const at = (model: string, values: string) => () =>
		simulated(
			text(`set: { ${values} }\n`),
			csv(() => 1),
			model,
		);

	it("have no steady state, and a simulation says so", () => {
		for (const r of [0.05, 0.1, 0])
			expect(at(growing, `r: ${r}`)).toThrow(/steady state of its doses.*there is none/);
		expect(at(growing, "r: -0.05")()[0].notes).toEqual([]);
	});

	it("are known by Hurwitz's conditions, and by the pivots of compartments", () => {
		const two = "param g, d\nstate c = 0, v = 0\nc' = v\nv' = -g*c - d*v\nmeasure y ~ normal(c, 1)\n";
		// A loop of delays: s = -1 + ∛(-g) and its turns, which fade below g = 8.
		const three =
			"param g\nstate c = 0, v = 0, w = 0\nc' = -c - g*w\nv' = c - v\nw' = v - w\nmeasure y ~ normal(c, 1)\n";
		// Around in a ring, where a part f comes back.
		const four =
			"param f\nstate c = 0, v = 0, w = 0, z = 0\nc' = f*z - c\nv' = c - v\nw' = v - w\nz' = w - z\nmeasure y ~ normal(c, 1)\n";
		for (const [model, steady, none] of [
			[two, "g: 1, d: 1", "g: 1, d: -0.1"],
			[two, "g: 0.01, d: 0.4", "g: -0.01, d: 0.4"],
			[three, "g: 4", "g: 8.5"],
			[four, "f: 0.98", "f: 1.02"],
		] as const) {
			expect(at(model, steady)()[0].notes).toEqual([]);
			expect(at(model, none)).toThrow(/there is none/);
		}
	});

	it.each([
		["fit", { starts: 6 }],
		["bayes", { particles: 200, runs: 1, netcdf: false }],
	])("are impossible for %s", async (method, options) => {
		// What the formula would say at the rate 0.05, if it were true there.
		const untrue = csv((t) => (-200 * Math.exp(0.05 * t)) / Math.expm1(0.6));
		const { parsed, model, tables } = study(text(""), untrue, growing);
		const problem = problemFromStudy(parsed, model, tables, inline);
		const session = await Session.begin({ method: methods.get(method)!, problem, options });
		while (!(await session.advance()).done);
		const { parameters } = await session.result();
		expect(parameters[0].estimate).toBeLessThan(0);
	});
});

describe("a steady state without a formula", () => {
	const model =
		"param most ~ lognormal(log(2), 0.5)\nstate x = 0\nx' = -most*x/(50 + x)\nmeasure y ~ normal(x, 1)\n";
	const csv = "TIME,AMT,EVID,SS,II,y\n0,20,1,1,12,.\n1,.,0,.,.,30\n5,.,0,.,.,25\n9,.,0,.,.,20\n";
	const text = (most: number) =>
		`model: m.ode\ndata: { file: r.csv, time: TIME, doses: { x: AMT } }\nset: { most: ${most} }\n`;
	/** From before a dose on: 50 log(x) + x falls by most*t, so that 50 log(1 + a/x) + a = 12 most. */
	const trough = (most: number): number => 20 / (Math.exp((12 * most - 20) / 50) - 1);
	const level = (most: number, t: number): number => {
		const start = trough(most) + 20;
		let x = start;
		for (let k = 0; k < 60; k++) x -= (50 * Math.log(x / start) + x - start + most * t) / (50 / x + 1);
		return x;
	};

	it("is the state that an interval of doses leads back to itself, however slowly doses lead there", () => {
		for (const most of [6, 1.75, 1.68]) {
			const [run] = simulated(text(most), csv, model);
			expect(run.notes).toEqual([]);
			for (const [i, t] of [1, 5, 9].entries())
				expect(column(run, "y")[i] / level(most, t)).toBeCloseTo(1, 5);
		}
	});

	it("is where very many doses lead, by mouth and by infusions, two intervals and two places", () => {
		const m = parseModel(
			"param ka, most, f\ninput u\nstate d = 0, x = 0\nd' = -ka*d\nx' = f*ka*d + u - most*x/(30 + x) - 0.01*x^2\nmeasure y ~ normal(x, 1)\n",
			"m.ode",
		);
		const values = { ka: 0.8, most: 9, f: 0.7 };
		const times = [0.5, 3, 7, 11, 20];
		const twelve = { amount: 40, every: 12 };
		const day = { amount: 60, duration: 5, every: 24 };
		const steady = simulate(m, {
			times: [0, ...times],
			values,
			doses: { d: [{ time: 0, steady: true, ...twelve }], u: [{ time: 0, steady: true, ...day }] },
		});
		const long = simulate(m, {
			times: [-2400, ...times],
			values,
			doses: {
				d: [{ time: -2400, more: 200, ...twelve }],
				u: [{ time: -2400, more: 100, ...day }],
			},
		});
		expect(steady.notes).toEqual([]);
		for (const [i] of times.entries())
			expect(steady.columns.x[i + 1] / long.columns.x[i + 1]).toBeCloseTo(1, 6);
	});

	it("is found for stiff equations too, which long steps cannot follow", () => {
		const m = parseModel(
			"param on\nstate x = 0, b = 0\nx' = -0.05*x - on*x*(3 - b) + b\nb' = on*x*(3 - b) - b - 0.2*b\nmeasure y ~ normal(x, 1)\n",
			"m.ode",
		);
		const values = { on: 500 };
		const dose = { amount: 5, every: 12 };
		const steady = simulate(m, {
			times: [0, 2, 8],
			values,
			doses: { x: [{ time: 0, steady: true, ...dose }] },
		});
		const long = simulate(m, {
			times: [-1200, 2, 8],
			values,
			doses: { x: [{ time: -1200, more: 100, ...dose }] },
		});
		expect(steady.notes).toEqual([]);
		for (const i of [1, 2]) expect(steady.columns.x[i] / long.columns.x[i]).toBeCloseTo(1, 5);
	});

	it("is one where nothing is left before the next dose", () => {
		const m = parseModel("param V\nstate c = 0\nc' = -V*c/(5 + c)\nmeasure y ~ normal(c, 0.5)\n", "m.ode");
		for (const V of [40, 60, 65, 90])
			expect(
				simulate(m, {
					times: [0, 1, 3, 8],
					values: { V },
					doses: { c: [{ time: 0, amount: 200, every: 12, steady: true }] },
				}).notes,
			).toEqual([]);
	});

	it("is found where nothing is left before the next dose", async () => {
		const gone = "param V ~ lognormal(4, 0.5)\nstate x = 0\nx' = -V*x/(5 + x)\nmeasure y ~ normal(x, 0.5)\n";
		// One dose is all that there is.
		const { columns } = simulate(parseModel(gone, "m.ode"), {
			times: [0, 0.5, 1, 1.5, 2, 2.5, 3],
			values: { V: 60 },
			doses: { x: [{ time: 0, amount: 200 }] },
		});
		const rows = [...columns.t.slice(1)].map((t, i) => `${t},.,0,.,.,${columns.y[i + 1]}`);
		const {
			parsed,
			model: own,
			tables,
		} = study(
			"model: m.ode\ndata: { file: r.csv, time: TIME, doses: { x: AMT } }\n",
			`TIME,AMT,EVID,SS,II,y\n0,200,1,1,12,.\n${rows.join("\n")}\n`,
			gone,
		);
		const problem = problemFromStudy(parsed, own, tables, inline);
		const session = await Session.begin({ method: methods.get("fit")!, problem, options: { starts: 3 } });
		while (!(await session.advance()).done);
		const { parameters, doubts } = await session.result();
		expect(Math.abs(parameters[0].estimate - 60)).toBeLessThan(1e-3);
		expect(doubts.filter(({ grave }) => grave)).toEqual([]);
	});

	it("is said not to be there where more is given than is taken away", () => {
		const notes = (most: number) => simulated(text(most), csv, model).flatMap((run) => run.notes);
		expect(notes(1.6).join()).toMatch(/did not lead there/);
	});

	const measured = (most: number) => {
		const rows = [1, 3, 5, 7, 9, 11].map((t, i) => `${t},.,0,.,.,${level(most, t) + Math.cos(5 * i)}`);
		return `TIME,AMT,EVID,SS,II,y\n0,20,1,1,12,.\n${rows.join("\n")}\n`;
	};
	const answer = async (method: string, most: number, options: Record<string, unknown>) => {
		const { parsed, model: own, tables } = study(text(most), measured(most), model);
		const problem = problemFromStudy(parsed, own, tables, inline);
		const session = await Session.begin({ method: methods.get(method)!, problem, options });
		while (!(await session.advance()).done);
		return session.result();
	};

	const times = [1, 3, 5, 7, 9, 11];
	const y = times.map((t, i) => level(1.75, t) + Math.cos(5 * i));
	const squares = (most: number) => times.reduce((sum, t, i) => sum + (y[i] - level(most, t)) ** 2, 0);
	/** Golden section, and the standard error of a unit spread. */
	const best = (): { middle: number; sd: number } => {
		let [lo, hi] = [1.7, 1.8];
		for (let k = 0; k < 80; k++) {
			const [a, b] = [hi - (hi - lo) / 1.618034, lo + (hi - lo) / 1.618034];
			if (squares(a) < squares(b)) hi = b;
			else lo = a;
		}
		const slope = (t: number) => (level(lo + 1e-5, t) - level(lo - 1e-5, t)) / 2e-5;
		return { middle: lo, sd: 1 / Math.sqrt(times.reduce((sum, t) => sum + slope(t) ** 2, 0)) };
	};

	it("has exact derivatives: the fit is that of the formula", async () => {
		const { parameters, doubts } = await answer("fit", 1.75, { starts: 1 });
		const { middle, sd } = best();
		const [{ estimate, sd: found }] = parameters;
		expect(Math.abs(estimate - middle) / sd).toBeLessThan(0.01);
		// Its errors are as large as the residuals are.
		expect(found! / (sd * Math.sqrt(squares(middle) / (times.length - 1)))).toBeCloseTo(1, 3);
		expect(doubts.map(({ code }) => code)).not.toContain("steady-state");
	});

	it("has the posterior of the formula by bayes", async () => {
		const { parameters, doubts } = await answer("bayes", 1.75, { particles: 600, netcdf: false });
		const { middle, sd } = best();
		// So narrow that the prior is even there, and four standard errors of so many draws.
		expect(Math.abs(parameters[0].estimate - middle) / sd).toBeLessThan(4 / Math.sqrt(600));
		expect(Math.abs(parameters[0].sd! / sd - 1)).toBeLessThan(0.15);
		expect(doubts.filter(({ grave }) => grave)).toEqual([]);
	});
});

it("a steady dose without an interval, or behind others, is refused", () => {
	const m = parseModel("param k\nstate x = 0\nx' = -k*x\nmeasure y ~ normal(x, 1)\n", "m.ode");
	const given = (doses: object[]) => () =>
		simulate(m, { times: [0, 1], values: { k: 1 }, doses: { x: doses as never } });
	expect(given([{ time: 0, amount: 1, steady: true }])).toThrow(/not how often it was given/);
	expect(
		given([
			{ time: 0, amount: 1 },
			{ time: 0.5, amount: 1, every: 2, steady: true },
		]),
	).toThrow(/steady state at 0.5, and has a dose at 0/);
});
