/** When records are cut into segments, and what is followed of it: once, from the ends of few starts, or round by round, from those of many. */
import { candidatePoints } from "../../estimate/least-squares/starts.ts";
import { CutRounds } from "./cut-rounds.ts";
import { leavesStructure } from "./doubts.ts";
import type { FitRun } from "./fit-run.ts";
import type { FitCheckpoint } from "./fit-state.ts";
import { SegmentRuns } from "./segment-runs.ts";

/** Points that begin with cut records, for each that is left in the end; and how many are left at most. */
const pointsForOne = 4;
const mostLeft = 8;
/** Evaluations of each that is left of a round, before the next one. */
const roundEvaluations = 100;

type CuttingState = Pick<FitCheckpoint, "segments" | "isCut" | "rounds" | "addsStarts">;

export class Cutting {
	/** While records are cut. */
	segments: SegmentRuns | undefined;
	/** Whether records were cut, or there was no need to. */
	isDone = false;
	/** Whether the search under way follows what is left of a round, beside the starts that there are. */
	addsStarts = false;
	readonly #rounds: CutRounds;

	constructor(readonly run: FitRun) {
		this.#rounds = new CutRounds(run.problem.seed);
	}

	/** Where records swing and what is left of them at the optimum is no noise. */
	async begin(): Promise<boolean> {
		const { run } = this;
		this.isDone = true;
		if (!run.options.segments || this.#rounds.count > 0 || !leavesStructure(run)) return false;
		const { unknowns } = run.estimation;
		const drawn = candidatePoints(unknowns, pointsForOne * this.#left, run.problem.seed, true);
		return this.#from(() => [...run.ends, ...drawn]);
	}

	/** The same round by round, as long as ends come lower. */
	async again(): Promise<boolean> {
		const { misfit, starts, options } = this.run;
		this.isDone = true;
		if (!options.segments || !leavesStructure(this.run) || !this.#rounds.goesOn(misfit, starts)) return false;
		return this.#from(() => this.#rounds.points(misfit, starts, this.#left));
	}

	async #from(points: () => Float64Array[]): Promise<boolean> {
		this.segments = this.#segmentRuns();
		await this.segments?.begin(points());
		return this.segments !== undefined;
	}

	/** One evaluation of all points; what is left of them when records are whole again. */
	async round(): Promise<Float64Array[] | undefined> {
		const found = await this.segments!.round();
		if (!found) return undefined;
		this.run.evaluations += this.segments!.evaluations;
		this.segments = undefined;
		this.addsStarts = this.#rounds.count > 0;
		return found;
	}

	/** Takes starts that a round's search goes on with away from those that have ended. */
	takeUnfinished(): Float64Array[] {
		const { run } = this;
		const unfinished = this.#rounds.unfinished(run.starts);
		run.starts = run.starts.filter((start) => !unfinished.includes(start));
		return unfinished.map(({ z }) => Float64Array.from(z));
	}

	/** Of each start of the search under way. */
	get evaluations(): number {
		const { maxEvaluations } = this.run.options;
		return this.addsStarts ? Math.min(roundEvaluations, maxEvaluations) : maxEvaluations;
	}

	get #left(): number {
		return Math.min(this.run.options.starts, mostLeft);
	}

	#segmentRuns(): SegmentRuns | undefined {
		const { misfit, estimation, integration } = this.run;
		return SegmentRuns.of(misfit, estimation, integration, this.#left);
	}

	save(): CuttingState {
		const { segments, isDone: isCut, addsStarts } = this;
		return { segments: segments?.save() ?? null, isCut, rounds: this.#rounds.save(), addsStarts };
	}

	restore({ segments, isCut, rounds, addsStarts }: CuttingState): void {
		this.isDone = isCut;
		this.addsStarts = addsStarts;
		this.#rounds.restore(rounds);
		if (!segments) return;
		this.segments = this.#segmentRuns()!;
		this.segments.restore(segments);
	}
}
