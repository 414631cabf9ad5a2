/**
 * Work and precision of the solvers beside SciPy's, in one run: right-hand sides of the explicit ones beside RK45 and DOP853,
 * steps of the stiff ones beside Radau, wall time of the stiff ones beside odeint (LSODA), all at equal error at the end.
 *
 * Each side solves at several tolerances. For each of SciPy's answers our work is read, log over log, where our error comes
 * down to SciPy's for good: no more expensive answer of ours has a larger error.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { MethodName } from "../src/solve/ivp.ts";
import { stiffFor } from "../src/solve/method-choice.ts";
import { solveIvp } from "../src/solve/solve-ivp.ts";
import {
	hires,
	lotkaVolterra,
	pleiades,
	robertson,
	vanDerPol,
	vanDerPolStiff,
} from "../test/solve/problems.ts";

interface Comparison {
	problem: string;
	/** What is compared, and with which of SciPy's methods. */
	measure: "right-hand sides" | "steps" | "ms";
	rival: string;
	rivalTol: number;
	rivalError: number;
	rivalWork: number;
	ours: string;
	work: number;
	ratio: number;
	/** The goal for this ratio; undefined: shown, not judged. */
	goal?: number;
}

interface ScipyResult {
	problem: string;
	method: string;
	tol: number;
	rhs?: number;
	steps?: number;
	ms?: number;
	msMedian?: number;
	x: number[];
}

interface Point {
	error: number;
	work: number;
}

const easy = [lotkaVolterra, pleiades, vanDerPol];
const stiff = [vanDerPolStiff, robertson, hires];
const atolOverRtol: Record<string, number> = {
	[vanDerPolStiff.name]: 1e-3,
	[robertson.name]: 1e-6,
	[hires.name]: 1e-3,
};
/** The methods that `stiffFor` takes, tolerance by tolerance. */
const OURS_STIFF = "rodas, radau9";
const repetitions = 9;
const powers = (from: number, to: number, perDecade: number) =>
	Array.from({ length: Math.round((to - from) * perDecade) + 1 }, (_, k) =>
		// Whole decades exactly as they are written.
		Number((10 ** -(from + k / perDecade)).toPrecision(12)),
	);

export async function bench(): Promise<void> {
	const scipy = runScipy();
	if (!scipy) {
		console.log("No SciPy found, so there is nothing to compare with. On Debian: apt install python3-scipy");
		return;
	}
	console.log(
		`Solvers beside SciPy ${scipy.scipy}, at equal error at the end; ratio = ours / SciPy's, less is better.`,
	);
	const comparisons = [
		...compareExplicit(scipy.results, "RK45", "tsit5", powers(3, 9.5, 4), 1e-6),
		...compareExplicit(scipy.results, "DOP853", "dop853", powers(5, 12.5, 4), 1e-9),
		...compareStiff(scipy.results),
	];
	print(comparisons);
	const judged = comparisons.filter(({ goal }) => goal !== undefined);
	const missed = judged.filter(({ ratio, goal }) => !(ratio <= goal!));
	console.log(`${judged.length - missed.length} of ${judged.length} goals met.`);
}

function compareExplicit(
	results: ScipyResult[],
	rival: string,
	method: MethodName,
	tolerances: number[],
	judgedTol: number,
): Comparison[] {
	return easy.flatMap((problem) => {
		const { ivp, t0, t1, x0 } = problem;
		const reference = solveIvp(ivp, t0, t1, x0, {
			method: "dop853",
			rtol: 1e-14,
			atol: 1e-15,
			saveAt: [t1],
		}).x;
		const errorOf = (x: ArrayLike<number>) =>
			Math.sqrt(reference.reduce((sum, value, i) => sum + (x[i] - value) ** 2, 0) / reference.length);
		const ours = tolerances.map((tol) => {
			const { x, stats } = solveIvp(ivp, t0, t1, x0, { method, rtol: tol, atol: tol, saveAt: [t1] });
			return { error: errorOf(x), work: stats.rhs };
		});
		return results
			.filter((result) => result.problem === problem.name && result.method === rival)
			.map((result) =>
				comparison(problem.name, "right-hand sides", result, result.rhs!, errorOf(result.x), method, ours, {
					goal: result.tol === judgedTol ? 1.2 : undefined,
				}),
			);
	});
}

