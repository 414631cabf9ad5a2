/**
 * When records are cut into segments, and what is followed of it: once, from the ends of few starts, or round by round, from those of many.
 * Before the first of those rounds very many short runs see growing parts of the records: each takes little, and of a hard problem one
 * in a thousand draws lies where the way is open. What is left of them hops from optimum to optimum: records that swing have good ones beside better ones.
 */
import { candidatePoints, nearOne } from "../../../estimate/least-squares/starts.ts";
import { swingsSlowly } from "../../../estimate/segments/turns.ts";
import { leavesStructure } from "../doubts.ts";
import type { FitRun } from "../fit-run.ts";
import type { FitCheckpoint } from "../fit-state.ts";
import { CutRounds } from "./cut-rounds.ts";
import { Hops } from "./hops.ts";
import { SegmentRuns } from "./segment-runs.ts";
import { ShortRuns } from "./short-runs.ts";
import { partOf } from "./starting.ts";

/** Points that begin with cut records, for each that is left in the end; and how many are left at most. */
const pointsForOne = 4;
const mostLeft = 8;
/** Evaluations of each that is left of a round, before the next one. */
const roundEvaluations = 100;
/** Draws that see growing parts of the records, for each short run that was asked for; and numbers in the derivatives of all of them, at most. */
const grownForOne = 10;
const mostNumbers = 2e7;
/** Points that hop then, at most; and rounds of it, those without a better best too, for each short run that was asked for. */
const mostHopping = 24;
const hopRoundsForOne = { most: 2, idle: 0.6 };
/** On the bar, what draws and hops take of all. */
const beforeRounds = { grown: 0.3, hops: 0.4 };

type CuttingState = Pick<
	FitCheckpoint,
	"segments" | "grown" | "hasGrown" | "hops" | "isCut" | "rounds" | "addsStarts"
>;

export class Cutting {
	/** While records are cut. */
	segments: SegmentRuns | undefined;
	/** While very many see growing parts of the records. */
	grown: ShortRuns | undefined;
	/** While what is left of those hops. */
	hops: Hops | undefined;
	/** Whether records were cut, or there was no need to. */
	isDone = false;
	/** Whether the search under way follows what is left of a round, beside the starts that there are. */
	addsStarts = false;
	#hasGrown = false;
	readonly #rounds: CutRounds;

	/** Whether records swing, so that there is something to fall out of step with. */
	readonly #swings: boolean;

	constructor(readonly run: FitRun) {
		const { estimation, options } = run;
		this.#swings = options.segments && swingsSlowly(estimation.observations);
		this.#rounds = new CutRounds(run.problem.seed);
	}

