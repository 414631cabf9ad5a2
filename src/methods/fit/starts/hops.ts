/**
 * Hops from one optimum to another. Starts end in the optimum next to them, and of problems with many a start rarely stands next to the
 * best; but good optima lie beside others that are nearly as good. So each of the points that are left is moved at random, in one of four ways; of many such moves, each
 * simulated once, the best is followed a few steps down, and further where it comes among the others. It takes the place of the point that it comes
 * from where it is better: points that compete only with their own past stay different from one another, which is what the moves between them live on.
 *
 * References: Wales, Doye, "Global optimization by basin-hopping", Journal of Physical Chemistry A 101, 1997; Egea, Martí, Banga, "An evolutionary
 * method for complex-process optimization", Computers & Operations Research 37, 2010 (moves between points, and local searches from few of
 * them). Departs from both: a move is chosen out of many by its cost, not made once.
 */
import { searchBounds } from "../../../estimate/least-squares/region.ts";
import { Search, type SearchSnapshot } from "../../../estimate/least-squares/search.ts";
import { type Look, looks } from "../../../estimate/least-squares/still-unknowns.ts";
import { costUnit, type LikelihoodProblem } from "../../../estimate/observe/likelihood.ts";
import { type Stream, stream } from "../../../num/random.ts";
import { type HopMove, hopMoves } from "./hop-moves.ts";

/** Moves of one kind that are simulated, to follow the best of them. */
const tries = 20;
/** Evaluations that the first way down may take, that from a hop, and those after which it must be worth it. */
const evaluations = { first: 60, hop: 40, look: 12 };
/** Rounds without a better best, after which no more are made, unless it is told. */
const usualPatience = 12;
/** What counts as better and as different, beside the cost's own unit. */
const leastDifference = 1e-6;

export interface HopsOptions {
	readonly rounds: number;
	readonly patience?: number;
	/** Points of records that swing: moves are drawn towards 1, as the points were, and ends are where searches come to rest. */
	readonly swings?: boolean;
}

export interface HopsState {
	readonly round: number;
	readonly idle: number;
	readonly drawn: number;
	readonly evaluations: number;
	/** No cost: none is known yet. */
	readonly members: readonly { readonly z: readonly number[]; readonly cost: number | null }[];
	/** Those whose hop is still to be drawn. */
	readonly parents: readonly number[];
	readonly hops: readonly { readonly parent: number; readonly z: readonly number[] }[];
	readonly search: readonly SearchSnapshot[] | null;
}

/** A hop under way: whose it is, and where it begins. */
interface Hop {
	readonly parent: number;
	readonly z: Float64Array;
}

export class Hops {
	evaluations = 0;
	/** The points that hop, each the best of its own past. */
	members: Look[] = [];
	#turn = 0;
	#idle = 0;
	#drawn = 0;
	#hops: Hop[] = [];
	#parents: number[] = [];
	#search: Search | undefined;
	readonly #random: Stream;
	readonly #moves: readonly HopMove[];