function compareStiff(results: ScipyResult[]): Comparison[] {
	return stiff.flatMap((problem) => {
		const { ivp, t0, t1, x0, end } = problem;
		const errorOf = (x: ArrayLike<number>) => Math.max(...end!.map((value, i) => Math.abs(x[i] / value - 1)));
		const bySteps: Point[] = [];
		const byTime: Point[] = [];
		const spreads: number[] = [];
		for (const tol of powers(2, 10, 4)) {
			const options = {
				method: stiffFor(tol),
				rtol: tol,
				atol: tol * atolOverRtol[problem.name],
				saveAt: [t1],
			};
			const solve = () => solveIvp(ivp, t0, t1, x0, options);
			const { x, stats } = solve();
			for (let k = 0; k < 3 * repetitions; k++) solve(); // warm-up
			const times = Array.from({ length: 3 * repetitions }, () => timeOf(solve)).sort((a, b) => a - b);
			bySteps.push({ error: errorOf(x), work: stats.steps });
			byTime.push({ error: errorOf(x), work: times[0] });
			spreads.push(times[times.length >> 1] / times[0]);
		}
		const mine = results.filter((result) => result.problem === problem.name);
		const radau = mine
			.filter(({ method }) => method === "Radau")
			.map((result) =>
				comparison(problem.name, "steps", result, result.steps!, errorOf(result.x), OURS_STIFF, bySteps, {
					goal: 1.5,
				}),
			);
		const lsoda = mine
			.filter(({ method }) => method === "LSODA")
			.map((result) =>
				comparison(problem.name, "ms", result, result.ms!, errorOf(result.x), OURS_STIFF, byTime, {
					goal: 2,
				}),
			);
		const theirs = mine.filter(({ ms }) => ms).map(({ ms, msMedian }) => msMedian! / ms!);
		console.log(
			`  ${problem.name}: times are the best of several; the median is at most ${Math.max(...spreads).toFixed(2)} (ours) ` +
				`and ${Math.max(...theirs).toFixed(2)} (SciPy) times the best.`,
		);
		return [...radau, ...lsoda];
	});
}

function comparison(
	problem: string,
	measure: Comparison["measure"],
	rival: ScipyResult,
	rivalWork: number,
	rivalError: number,
	ours: string,
	curve: Point[],
	{ goal }: { goal?: number },
): Comparison {
	const work = workAt(rivalError, curve);
	return {
		problem,
		measure,
		rival: rival.method,
		rivalTol: rival.tol,
		rivalError,
		rivalWork,
		ours,
		work,
		ratio: work / rivalWork,
		goal,
	};
}

/** Work at which the error has come down to `error` for good, by interpolation of logarithms. */
function workAt(error: number, curve: Point[]): number {
	const sorted = [...curve].sort((a, b) => a.work - b.work);
	const last = sorted.findLastIndex((point) => point.error > error);
	if (last < 0) return sorted[0].work;
	const k = Math.min(last, sorted.length - 2);
	const [a, b] = [sorted[k], sorted[k + 1]];
	const part = Math.log(error / a.error) / Math.log(b.error / a.error);
	return a.work * (b.work / a.work) ** part;
}

function timeOf(work: () => unknown): number {
	const start = performance.now();
	work();
	return performance.now() - start;
}

function print(comparisons: Comparison[]): void {
	const rows = comparisons.map((c) => [
		c.problem,
		c.measure,
		`${c.rival} ${c.rivalTol.toExponential(0)}`,
		c.rivalError.toExponential(1),
		c.measure === "ms" ? c.rivalWork.toFixed(2) : String(c.rivalWork),
		c.ours,
		c.measure === "ms" ? c.work.toFixed(2) : c.work.toFixed(0),
		c.ratio.toFixed(2),
		c.goal === undefined ? "" : `${c.ratio <= c.goal ? "pass" : "FAIL"} (goal ${c.goal})`,
	]);
	const head = ["problem", "measure", "SciPy", "error", "work", "ours", "work", "ratio", ""];
	const widths = head.map((title, j) => Math.max(title.length, ...rows.map((row) => row[j].length)));
	for (const row of [head, ...rows]) {
		const cells = row.map((cell, j) =>
			j >= 3 && j !== 5 && j < 8 ? cell.padStart(widths[j]) : cell.padEnd(widths[j]),
		);
		console.log(`  ${cells.join("  ").trimEnd()}`);
	}
}

/** Runs the Python side with the first Python that has SciPy. */
function runScipy(): { scipy: string; results: ScipyResult[] } | undefined {
	const python = ["/usr/bin/python3", "python3", "python"].find(
		(name) => spawnSync(name, ["-c", "import scipy.integrate"]).status === 0,
	);
	if (!python) return undefined;
	const asked = {
		explicit: { RK45: powers(4, 8, 1), DOP853: powers(7, 11, 1) },
		stiff: powers(3, 8, 1),
		atolOverRtol,
		repetitions,
	};
	// Beside this file, or in the source tree when this is the compiled one.
	const places = ["./solvers-scipy.py", "../../bench/solvers-scipy.py"].map((path) =>
		fileURLToPath(new URL(path, import.meta.url)),
	);
	const script = readFileSync(places.find((place) => existsSync(place)) ?? places[0], "utf8");
	const run = spawnSync(python, ["-c", script], {
		input: JSON.stringify(asked),
		encoding: "utf8",
		maxBuffer: 1 << 26,
	});
	if (run.status !== 0) throw new Error(`SciPy's side of the bench failed:\n${run.stderr}`);
	return JSON.parse(run.stdout);
}
