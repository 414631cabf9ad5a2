/**
 * The posterior of a population: draws of what all records share from Student's law around the mode, each weighed by its prior and
 * an unbiased likelihood (eta integrated out by draws of its own), and the law moved to where the weights are, round by round.
 * Independent runs, each with a search and laws of its own, take rounds in turn. All rounds count together, each draw weighed by the mixture of all laws (balance heuristic). That mixture has been fitted to the very
 * draws that it weighs; the evidence is therefore told by each round's own law, which knew nothing of them.
 */
import { InputError } from "../../../errors.ts";
import { type PopulationProblem, populationProblem } from "../../../estimate/population/problem.ts";
import { type PopulationCheckpoint, PopulationSearch } from "../../../estimate/population/search.ts";
import { sharedPrior } from "../../../estimate/population/shared-prior.ts";
import type { Progress } from "../../../estimate/run/progress.ts";
import { exp, log } from "../../../num/elementary/number.ts";
import { choleskyInto } from "../../../num/linear/cholesky.ts";
import { stream } from "../../../num/random.ts";
import { effectiveSampleSize, logSumExp, normalisedWeights } from "../../../num/statistics/log-weights.ts";
import { systematicResample } from "../../../num/statistics/resampling.ts";
import { squared } from "../../../num/whole-power.ts";
import type { Problem } from "../../problem.ts";
import type { BayesOptions } from "../bayes-run.ts";
import { refuse } from "../checks.ts";
import { HeavyNormal } from "./heavy-normal.ts";
import { unitDraws } from "./unit-likelihood.ts";

/** One law and what was drawn from it. */
interface Round {
	readonly centre: readonly number[];
	readonly root: readonly number[];
	/** Draws so far: coordinates, log prior plus log-likelihood, and the etas of all units. */
	readonly points: number[][];
	readonly logTarget: number[];
	readonly etas: number[][];
}

/** Shared coordinates, etas of all units, and log prior plus log-likelihood. */
export interface PopulationDraws {
	readonly points: readonly (readonly number[])[];
	readonly etas: readonly (readonly number[])[];
	readonly logTarget: readonly number[];
}

export interface PopulationBayesCheckpoint {
	readonly searches: readonly PopulationCheckpoint[];
	readonly rounds: readonly Round[];
	readonly nDraws: number;
	readonly variance: number;
	readonly fraction: number;
}

const degrees = 6;
/** Points in one unit of work. */
const chunk = 64;
/** Draws of eta at first, and at most; and the variance of the log-likelihood of all units that is small beside the posterior's. */
const [firstDraws, mostDraws, wantedVariance] = [16, 256, 0.3];
/** Rounds of each run, and draws in one at least. */
const [leastRounds, mostRounds, leastDraws] = [2, 12, 100];
/** Starting points of all searches together. */
const nStarts = 4;

export class PopulationBayes {
	readonly population: PopulationProblem;
	readonly searches: readonly PopulationSearch[];
	/** Those of run r are r, r + runs, … */
	rounds: Round[] = [];
	nDraws = firstDraws;
	#variance = 0;
	#fraction = 0;

	constructor(
		readonly problem: Problem,
		readonly options: BayesOptions,
	) {
		refuse(problem);
		const { model, train, start, compute, seed } = problem;
		const force = model.inputs.find(({ knowledge }) => knowledge.kind === "distribution");
		if (force)
			throw new InputError(
				`input ${force.name}`,
				"is a random process, beside parameters that differ from record to record",
				"One of both: take the population out, or give the input.",
			);
		this.population = populationProblem(model, train, start, compute);
		const { unknowns, nShared } = this.population;
		const open = unknowns.slice(0, nShared).find(({ law }) => !law);
		if (open)
			throw new InputError(
				`param ${open.name}`,
				"has no prior",
				`Write  param ${open.name} ~ normal(0, 1)  or another distribution.`,
			);
		const { runs } = options;
		this.searches = Array.from(
			{ length: runs },
			(_, r) =>
				new PopulationSearch(this.population, {
					starts: Math.ceil(nStarts / runs),
					candidates: 64,
					maxEvaluations: 200,
					seed: seed + r,
					prior: sharedPrior(this.population, true),
				}),
		);
	}

	/** Runs whose search has come to an end that can be simulated. */
	get found(): readonly PopulationSearch[] {
		return this.searches.filter(({ end }) => end);
	}

	/** The end with the highest density. */
	get best(): PopulationSearch | undefined {
		return [...this.found].sort((a, b) => a.end!.value - b.end!.value)[0];
	}

