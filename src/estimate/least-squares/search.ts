/** Many least-squares searches in lockstep: one batch of simulations advances all of them. */
import { costUnit, type LikelihoodProblem, type Misfit, misfits } from "../observe/likelihood.ts";
import { raysAlongFlat } from "./flat-directions.ts";
import { type LeastSquaresSnapshot, LevenbergMarquardt } from "./levenberg-marquardt.ts";
import { searchBounds, searchReach, usualLengths } from "./region.ts";
import { type Look, looks } from "./still-unknowns.ts";

/** Two searches that are this near, relative to the unknowns' size, and whose costs are, go to the same optimum. */
const sameBasin = { distance: 0.02, cost: 0.02 };

/** A fall that is worth going on for from a point beside the end, in units of the cost. */
const leastFall = 1e-4;

export class Search {
	/** For a search that ran into the basin of a better one: which it is. */
	readonly leader = new Map<LevenbergMarquardt, LevenbergMarquardt>();
	/** What was told and is not needed any more: the next evaluations are written there. */
	readonly #spare: Misfit[] = [];
	/** Those from whose end no flat direction leads further down. */
	readonly #ended = new Set<LevenbergMarquardt>();

	constructor(
		readonly machines: readonly LevenbergMarquardt[],
		readonly problem: LikelihoodProblem,
		/** Whether searches that meet go on as one: not where each has values of its own fixed. */
		readonly joins: boolean,
		/** Whether a trial is simulated alone first, and with its derivatives only where it is better: they take many times as long. */
		readonly looksFirst = false,
		/** Whether what the records do not show at an end is looked along: far points take the longest to simulate. */
		readonly looksAlong = looksFirst,
	) {}

	static from(
		problem: LikelihoodProblem,
		starts: readonly Float64Array[],
		options: {
			maxEvaluations: number;
			fixed?: readonly (readonly number[])[];
			damping?: number;
			/** Starts far away: unknowns on a logarithmic scale go no further than a decade in one step. */
			careful?: boolean;
			/** One of many: falls that no statistic sees are none. */
			rough?: boolean;
			/** One of very many, of a part of the records: its end is where it comes to rest. */
			brief?: boolean;
		},
	): Search {
		const bounds = searchBounds(problem);
		const reach = searchReach(problem);
		const lengths = usualLengths(problem);
		return new Search(
			starts.map(
				(start, i) =>
					new LevenbergMarquardt(
						start,
						bounds,
						{
							maxEvaluations: options.maxEvaluations,
							tolerance: options.rough ? 1e-6 : 1e-8,
							damping: options.damping,
							lengths,
							...(options.careful && { reach }),
						},
						new Set(options.fixed?.[i] ?? []),
					),
			),
			problem,
			options.fixed === undefined,
			options.careful,
			options.careful && !options.brief,
		);
	}

	get running(): readonly LevenbergMarquardt[] {
		return this.machines.filter(({ trial }) => trial !== undefined);
	}

	/** Share of the evaluations that is made or not needed any more. */
	get fraction(): number {
		return this.machines.reduce((sum, { fraction }) => sum + fraction, 0) / this.machines.length;
	}

