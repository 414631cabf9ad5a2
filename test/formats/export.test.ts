/** Models of our own making, random ones among them, written in every language and run where the interpreter is at hand. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { exportTargets } from "../../src/formats/export/targets.ts";
import { readPetab } from "../../src/formats/petab/problem.ts";
import { readSbml, sbmlToOde } from "../../src/formats/sbml/read-sbml.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { stream } from "../../src/num/random.ts";
import { identifiedOf } from "../../src/study/identified.ts";
import { petabLikelihood } from "../../src/study/petab/likelihood.ts";
import { simulateRecord } from "../../src/study/simulate/simulate.ts";

const folder = mkdtempSync(join(tmpdir(), "odentify-export-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function has(command: string, ...args: readonly string[]): boolean {
	try {
		execFileSync(command, args, { stdio: "ignore" });
		return true;
	} catch {
		return false;
	}
}
const hasScipy = has("python3", "-c", "import scipy");
const hasCc = has("cc", "--version");
const hasOctave = has("octave", "--version");

const times = [0, 0.4, 1, 1.7];
const options = {
	noise: false,
	rtol: 1e-10,
	atol: 1e-12,
	knots: [],
	amounts: [],
	concentrations: [],
	digits: 17,
};

/** Outputs and states by name, as `odentify simulate` has them. */
function simulated(text: string, source = parseModel(text, "model.ode")): number[][] {
	const record = { name: "r", times: Float64Array.from(times), signals: new Map(), conditions: {} };
	const { columns, outcome } = simulateRecord(source, {}, record, options, 1);
	expect(outcome).toBe("converged");
	const kept = columns.filter(({ kind }) => kind === "output" || kind === "state");
	return times.map((_, i) => kept.map(({ values }) => values[i]));
}

const sourceOf = (text: string) => identifiedOf("a model", parseModel(text, "model.ode"), [], [], true);

function written(text: string, target: string): string {
	return [...exportTargets[target](sourceOf(text)).values()][0];
}

function rowsOf(printed: string): number[][] {
	return printed
		.trim()
		.split("\n")
		.slice(1)
		.map((line) => line.split(",").slice(1).map(Number));
}

let count = 0;
const runs: Readonly<Record<string, { is: boolean; run(text: string): string }>> = {
	python: {
		is: hasScipy,
		run: (text) => {
			const file = join(folder, `m${++count}.py`);
			writeFileSync(file, written(text, "python"));
			return execFileSync("python3", [file, ...times.map(String)], { encoding: "utf8" });
		},
	},
	c: {
		is: hasCc,
		run: (text) => {
			const file = join(folder, `m${++count}`);
			writeFileSync(`${file}.c`, written(text, "c"));
			execFileSync("cc", [
				"-std=c99",
				"-Wall",
				"-Werror",
				"-O1",
				"-DODENTIFY_MAIN",
				"-o",
				file,
				`${file}.c`,
				"-lm",
			]);
			return execFileSync(file, times.map(String), { encoding: "utf8" });
		},
	},
	js: {
		is: true,
		run: (text) => {
			// Whatever characters the way to it has.
			const file = join(folder, `m ${++count} #%25 é.mjs`);
			writeFileSync(file, written(text, "js"));
			return execFileSync(process.execPath, [file, ...times.map(String)], { encoding: "utf8" });
		},
	},
	matlab: {
		is: hasOctave,
		run: (text) => {
			writeFileSync(join(folder, "odentify_model.m"), written(text, "matlab"));
			return execFileSync("octave", ["--no-gui", "--eval", `odentify_model([${times}])`], {
				encoding: "utf8",
				cwd: folder,
			});
		},
	},
};

const everything = `param k = 0.7
param if_ in [1, 3]
param lambda ~ lognormal(0, 1)
state x = 2*if_, x' = 0.1, class = 1
let   r = k*x/(1 + x^2)
x'' = -r*if_ - 0.3*x' + sin(t)*exp(-t/2) + if(t < 1.2, t, 1.2)
class' = -lambda*class + sqrt(abs(x) + 1) - class^1.5/4 + tanh(r) + min(x, 1)*max(class, 0.2)*1e-3 + sign(x) + r
measure y = x + pi*class
measure z = log(2 + class)^if_ - x/7
`;