	get isDone(): boolean {
		if (this.searches.some(({ phase }) => phase !== "done")) return false;
		const { length: runs } = this.found;
		if (runs === 0) return true;
		const nRounds = this.rounds.length;
		if (nRounds % runs > 0 || nRounds < runs * leastRounds || !this.#isFull(nRounds - 1)) return false;
		return nRounds >= runs * mostRounds || this.weights().effective >= this.options.particles / 2;
	}

	async advance(): Promise<Progress> {
		const r = this.searches.findIndex(({ phase }) => phase !== "done");
		if (r >= 0) {
			const { fraction, label } = await this.searches[r].advance();
			this.#fraction = (0.3 * (r + fraction)) / this.searches.length;
			return { done: false, fraction: this.#fraction, label };
		}
		if (!this.isDone) await this.#draw();
		const done = this.isDone;
		this.#fraction = done ? 1 : this.#fraction + 0.05 * (1 - this.#fraction);
		return {
			done,
			fraction: this.#fraction,
			label: `${this.population.units.length} records, round ${this.rounds.length}`,
		};
	}

	get #perRound(): number {
		return Math.max(leastDraws, Math.ceil(this.options.particles / (2 * this.searches.length)));
	}

	#isFull(round: number): boolean {
		return (this.rounds[round]?.points.length ?? 0) >= this.#perRound;
	}

	async #draw(): Promise<void> {
		if (this.rounds.length === 0 || this.#isFull(this.rounds.length - 1)) this.rounds.push(this.#nextRound());
		const index = this.rounds.length - 1;
		const round = this.rounds[index];
		const { problem, population, found } = this;
		const search = found[index % found.length];
		const law = this.#law(round);
		const purpose = `population round ${index} at ${round.points.length}`;
		const random = stream(problem.seed, `population round ${index}`);
		const first = round.points.length;
		const count = Math.min(chunk, this.#perRound - first);
		const points = Array.from({ length: count }, (_, k) => law.draw(random, first + k));
		const prior = points.map((point) => -sharedPrior(population, true)(point));
		// Where the prior has nothing there is nothing to simulate.
		const possible = points.flatMap((_, b) => (prior[b] > Number.NEGATIVE_INFINITY ? [b] : []));
		const q = population.unknowns.length - population.nShared;
		const logTarget = prior.slice();
		const etas = points.map(() => new Float64Array(q * population.units.length));
		const variance = new Float64Array(possible.length);
		for (const [u, { logSlope }] of population.units.entries()) {
			const own = await unitDraws(
				search.likelihood,
				u,
				possible.map((b) => points[b]),
				search.end!.modes[u],
				this.nDraws,
				problem.seed,
				purpose,
			);
			for (const [k, b] of possible.entries()) {
				logTarget[b] += own.logLikelihood[k] + logSlope;
				variance[k] += own.variance[k];
				etas[b].set(own.eta.subarray(k * q, (k + 1) * q), u * q);
			}
		}
		for (const [b, point] of points.entries()) {
			round.points.push([...point]);
			round.logTarget.push(Number.isNaN(logTarget[b]) ? Number.NEGATIVE_INFINITY : logTarget[b]);
			round.etas.push([...etas[b]]);
		}
		this.#variance = variance.slice().sort()[Math.floor(variance.length / 2)] ?? 0;
		if (index < found.length) this.#enoughDraws();
	}

	/** So many draws of eta that their noise is small beside the weights of the posterior. */
	#enoughDraws(): void {
		const wanted = (this.nDraws * this.#variance) / wantedVariance;
		const even = 2 * Math.ceil(Math.min(Math.max(wanted, firstDraws), mostDraws) / 2);
		this.nDraws = Math.max(this.nDraws, even);
	}

	#law({ centre, root }: Pick<Round, "centre" | "root">): HeavyNormal {
		return new HeavyNormal(Float64Array.from(centre), Float64Array.from(root), degrees);
	}

	/** Rounds of one of the runs that were found. */
	roundsOf(run: number): readonly Round[] {
		return this.rounds.filter((_, i) => i % this.found.length === run);
	}

	/** Around the mode at first, then where the weights of this run are. */
	#nextRound(): Round {
		const { nShared: p } = this.population;
		const empty = { points: [], logTarget: [], etas: [] };
		const run = this.rounds.length % this.found.length;
		const { end, covariance } = this.found[run];
		const own = this.roundsOf(run);
		if (own.length > 0) {
			const { mean, matrix, effective } = this.moments(own);
			const root = matrix.slice();
			if (effective > 2 * p && choleskyInto(root, p)) return { centre: [...mean], root: [...root], ...empty };
		}
		const root = (covariance ?? this.#rough(this.found[run])).map((value) => 1.2 * value);
		if (!choleskyInto(root, p)) root.set(this.#rough(this.found[run]));
		return { centre: [...end!.shared], root: [...root], ...empty };
	}

	/** Where the curvature is none of a minimum: wide, each for itself. */
	#rough({ likelihood, end }: PopulationSearch): Float64Array {
		const { nShared: p } = this.population;
		const information = likelihood.information(end!);
		return Float64Array.from({ length: p * p }, (_, i) => (i % (p + 1) === 0 ? 1 / (information[i] + 1) : 0));
	}