	constructor(
		readonly problem: LikelihoodProblem,
		readonly options: HopsOptions,
		seed: number,
	) {
		this.#random = stream(seed, "fit hops, whose");
		this.#moves = hopMoves(
			problem.unknowns,
			searchBounds(problem),
			seed,
			() => this.#drawn++,
			options.swings,
		);
	}

	begin(starts: readonly Float64Array[]): void {
		this.members = starts.map((z) => ({ z, cost: Number.POSITIVE_INFINITY }));
		this.#hops = starts.map((z, parent) => ({ parent, z }));
		this.#search = this.#searchFrom(this.#hops);
	}

	get best(): number {
		return this.members.reduce((least, { cost }) => Math.min(least, cost), Number.POSITIVE_INFINITY);
	}

	get fraction(): number {
		return this.#turn / (this.options.rounds + 1);
	}

	/** A piece of a round of hops; the points, best first, when the last is over. */
	async round(): Promise<Float64Array[] | undefined> {
		const parent = this.#parents.shift();
		if (parent !== undefined) {
			const z = await this.#hopFrom(parent);
			if (z) this.#hops.push({ parent, z });
			return undefined;
		}
		this.#search ??= this.#searchFrom(this.#hops);
		if (this.#search.running.length > 0 && (await this.#search.round())) {
			if (this.#turn > 0) this.#giveUp(this.#search);
			return undefined;
		}
		this.#settle();
		const { rounds, patience = usualPatience } = this.options;
		if (this.#turn > rounds || this.#idle >= patience || this.members.length === 0)
			return [...this.members].sort((a, b) => a.cost - b.cost).map(({ z }) => z);
		this.#parents = this.#drawnParents();
		return undefined;
	}

	/** Hops that are still worse than all others after some steps are not worth more. */
	#giveUp(search: Search): void {
		const worst = this.members.reduce((most, { cost }) => Math.max(most, cost), Number.NEGATIVE_INFINITY);
		for (const machine of search.running)
			if (machine.evaluations >= evaluations.look && machine.cost > worst) machine.stop();
	}

	/** What came lower takes the place of what it comes from. */
	#settle(): void {
		const before = this.best;
		this.#hops.forEach(({ parent }, i) => {
			const machine = this.#search!.machines[i];
			this.evaluations += machine.evaluations;
			// One that ran into another's way is no point of its own.
			if (this.#search!.leader.has(machine)) return;
			const { best: z, cost } = machine;
			if (cost < this.members[parent].cost) this.members[parent] = { z, cost };
		});
		if (this.#turn === 0) this.members = this.members.filter(({ cost }) => cost < Number.POSITIVE_INFINITY);
		const unit = costUnit(this.problem, this.best);
		this.#idle = this.best < before - leastDifference * unit ? 0 : this.#idle + 1;
		this.#turn++;
		this.#hops = [];
		this.#search = undefined;
	}

	/** As many as half of the members, the better ones more often; of records that swing the best several times, as it falls again and again. */
	#drawnParents(): number[] {
		const ranked = this.members.map((_, i) => i).sort((a, b) => this.members[a].cost - this.members[b].cost);
		return Array.from({ length: Math.ceil(ranked.length / 2) }, () => {
			const place = Math.floor(ranked.length * this.#uniform() * this.#uniform());
			return this.options.swings ? ranked[place] : ranked.splice(place, 1)[0];
		});
	}

	async #hopFrom(parent: number): Promise<Float64Array | undefined> {
		const own = this.members[parent];
		const others = this.members.filter((member) => member !== own).map(({ z }) => z);
		const fit = this.#moves.filter(({ needs }) => others.length >= needs);
		const move = fit[Math.floor(fit.length * this.#uniform())].from(own.z, others);
		const seen = await looks(this.problem, Array.from({ length: tries }, move));
		const unit = leastDifference * costUnit(this.problem, own.cost);
		const best = seen.reduce<Look | undefined>(
			(least, each) =>
				each.cost < (least?.cost ?? Number.POSITIVE_INFINITY) && !(Math.abs(each.cost - own.cost) <= unit)
					? each
					: least,
			undefined,
		);
		return best?.z;
	}

	#uniform(): number {
		return this.#random.uniform(this.#drawn++);
	}

	#searchFrom(hops: readonly Hop[]): Search {
		return Search.from(
			this.problem,
			hops.map(({ z }) => z),
			{
				maxEvaluations: this.#turn === 0 ? evaluations.first : evaluations.hop,
				careful: true,
				rough: true,
				brief: this.options.swings,
			},
		);
	}

	save(): HopsState {
		return {
			round: this.#turn,
			idle: this.#idle,
			drawn: this.#drawn,
			evaluations: this.evaluations,
			members: this.members.map(({ z, cost }) => ({
				z: [...z],
				cost: cost < Number.POSITIVE_INFINITY ? cost : null,
			})),
			parents: [...this.#parents],
			hops: this.#hops.map(({ parent, z }) => ({ parent, z: [...z] })),
			search: this.#search?.snapshot() ?? null,
		};
	}

	async restore(saved: HopsState): Promise<void> {
		this.#turn = saved.round;
		this.#idle = saved.idle;
		this.#drawn = saved.drawn;
		this.evaluations = saved.evaluations;
		this.members = saved.members.map(({ z, cost }) => ({
			z: Float64Array.from(z),
			cost: cost ?? Number.POSITIVE_INFINITY,
		}));
		this.#parents = [...saved.parents];
		this.#hops = saved.hops.map(({ parent, z }) => ({ parent, z: Float64Array.from(z) }));
		if (!saved.search) return;
		this.#search = this.#searchFrom(this.#hops);
		await this.#search.restore(saved.search);
	}
}