describe("a model with a bit of everything", () => {
	for (const [target, { is, run }] of Object.entries(runs))
		test.runIf(is)(`in ${target}`, () => {
			const expected = simulated(everything);
			rowsOf(run(everything)).forEach((row, i) => {
				row.forEach((value, j) => {
					expect(Math.abs(value - expected[i][j])).toBeLessThan(2e-6 * (1 + Math.abs(expected[i][j])));
				});
			});
		});

	const pulses = `param w = 0.001
state x = 0
x' = if(t > 0.7 and t < 0.7 + w, 1000, 0) - 0.5*x + if(t >= 0.37, 1, -2) + floor(t)
measure y = x
`;
	for (const [target, { is, run }] of Object.entries(runs))
		test.runIf(is)(`no pulse is stepped over in ${target}`, () => {
			const expected = simulated(pulses);
			rowsOf(run(pulses)).forEach((row, i) => {
				expect(row.length).toBe(2);
				for (const value of row) expect(Math.abs(value - expected[i][0])).toBeLessThan(1e-6);
			});
		});

	test("in every language there is a text, and no language's word is a name", () => {
		for (const target of ["python", "c", "js", "matlab", "julia", "sbml"]) {
			const text = written(everything, target);
			expect(text).toContain("lambda_");
			expect(text).toContain("class_");
			expect(text).not.toMatch(/[^"]undefined|NaN|\[object/);
		}
	});

	test("SBML and back", () => {
		const expected = simulated(everything);
		const xml = written(everything, "sbml");
		const { text } = sbmlToOde(xml, "model.xml");
		const model = readSbml(xml, "model.xml");
		const ids = ["y", "z", "x", "x_d", "class_"];
		const record = { name: "r", times: Float64Array.from(times), signals: new Map(), conditions: {} };
		const { columns } = simulateRecord(model, {}, record, options, 1);
		ids.forEach((id, j) => {
			const column = columns.find(({ name }) => name === id)!;
			times.forEach((_, i) => {
				expect(Math.abs(column.values[i] - expected[i][j])).toBeLessThan(
					1e-8 * (1 + Math.abs(expected[i][j])),
				);
			});
		});
		expect(text).toContain("class_");
	});
});

describe("random expressions", () => {
	/** The value of the expression is the slope: one state for each, so that a program computes them all. */
	const random = stream(11, "export");
	let at = 0;
	const pick = <T>(list: readonly T[]): T => list[Math.floor(random.uniform(at++) * list.length)];
	const expression = (depth: number): string => {
		if (depth === 0) return pick(["a", "b", "x1", "x2", "t", "1", "2.5", "0.125", "pi", "1e-3"]);
		const inner = (): string => expression(depth - 1);
		return pick([
			() => `(${inner()} + ${inner()})`,
			() => `(${inner()} - ${inner()})`,
			() => `-(${inner()})`,
			() => `${inner()}*${inner()}`,
			() => `(${inner()})/(1.5 + (${inner()})^2)`,
			() => `(1.1 + abs(${inner()}))^(${inner()}/(2 + abs(${inner()})))`,
			() => `(${inner()})^3/(3 + (${inner()})^2)`,
			() => `sqrt(0.5 + (${inner()})^2)`,
			() => `${pick(["sin", "cos", "tanh", "atan", "sign", "floor", "abs"])}(${inner()})`,
			() => `exp(-abs(${inner()}))`,
			() => `log(1.5 + abs(${inner()}))`,
			() => `asin(tanh(${inner()}))`,
			() => `min(${inner()}, ${inner()})`,
			() => `max(${inner()}, ${inner()})`,
			() => `if(${inner()} ${pick(["<", "<=", ">", ">="])} ${inner()}, ${inner()}, ${inner()})`,
		])();
	};
	const cases = Array.from({ length: 40 }, () => expression(4));
	// A state that does not move, and one measurement for each expression at the start.
	const text = `param a = 0.3
param b = 1.7
state x1 = 0.4, x2 = -1.2
x1' = 0
x2' = 0
${cases.map((each, i) => `measure m${i} = ${each}`).join("\n")}
`;
	for (const [target, { is, run }] of Object.entries(runs))
		test.runIf(is)(`in ${target}`, () => {
			const expected = simulated(text);
			rowsOf(run(text)).forEach((row, i) => {
				row.forEach((value, j) => {
					const right = expected[i][j];
					expect(Math.abs(value - right), `${cases[j]} at ${times[i]}: ${value}, not ${right}`).toBeLessThan(
						1e-9 * (1 + Math.abs(right)),
					);
				});
			});
		});
	test("in SBML and back", () => {
		const expected = simulated(text);
		const model = readSbml(written(text, "sbml"), "model.xml");
		const record = { name: "r", times: Float64Array.from(times), signals: new Map(), conditions: {} };
		const { columns } = simulateRecord(model, {}, record, options, 1);
		cases.forEach((each, j) => {
			const column = columns.find(({ name }) => name === `m${j}`)!;
			times.forEach((t, i) => {
				expect(Math.abs(column.values[i] - expected[i][j]), `${each} at ${t}`).toBeLessThan(
					1e-9 * (1 + Math.abs(expected[i][j])),
				);
			});
		});
	});
});

describe("events", () => {
	const bouncing = `param g = 9.81
state h = 1, v = 0
h' = v
v' = -g
when h < 0 { v = -0.8*v, h = 0 }
measure y = h
`;
	test("go to SBML and come back", () => {
		const expected = simulated(bouncing);
		const model = readSbml(written(bouncing, "sbml"), "model.xml");
		const record = { name: "r", times: Float64Array.from(times), signals: new Map(), conditions: {} };
		const { columns } = simulateRecord(model, {}, record, options, 1);
		const h = columns.find(({ name }) => name === "h")!;
		times.forEach((_, i) => {
			expect(h.values[i]).toBeCloseTo(expected[i][1], 7);
		});
	});
	test("are refused by programs, by name", () => {
		for (const target of ["python", "c", "js", "matlab", "julia"])
			expect(() => written(bouncing, target)).toThrow("has events");
	});
});

describe("a record that begins at rest", () => {
	const text =
		"condition feed\nparam k in [0.1, 10]\nstate x = 5, y = 1\nx' = feed - k*x\ny' = k*x - y\nmeasure m = x\n";
	const experiment = {
		name: "r",
		times: Float64Array.from([0, 1]),
		rows: { from: 0, to: 1 },
		inputs: new Map(),
		outputs: new Map(),
		conditions: { feed: 0 },
		rest: [{ feed: 3 }],
		reset: ["y"],
		removed: {},
	};
	const source = identifiedOf(
		"r",
		parseModel(text, "m.ode"),
		[{ name: "k", estimate: 2 }],
		[experiment],
		true,
	);

	test("is written with the state that it begins from", () => {
		expect(source.identified.initial[0]).toBeCloseTo(1.5, 8);
		expect(source.identified.initial[1]).toBe(1);
		expect(exportTargets.sbml(source).get("model.xml")).toMatch(/id="x" value="1\.(5|4999|50000)/);
	});
	test("is not written as PEtab", () => {
		expect(() => exportTargets.petab(source)).toThrow("begin at rest");
	});
});

describe("what cannot be exported", () => {
	test.each([
		["input u\nstate x = 1\nx' = -x + u\nmeasure y = x", "input u: has no record"],
		["condition c\nstate x = 1\nx' = -c*x\nmeasure y = x", "condition c: has no value"],
		["state x = 1\nunknown f(x) ~ kriging(trend: 1)\nx' = f(x)\nmeasure y = x", "unknown f: is a function"],
		["param k\nstate x = 1\nx' = -k*x\nmeasure y = x", "has no value to simulate with"],
	])("%s", (text, message) => {
		expect(() => written(`${text}\n`, "python")).toThrow(message);
	});
});

describe("PEtab", () => {
	test("has the records, and the likelihood that they have", () => {
		const text = `condition dose
param k in [0.1, 10]
param s in [0.01, 1]
state x = 2*dose
x' = -k*x
measure y ~ normal(x, s)
measure z ~ lognormal(log(x) + t, 0.2)
`;
		const series = (values: readonly number[]) => ({
			times: Float64Array.from([0.5, 1]),
			values: Float64Array.from(values),
			rows: Int32Array.from([0, 1]),
		});
		const experiment = (name: string, dose: number) => ({
			name,
			times: Float64Array.from([0, 0.5, 1]),
			rows: { from: 0, to: 2 },
			inputs: new Map(),
			outputs: new Map([
				["y", series([1.1 * dose, 0.6 * dose])],
				["z", series([2 * dose, 1.5 * dose])],
			]),
			conditions: { dose },
			removed: {},
		});
		const rows = [
			{ name: "k", estimate: 1.2 },
			{ name: "s", estimate: 0.1 },
		];
		const source = identifiedOf(
			"a run",
			parseModel(text, "model.ode"),
			rows,
			[experiment("low", 1), experiment("high", 3)],
			true,
		);
		const files = exportTargets.petab(source);
		const open = (file: string): string | undefined => files.get(file);
		const { logLikelihood, simulated: values } = petabLikelihood(
			readPetab(files.get("problem.yaml")!, "problem.yaml", open),
			open,
		);
		let expected = 0;
		for (const dose of [1, 3]) {
			for (const [t, y] of [
				[0.5, 1.1 * dose],
				[1, 0.6 * dose],
			]) {
				const e = (y - 2 * dose * Math.exp(-1.2 * t)) / 0.1;
				expected -= 0.5 * e * e + Math.log(0.1) + 0.5 * Math.log(2 * Math.PI);
			}
			for (const [t, z] of [
				[0.5, 2 * dose],
				[1, 1.5 * dose],
			]) {
				const e = (Math.log(z) - (Math.log(2 * dose) - 1.2 * t + t)) / 0.2;
				expected -= 0.5 * e * e + Math.log(0.2) + 0.5 * Math.log(2 * Math.PI) + Math.log(z);
			}
		}
		expect(values).toHaveLength(8);
		expect(logLikelihood).toBeCloseTo(expected, 5);
	});
});