	moments(rounds = this.rounds as readonly Round[]): {
		mean: Float64Array;
		matrix: Float64Array;
		effective: number;
	} {
		const { nShared: p } = this.population;
		const { weights, points, effective } = this.weights(rounds);
		const mean = new Float64Array(p);
		for (const [b, point] of points.entries()) for (let i = 0; i < p; i++) mean[i] += weights[b] * point[i];
		const matrix = new Float64Array(p * p);
		for (const [b, point] of points.entries())
			for (let i = 0; i < p; i++)
				for (let j = 0; j < p; j++)
					matrix[i * p + j] += weights[b] * (point[i] - mean[i]) * (point[j] - mean[j]);
		return { mean, matrix, effective };
	}

	/**
	 * The log evidence and its standard error. Each round is an estimate without bias, since its law was there before its draws;
	 * they count by the draws that they are worth.
	 */
	evidence(of = this.rounds as readonly Round[]): { logEvidence: number; sd: number } {
		const rounds = of.map((round) => {
			const law = this.#law(round);
			const logs = round.logTarget.map((each, b) =>
				each === Number.NEGATIVE_INFINITY ? each : each - law.logDensity(Float64Array.from(round.points[b])),
			);
			const n = logs.length;
			const effective = effectiveSampleSize(normalisedWeights(logs));
			return { log: logSumExp(logs) - log(n), effective, variance: Math.max(1 / effective - 1 / n, 0) };
		});
		const all = rounds.reduce((sum, { effective }) => sum + effective, 0);
		const logEvidence = logSumExp(rounds.map((round) => round.log + log(round.effective / all)));
		const variance = rounds.reduce(
			(sum, round) => sum + squared((round.effective / all) * exp(round.log - logEvidence)) * round.variance,
			0,
		);
		return { logEvidence, sd: Math.sqrt(variance) };
	}

	/** All draws of all rounds, or of some, with their weights. */
	weights(rounds = this.rounds as readonly Round[]): PopulationDraws & {
		readonly weights: Float64Array;
		readonly effective: number;
	} {
		const points = rounds.flatMap((round) => round.points);
		const etas = rounds.flatMap((round) => round.etas);
		const logTarget = rounds.flatMap((round) => round.logTarget);
		const laws = rounds.map((round) => ({
			law: this.#law(round),
			share: log(round.points.length / points.length),
		}));
		const logs = Float64Array.from(logTarget, (each, b) => {
			if (each === Number.NEGATIVE_INFINITY) return each;
			const point = Float64Array.from(points[b]);
			return each - logSumExp(laws.map(({ law, share }) => share + law.logDensity(point)));
		});
		const weights = normalisedWeights(logs);
		return { weights, points, etas, logTarget, effective: effectiveSampleSize(weights) };
	}

	/** So many draws of all rounds, or of some, each worth the same. */
	posterior(n: number, rounds = this.rounds as readonly Round[]): PopulationDraws {
		const { weights, points, etas, logTarget } = this.weights(rounds);
		const u = stream(this.problem.seed, "population posterior").uniform(0);
		const chosen = Array.from(systematicResample(weights, u, n));
		return {
			points: chosen.map((b) => points[b]),
			etas: chosen.map((b) => etas[b]),
			logTarget: chosen.map((b) => logTarget[b]),
		};
	}

	save(): PopulationBayesCheckpoint {
		return {
			searches: this.searches.map((search) => search.save()),
			rounds: this.rounds,
			nDraws: this.nDraws,
			variance: this.#variance,
			fraction: this.#fraction,
		};
	}

	async restore({ searches, rounds, nDraws, variance, fraction }: PopulationBayesCheckpoint): Promise<void> {
		for (const [r, search] of this.searches.entries()) await search.restore(searches[r]);
		this.rounds = rounds.map((round) => ({
			...round,
			points: [...round.points],
			logTarget: [...round.logTarget],
			etas: [...round.etas],
		}));
		this.nDraws = nDraws;
		this.#variance = variance;
		this.#fraction = fraction;
	}
}
