/** Where searches begin: candidates that are tried once; if asked for, short runs of many, and hops from their optima. */
import type { Integration } from "../../../estimate/forward/estimation.ts";
import { mostTimes } from "../../../estimate/forward/horizon.ts";
import { looseAdaptive } from "../../../estimate/forward/integration.ts";
import { costs, type LikelihoodProblem } from "../../../estimate/observe/likelihood.ts";
import type { FitRun } from "../fit-run.ts";
import { finerIntegration, smallRecord } from "../steps.ts";
import { Hops, type HopsState } from "./hops.ts";
import { Screening } from "./screening.ts";
import { ShortRuns, type ShortRunsState } from "./short-runs.ts";

/** Times of a record from which on it may be shown to short runs piece by piece. */
const fewestTimes = 8;
/** Candidates that blew up and are looked at with the adaptive solver, which is slow. */
const lookedAt = 4;
/** Share of the candidates that fixed steps may lose where records are long. */
const mostLost = 0.25;

/** The problem with this share of each record. */
export function partOf({ misfit, forwards, integration }: FitRun, share: number): LikelihoodProblem {
	const { observations } = forwards.part(share);
	return { ...misfit, observations, forward: forwards.at(integration, share) };
}

export type StartingPhase = "screen" | "short" | "hop";

export interface StartingState {
	readonly phase: StartingPhase;
	readonly evaluations: number;
	readonly short: ShortRunsState | null;
	readonly hops: HopsState | null;
}

export class Starting {
	phase: StartingPhase = "screen";
	/** Of short runs and hops that are over. */
	evaluations = 0;
	/** While starts are followed a few steps. */
	short: ShortRuns | undefined;
	/** While starts hop from one optimum to another. */
	hops: Hops | undefined;
	#screening: Screening | undefined;

	constructor(readonly run: FitRun) {}

	/** Candidates that were simulated. */
	get tried(): number {
		return this.#screening?.tried ?? 0;
	}

	/** Share of the candidates that was. */
	get screened(): number {
		return this.#screening?.fraction ?? 0;
	}

	/** One round; the starts, when they are found. */
	async round(): Promise<Float64Array[] | undefined> {
		if (this.phase === "screen") return this.#screen();
		const running = (this.short ?? this.hops)!;
		const starts = this.short ? await this.short.round() : await this.hops!.round();
		if (!starts) return undefined;
		this.evaluations += running.evaluations;
		if (!this.short) {
			this.hops = undefined;
			return starts;
		}
		this.short = undefined;
		return this.#hopFrom(starts);
	}

	/** A share of the candidates; the last share chooses the starts. */
	async #screen(): Promise<Float64Array[] | undefined> {
		const { estimation, options, problem, misfit, integration } = this.run;
		const { starts, short } = options;
		this.#screening ??= new Screening(estimation.unknowns, options, problem.seed);
		if (await this.#screening.round(misfit, integration.kind === "adaptive")) return undefined;
		const finer = await this.#finerFor(this.#screening);
		if (finer) {
			this.run.integration = finer;
			this.#screening = undefined;
			return undefined;
		}
		const isShort = short > starts;
		const chosen = this.#screening.starts(isShort ? short : starts);
		if (!isShort) return this.#hopFrom(chosen);
		this.short = this.#shortRuns();
		this.short.begin(chosen);
		this.phase = "short";
		return undefined;
	}

	/** Starts hop, if they shall, before they are followed to their end. */
	#hopFrom(starts: Float64Array[]): Float64Array[] | undefined {
		if (this.run.options.hops === 0) return starts;
		this.hops = this.#newHops();
		this.hops.begin(starts);
		this.phase = "hop";
		return undefined;
	}

	#newHops(): Hops {
		const { misfit, options, problem } = this.run;
		return new Hops(misfit, { rounds: options.hops }, problem.seed);
	}

	#shortRuns(): ShortRuns {
		const { run } = this;
		const canGrow = mostTimes(run.estimation) >= fewestTimes;
		return new ShortRuns((share) => partOf(run, share), run.options, canGrow ? "half" : "none");
	}

	/**
	 * Where candidates blew up: finer steps, then the adaptive solver, if that comes through where the steps did not. Else the steps' own limit
	 * would stand around the search like a wall, with an optimum and the ends of intervals at its foot that look as sound as any.
	 */
	async #finerFor({ lost, tried }: Screening): Promise<Integration | undefined> {
		const { integration, options, estimation, misfit, forwards } = this.run;
		if (lost.length === 0 || integration.kind === "adaptive") return undefined;
		const finer = finerIntegration(integration, Number.POSITIVE_INFINITY, options);
		if (!finer || lost.length === tried) return finer;
		// So slow a solver pays for small records, or where much would be lost.
		const isDear = finer.kind === "adaptive" && estimation.observations.nObservations > smallRecord;
		if (isDear && lost.length <= mostLost * tried) return undefined;
		const exact = { ...misfit, forward: forwards.at(looseAdaptive) };
		const found = await costs(exact, lost.slice(0, lookedAt));
		return found.some(Number.isFinite) ? finer : undefined;
	}

	/** Candidates, if some are tried, are tried again. */
	save(): StartingState {
		const { phase, evaluations, short, hops } = this;
		return { phase, evaluations, short: short?.save() ?? null, hops: hops?.save() ?? null };
	}

	async restore({ phase, evaluations, short, hops }: StartingState): Promise<void> {
		this.phase = phase;
		this.evaluations = evaluations;
		if (short) {
			this.short = this.#shortRuns();
			await this.short.restore(short);
		}
		if (hops) {
			this.hops = this.#newHops();
			await this.hops.restore(hops);
		}
	}
}