	/** Where records swing and what is left of them at the optimum is no noise. */
	async begin(): Promise<boolean> {
		const { run } = this;
		this.isDone = true;
		if (!run.options.segments || this.#hasGrown || !leavesStructure(run)) return false;
		const { unknowns } = run.estimation;
		const drawn = candidatePoints(unknowns, pointsForOne * this.#left, run.problem.seed, true);
		return this.#from(() => [...run.ends, ...drawn]);
	}

	/** The same round by round, as long as ends come lower; many draws at first. */
	async again(): Promise<boolean> {
		const { misfit, starts, options } = this.run;
		this.isDone = true;
		if (!options.segments || !leavesStructure(this.run) || !this.#rounds.goesOn(misfit, starts)) return false;
		if (!this.#hasGrown && this.#grow()) return true;
		return this.#from(() => this.#rounds.points(misfit, starts, this.#left));
	}

	async #from(points: () => Float64Array[]): Promise<boolean> {
		this.segments = this.#segmentRuns();
		await this.segments?.begin(points());
		return this.segments !== undefined;
	}

	/** Share of what may be done with cut records and before: rounds end sooner where ends come no lower. */
	get fraction(): number {
		const { grown, hops, segments } = this;
		if (grown) return beforeRounds.grown * grown.fraction;
		if (hops) return beforeRounds.grown + beforeRounds.hops * hops.fraction;
		if (this.#rounds.count === 0) return segments?.fraction ?? 0;
		const before = this.#hasGrown ? beforeRounds.grown + beforeRounds.hops : 0;
		return before + (1 - before) * this.#rounds.fraction;
	}

	#grow(): boolean {
		const { estimation, problem } = this.run;
		this.#hasGrown = true;
		const count = this.#nGrown;
		if (!this.#swings || count < 2 * this.#left) return false;
		const { unknowns } = estimation;
		const drawn = candidatePoints(unknowns, count + 1, problem.seed + grownForOne, true);
		this.grown = this.#grownRuns();
		this.grown.begin(nearOne(unknowns, drawn, 1).slice(1));
		return true;
	}

	get #nGrown(): number {
		const { estimation, options } = this.run;
		const numbers = estimation.observations.nObservations * estimation.unknowns.length;
		return Math.min(grownForOne * options.short, Math.floor(mostNumbers / numbers));
	}

	#grownRuns(): ShortRuns {
		const { run } = this;
		const counts = { short: this.#nGrown, starts: Math.min(run.options.starts, mostHopping) };
		return new ShortRuns((share) => partOf(run, share), counts, "all");
	}

	/** One evaluation of all points; what is left of them when records are whole again. */
	async round(): Promise<Float64Array[] | undefined> {
		const running = (this.grown ?? this.hops ?? this.segments)!;
		const found = await running.round();
		if (!found) return undefined;
		this.run.evaluations += running.evaluations;
		this.addsStarts = this.#hasGrown;
		if (this.grown) return this.#hopFrom(found);
		this.hops = undefined;
		this.segments = undefined;
		return found.slice(0, this.#left);
	}

	#hopFrom(points: readonly Float64Array[]): undefined {
		this.grown = undefined;
		this.hops = this.#newHops();
		this.hops.begin(points);
	}

	#newHops(): Hops {
		const { misfit, problem, options } = this.run;
		const rounds = Math.ceil(hopRoundsForOne.most * options.short);
		const patience = Math.ceil(hopRoundsForOne.idle * options.short);
		return new Hops(misfit, { rounds, patience, swings: true }, problem.seed + grownForOne);
	}

	/** Takes starts that a round's search goes on with away from those that have ended. */
	takeUnfinished(): Float64Array[] {
		const { run } = this;
		const unfinished = this.#rounds.unfinished(run.starts);
		run.starts = run.starts.filter((start) => !unfinished.includes(start));
		return unfinished.map(({ z }) => Float64Array.from(z));
	}

	/** Whether a search of many is one of several, after which the best is followed to its end. */
	get isBrief(): boolean {
		return this.addsStarts || (this.#swings && this.run.options.short > 0);
	}

	/** Of each start of a search of many. */
	get evaluations(): number {
		const { maxEvaluations } = this.run.options;
		return this.isBrief ? Math.min(roundEvaluations, maxEvaluations) : maxEvaluations;
	}

	get #left(): number {
		return Math.min(this.run.options.starts, mostLeft);
	}

	#segmentRuns(): SegmentRuns | undefined {
		const { misfit, estimation, integration } = this.run;
		return SegmentRuns.of(misfit, estimation, integration, this.#left);
	}

	save(): CuttingState {
		const { segments, grown, hops, isDone: isCut, addsStarts } = this;
		return {
			segments: segments?.save() ?? null,
			grown: grown?.save() ?? null,
			hasGrown: this.#hasGrown,
			hops: hops?.save() ?? null,
			isCut,
			rounds: this.#rounds.save(),
			addsStarts,
		};
	}

	async restore(state: CuttingState): Promise<void> {
		const { segments, grown, hasGrown, hops, isCut, rounds, addsStarts } = state;
		this.#hasGrown = hasGrown;
		this.isDone = isCut;
		this.addsStarts = addsStarts;
		this.#rounds.restore(rounds);
		if (grown) {
			this.grown = this.#grownRuns();
			await this.grown.restore(grown);
		}
		if (hops) {
			this.hops = this.#newHops();
			await this.hops.restore(hops);
		}
		if (!segments) return;
		this.segments = this.#segmentRuns()!;
		this.segments.restore(segments);
	}
}
