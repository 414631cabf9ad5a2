/** Why the enclosure of a record ends: which expression of the model, at which states, and what to tighten. */
import { IntervalEvaluator } from "../../../lower/interval/evaluate-interval.ts";
import { tapeOf } from "../../../lower/interval/tape.ts";
import type { Node } from "../../../model/graph.ts";
import { symbolsOf } from "../../../model/walk.ts";
import { wholePower } from "../../../num/whole-power.ts";
import type { ExperimentFlow } from "./experiment-flow.ts";
import type { FlowFailure } from "./flow.ts";
import { type FlowSet, remainderOf } from "./flow-set.ts";
import { Hazards, type Hit } from "./hazards.ts";
import { rangeText } from "./range-text.ts";

/** How far ahead to look for a hazard, as shares of the record. */
const ahead = [0, 1e-6, 1e-4, 0.01, 0.05] as const;

interface Found {
	readonly hit: Hit;
	/** The symbols for which it was hit. */
	readonly box: Float64Array;
}

export class Ending {
	readonly #flow: ExperimentFlow;
	readonly #rhs: IntervalEvaluator;
	readonly #equations: Hazards;
	readonly #outputs: Hazards;
	readonly #initials: Hazards;

	constructor(flow: ExperimentFlow) {
		this.#flow = flow;
		const { system } = flow;
		const { symbols, states, rhs, model } = system;
		this.#rhs = new IntervalEvaluator(tapeOf(rhs, symbols), true);
		const hazards = (
			named: { name: string; node: (typeof rhs)[number] }[],
			passed?: ReadonlySet<Node>,
		): Hazards => new Hazards(model.graph, named, symbols, passed);
		const clock = new Set(flow.clock.switching);
		this.#equations = hazards(
			rhs.map((node, i) => ({ name: `${states[i]}'`, node })),
			clock,
		);
		// An output that may be on either side of a jump is known between both.
		this.#outputs = hazards(
			model.measures.flatMap(({ name, value, spread }) =>
				[value, ...(spread ? [spread] : [])].map((node) => ({ name, node })),
			),
		);
		this.#initials = hazards(
			model.initial.flatMap((knowledge, i) =>
				knowledge.kind === "exact" ? [{ name: `${states[i]}(0)`, node: knowledge.value }] : [],
			),
			clock,
		);
	}

	/** The equations may be undefined within such a share of the record, from this box of all symbols on. */
	isNear(box: Float64Array, share: number): boolean {
		return this.#find(box, [share]) !== undefined;
	}

	/** The failure of a set, explained. */
	ofSet(failure: FlowFailure, set: FlowSet): FlowFailure {
		const found = this.#find(this.#flow.symbolBounds(set, set.t), ahead);
		if (found) return this.#named(failure.t, this.#equations, found, set);
		const widest = this.#widest(set);
		const { lo, hi, name } = widest;
		const effects = this.#effects(set, (symbols) => symbols[2 * widest.index]);
		return {
			t: failure.t,
			why: `${failure.why}, with ${name} in ${rangeText(lo, hi)}`,
			advice: this.#narrow(effects, [name]),
		};
	}

	/** What an event sets is not defined all over a set. */
	ofEvent(failure: FlowFailure, set: FlowSet): FlowFailure {
		const { name, lo, hi } = this.#widest(set);
		return {
			...failure,
			why: `${failure.why}, with ${name} in ${rangeText(lo, hi)}`,
			advice: "Narrow the sets of the unknowns.",
			undefinedThere: true,
		};
	}

	/** The failure of a box of all symbols, explained; the widest state is the first of what is left to name. */
	ofBox(failure: FlowFailure, box: Float64Array): FlowFailure {
		const found = this.#find(box, ahead);
		if (found) return this.#named(failure.t, this.#equations, found);
		const { states } = this.#flow.system;
		let widest = 0;
		const share = (i: number): number =>
			(box[2 * i + 1] - box[2 * i]) / (Math.abs(box[2 * i] / 2 + box[2 * i + 1] / 2) + 1e-12);
		states.forEach((_, i) => {
			if (share(i) > share(widest)) widest = i;
		});
		return {
			t: failure.t,
			why: `${failure.why}, with ${states[widest]} in ${rangeText(box[2 * widest], box[2 * widest + 1])}`,
			advice: this.#narrow([], [states[widest]]),
		};
	}

	/** Outputs are not defined all over a box of symbols. */
	ofOutputs(t: number, box: Float64Array, set?: FlowSet): FlowFailure {
		const hit = this.#outputs.hit(box);
		if (hit) return this.#named(t, this.#outputs, { hit, box }, set);
		return {
			t,
			why: "an output has no bound on the whole enclosure",
			advice: "Narrow the sets of the unknowns.",
		};
	}

	/** What is wrong with initial values that are not defined for all parameters. */
	ofInitial(box: Float64Array): FlowFailure {
		const hit = this.#initials.hit(box);
		if (hit) return this.#named(0, this.#initials, { hit, box });
		return { t: 0, why: "has no bound", advice: "Narrow the sets of the parameters that it depends on." };
	}

	#named(t: number, hazards: Hazards, { hit, box }: Found, set?: FlowSet): FlowFailure {
		const why = hazards.text(hit, box);
		if (hit.hazard.kind === "jump")
			return {
				t,
				why,
				advice: `The enclosure does not get over this jump. Narrow the sets, or write a smooth step for it, such as  tanh((${hit.hazard.text})/0.01).`,
				undefinedThere: true,
			};
		const effects = set ? this.#effects(set, (symbols) => hazards.value(hit, symbols)) : [];
		const own = [...symbolsOf([hit.hazard.node])];
		return {
			t,
			why,
			advice: this.#narrow(effects, own),
			undefinedThere: true,
			isFinal: this.#unknownsBehind(own).length === 0,
		};
	}

	/** The first hazard that a box meets on its way. */
	#find(box: Float64Array, shares: readonly number[]): Found | undefined {
		const { nStates } = this.#flow.system;
		const { times } = this.#flow.experiment;
		const whole = times[times.length - 1] - times[0];
		const slopes = new Float64Array(2 * nStates);
		const here = this.#equations.hit(box);
		if (here) return { hit: here, box };
		this.#rhs.evaluate(box, slopes);
		for (const share of shares) {
			const h = share * whole;
			const next = box.slice();
			for (let i = 0; i < nStates; i++) {
				next[2 * i] += Math.min(0, h * slopes[2 * i]);
				next[2 * i + 1] += Math.max(0, h * slopes[2 * i + 1]);
			}
			next[next.length - 1] += h;
			const hit = this.#equations.hit(next);
			if (hit) return { hit, box: next };
		}
		return undefined;
	}

	/** The state that is the widest beside its size: what to tighten acts through it. */
	#widest(set: FlowSet): { index: number; name: string; lo: number; hi: number } {
		const { states } = this.#flow.system;
		const M = this.#flow.table.length;
		const rest = remainderOf(set);
		const radius = (i: number): number =>
			set.P.subarray(i * M + 1, (i + 1) * M).reduce((sum, c) => sum + Math.abs(c), rest[i]);
		const share = (i: number): number => radius(i) / (Math.abs(set.P[i * M]) + 1e-12);
		let index = 0;
		states.forEach((_, i) => {
			if (share(i) > share(index)) index = i;
		});
		const middle = set.P[index * M];
		return { index, name: states[index], lo: middle - radius(index), hi: middle + radius(index) };
	}

	/** By how much each unknown alone, from one end of its set to the other, changes what is read from the symbols. */
	#effects(set: FlowSet, read: (symbols: Float64Array) => number): number[] {
		const { table, variables, unknowns, system } = this.#flow;
		const { nStates, params } = system;
		const M = table.length;
		const middle = this.#flow
			.symbolBounds(set, set.t)
			.map((_, k, all) => (all[k - (k % 2)] + all[k - (k % 2) + 1]) / 2);
		const out = unknowns.map(() => 0);
		variables.forEach((which, v) => {
			const at = (end: -1 | 1): number => {
				const symbols = middle.slice();
				for (let i = 0; i < nStates; i++) {
					let x = 0;
					for (let m = 0; m < M; m++)
						if (table.exponent(m, v) === table.degree[m])
							x += set.P[i * M + m] * wholePower(end, table.degree[m]);
					symbols.fill(x, 2 * i, 2 * i + 2);
				}
				if (v < params.length)
					symbols.fill(set.centre[v] + end * set.scale[v], 2 * (nStates + v), 2 * (nStates + v) + 2);
				return read(symbols);
			};
			const effect = Math.abs(at(1) - at(-1));
			out[which] = Number.isFinite(effect) ? effect : 0;
		});
		return out;
	}

	/** What to narrow: the unknown with the greatest effect, or all that stand behind these symbols. */
	#narrow(effects: readonly number[], symbols: readonly string[]): string {
		const most = effects.indexOf(Math.max(0, ...effects));
		if (most >= 0 && effects[most] > 0)
			return `Narrow the set of ${this.#flow.unknowns[most].name}, on which it depends most.`;
		const behind = this.#unknownsBehind(symbols);
		if (behind.length === 1) return `Narrow the set of ${behind[0]}, on which it depends.`;
		if (behind.length > 0) return `Narrow the sets of ${behind.join(", ")}, on which it depends.`;
		return "No unknown acts on it: end the record before that time (train:), or mend the equations.";
	}

	/** Unknowns that act on symbols, through other states as well. */
	#unknownsBehind(symbols: readonly string[]): string[] {
		const { system, unknowns, index } = this.#flow;
		const reached = new Set(symbols);
		for (const name of reached) {
			const i = system.states.indexOf(name);
			if (i < 0) continue;
			const start = system.model.initial[i];
			const set = system.model.events.flatMap(({ assignments }) =>
				assignments.flatMap(({ target, value }) => (target === name ? [value] : [])),
			);
			const sources = [system.rhs[i], ...(start?.kind === "exact" ? [start.value] : []), ...set];
			for (const further of symbolsOf(sources)) reached.add(further);
		}
		const own = unknowns.filter(({ kind, name, component, experiment, prior }) => {
			if (!(prior.lo < prior.hi)) return false;
			return kind === "param"
				? reached.has(name)
				: experiment === index && reached.has(system.states[component]);
		});
		const rates = system.drifting.filter((name) => reached.has(name)).map((name) => `${name}'`);
		const bounded = system.bounded.filter((name) => reached.has(name));
		return [...own.map(({ name }) => name), ...rates, ...bounded];
	}
}