	/** One evaluation for every search that still runs; false when none does. */
	async round(): Promise<boolean> {
		const seen = this.looksFirst ? await this.#promising() : undefined;
		const running = seen ? [...seen.keys()] : this.running;
		const told = await misfits(
			this.problem,
			running.map(({ trial }) => trial!),
			this.#spare,
		);
		running.forEach((machine, i) => {
			const { residual, jacobian } = machine;
			// An adaptive solver takes other steps beside derivatives: costs are compared by simulations of one kind.
			machine.tell(told[i].residual, told[i].jacobian, seen?.get(machine) ?? told[i].cost, told[i].unit);
			if (machine.jacobian !== told[i].jacobian) this.#spare.push(told[i]);
			else if (residual && jacobian) this.#spare.push({ ...told[i], residual, jacobian });
		});
		if (this.joins) this.#join();
		if (this.joins && this.looksAlong)
			for (const machine of this.machines)
				if (machine.outcome === "converged" && !this.#ended.has(machine)) await this.#lookAlongFlat(machine);
		return this.running.length > 0;
	}

	/** A search that came to rest goes on where what the records did not show there leads to something better. */
	async #lookAlongFlat(machine: LevenbergMarquardt): Promise<void> {
		// A point may be simulated well and its derivatives not: the same look would lead there again, without an end.
		if (machine.cameBack || machine.isSpent) {
			this.#ended.add(machine);
			return;
		}
		const { best: from, cost } = machine;
		const unit = costUnit(this.problem, cost);
		let best: Look = { z: from, cost: cost - leastFall * unit };
		let rays = raysAlongFlat(this.problem, machine).filter(({ length }) => length > 0);
		for (let k = 0; rays.length > 0; k++) {
			const seen = await looks(
				this.problem,
				rays.map((ray) => ray[k]),
			);
			best = seen.reduce((least, each) => (each.cost < least.cost ? each : least), best);
			// Where much is lost a direction is flat no longer, and what cannot be simulated is not further out: such points take the longest.
			rays = rays.filter(({ length }, i) => length > k + 1 && seen[i].cost <= cost + unit);
		}
		if (best.z === from) this.#ended.add(machine);
		else machine.goOn(best.z);
	}

	/** Those whose trial is better than what they have, and its cost; the others are told that it is not. */
	async #promising(): Promise<Map<LevenbergMarquardt, number>> {
		const { running } = this;
		const trials = await looks(
			this.problem,
			running.map(({ trial }) => trial!),
		);
		const better = new Map<LevenbergMarquardt, number>();
		running.forEach((machine, i) => {
			const { z, cost } = trials[i];
			if (cost < machine.cost) {
				machine.trial = z;
				better.set(machine, cost);
			} else machine.reject();
		});
		return better;
	}

	get best(): LevenbergMarquardt {
		return this.machines.reduce((best, machine) => (machine.cost < best.cost ? machine : best));
	}

	/** The search whose end stands for this one: itself, or its leader. */
	endOf(machine: LevenbergMarquardt): LevenbergMarquardt {
		const leader = this.leader.get(machine);
		return leader ? this.endOf(leader) : machine;
	}

	/** Stops searches that have come into the basin of a better one. */
	#join(): void {
		for (const machine of this.running) {
			const leader = this.machines.find(
				(other) =>
					other !== machine &&
					other.cost < machine.cost &&
					machine.cost - other.cost <= sameBasin.cost * costUnit(this.problem, other.cost) &&
					this.#near(machine.best, other.best),
			);
			if (!leader) continue;
			this.leader.set(machine, leader);
			machine.stop();
		}
	}

	snapshot(): SearchSnapshot[] {
		return this.machines.map((machine) => {
			const leader = this.leader.get(machine);
			return { ...machine.snapshot(), leader: leader ? this.machines.indexOf(leader) : -1 };
		});
	}

	/** Goes on from snapshots of the same searches: what had been told is evaluated again. */
	async restore(snapshots: readonly SearchSnapshot[]): Promise<void> {
		const known = snapshots.flatMap(({ cost }, i) => (cost === null ? [] : [i]));
		const told = await misfits(
			this.problem,
			known.map((i) => Float64Array.from(snapshots[i].best)),
		);
		snapshots.forEach((snapshot, i) => {
			const at = known.indexOf(i);
			this.machines[i].restore(snapshot, told[at]?.residual, told[at]?.jacobian);
			if (snapshot.outcome !== null) this.#ended.add(this.machines[i]);
			if (snapshot.leader >= 0) this.leader.set(this.machines[i], this.machines[snapshot.leader]);
		});
	}

	#near(a: Float64Array, b: Float64Array): boolean {
		return a.every((value, i) => {
			const size = this.problem.unknowns[i].scale === "log" ? 1 : Math.max(Math.abs(b[i]), 1e-6);
			return Math.abs(value - b[i]) <= sameBasin.distance * size;
		});
	}
}

export interface SearchSnapshot extends LeastSquaresSnapshot {
	/** Position of the search that this one joined; -1 for none. */
	readonly leader: number;
}
