/**
 * The semantic test suite of SBML, as far as it stands in the folder that --data names (NNNNN/NNNNN-model.m, -settings.txt,
 * -results.csv and a model): how many of its cases `simulate` gets right, by tag, and why the others are wrong.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readModel } from "../src/formats/read-model.ts";
import { simulateRecord } from "../src/study/simulate/simulate.ts";

/** What no solver of differential equations can do. */
const outOfScope = new Set(["Objective", "FluxBalanceSteadyState", "CSymbolDelay"]);

interface Verdict {
	readonly id: string;
	readonly tags: readonly string[];
	readonly inScope: boolean;
	/** Empty where it is right. */
	readonly problem: string;
}

export async function bench(data?: string): Promise<void> {
	const folder = [data, data && join(data, "sbml-suite")].find(
		(each) => each && existsSync(join(each, "00001")),
	);
	if (!folder) {
		console.log("passed over: the suite is not at hand (npm run bench -- sbml --data DIR)");
		return;
	}
	const only = process.env.CASES?.split(",");
	const ids = readdirSync(folder).filter((name) => /^\d{5}$/.test(name) && (!only || only.includes(name)));
	const verdicts = ids.map((id) => judge(folder, id));
	const tags = new Map<string, { right: number; all: number }>();
	for (const { tags: own, inScope, problem } of verdicts)
		for (const tag of inScope ? own : []) {
			const row = tags.get(tag) ?? { right: 0, all: 0 };
			tags.set(tag, { right: row.right + (problem === "" ? 1 : 0), all: row.all + 1 });
		}
	console.log("| tag | right | cases |\n|---|---|---|");
	for (const [tag, { right, all }] of [...tags].sort(([a], [b]) => (a < b ? -1 : 1)))
		console.log(`| ${tag} | ${right} | ${all} |`);
	const within = verdicts.filter(({ inScope }) => inScope);
	const right = within.filter(({ problem }) => problem === "");
	console.log(
		`\n${right.length} of ${within.length} cases in scope are right; ${verdicts.length - within.length} are out of scope.`,
	);
	for (const { id, problem, inScope } of verdicts)
		if (problem !== "" && (inScope || only)) console.log(`${id}: ${problem}`);
	const silent = verdicts.filter(({ inScope, problem }) => !inScope && !problem.startsWith("refused"));
	console.log(`Out of scope and not refused: ${silent.map(({ id }) => id).join(" ") || "none"}`);
}

function judge(folder: string, id: string): Verdict {
	const at = (name: string): string => join(folder, id, name);
	const description = readFileSync(at(`${id}-model.m`), "utf8");
	const listed = (key: string): string[] =>
		(new RegExp(`${key}:(.*)`).exec(description)?.[1] ?? "").split(",").flatMap((tag) => tag.trim() || []);
	const tags = [...listed("componentTags"), ...listed("testTags")];
	const inScope = !tags.some((tag) => outOfScope.has(tag)) && !/testType:.*FluxBalance/.test(description);
	const verdict = (problem: string): Verdict => ({ id, tags, inScope, problem });
	const file = readdirSync(join(folder, id))
		.filter((name) => /sbml-l\dv\d\.xml$/.test(name))
		.sort()
		.at(-1)!;
	const settings = new Map(
		readFileSync(at(`${id}-settings.txt`), "utf8")
			.split(/\r?\n/)
			.map((line) => {
				const colon = line.indexOf(":");
				return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
			}),
	);
	const names = (key: string): string[] =>
		(settings.get(key) ?? "").split(",").flatMap((name) => name.trim() || []);
	const number = (key: string): number => Number(settings.get(key));
	const rows = readFileSync(at(`${id}-results.csv`), "utf8")
		.trim()
		.split(/\r?\n/);
	const head = rows[0].split(",").map((name) => name.trim().replace(/^"|"$/g, ""));
	const start = number("start");
	const [duration, steps] = [number("duration"), number("steps")];
	const times = Float64Array.from({ length: steps + 1 }, (_, i) => start + (duration * i) / steps);
	try {
		const model = readModel(readFileSync(at(file), "utf8"), file, (other) =>
			existsSync(at(other)) ? readFileSync(at(other), "utf8") : undefined,
		);
		const species = new Set((model.columns ?? []).filter(({ amount }) => amount).map(({ name }) => name));
		const options = {
			noise: false,
			rtol: 1e-8,
			atol: 1e-10,
			knots: [],
			digits: 17,
			amounts: names("amount").filter((name) => species.has(name)),
			concentrations: names("concentration").filter((name) => species.has(name)),
		};
		const record = { name: id, times, signals: new Map(), conditions: {} };
		const { outcome, message, columns } = simulateRecord(model, {}, record, options, 1);
		if (outcome !== "converged") return verdict(`${outcome}: ${message.slice(0, 200)}`);
		for (const name of names("variables")) {
			const column = columns.find((each) => each.name === name);
			if (!column) return verdict(`no column ${name}`);
			const place = head.lastIndexOf(name);
			for (let k = 1; k < rows.length; k++) {
				const expected = Number(rows[k].split(",")[place].replace("INF", "Infinity"));
				const got = column.values[k - 1];
				const bound = number("absolute") + number("relative") * Math.abs(expected);
				if (!(Math.abs(got - expected) <= bound) && !Object.is(got, expected))
					return verdict(`${name} at t = ${times[k - 1]} is ${got}, not ${expected} (${tags.join(" ")})`);
			}
		}
		return verdict("");
	} catch (error) {
		const text = error instanceof Error ? error.message : String(error);
		return verdict(`refused: ${text.split("\n").slice(0, 3).join(" ").slice(0, 260)}`);
	}
}
