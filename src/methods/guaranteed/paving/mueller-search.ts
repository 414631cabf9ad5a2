/**
 * The search with Müller's brackets, step by step: the paving of the unknowns, then the course of states and outputs over what is left
 * of it.
 */

import type { Constraint } from "../constraint/constraint.ts";
import type { ExperimentFlow } from "../flow/experiment-flow.ts";
import type { FlowFailure } from "../flow/flow.ts";
import type { Failure, InstantRecord, TubeRecord } from "../pass.ts";
import type { GuaranteedUnknown } from "../unknowns.ts";
import { BracketedExperiment } from "./bracketed-experiment.ts";
import { type MuellerOptions, MuellerPaving } from "./mueller-paving.ts";
import { hullOf } from "./sivia.ts";

/** Groups of boxes whose courses are followed together. */
const mostGroups = 64;

interface Followed {
	readonly box: Float64Array;
	readonly constraints: readonly Constraint[];
	readonly instants: readonly InstantRecord[];
	readonly tubes: readonly TubeRecord[];
	readonly failure?: Failure;
}

export class MuellerSearch {
	readonly paving: MuellerPaving;
	readonly followed: Followed[] = [];
	readonly #flows: readonly ExperimentFlow[];
	readonly #start: Float64Array;
	readonly #brackets: readonly BracketedExperiment[];
	#groups: Float64Array[][] | undefined;

	constructor(
		flows: readonly ExperimentFlow[],
		unknowns: readonly GuaranteedUnknown[],
		start: Float64Array,
		options: MuellerOptions,
	) {
		this.#flows = flows;
		this.#start = start;
		this.#brackets = flows.map((flow) => new BracketedExperiment(flow, false, options));
		this.paving = new MuellerPaving(flows, unknowns, start, this.#brackets, options);
	}

	get done(): boolean {
		return this.#groups?.length === 0;
	}

	advance(): void {
		if (!this.paving.done) {
			this.paving.advance(10);
			return;
		}
		this.#groups ??= this.#grouped();
		const group = this.#groups.pop();
		if (!group) return;
		const record = this.#follow(hullOf(group)!);
		// Together they may be too wide where each alone is not.
		if (record.failure && group.length > 1 && !record.failure.isSpent) {
			const half = group.length >> 1;
			this.#groups.push(group.slice(0, half), group.slice(half));
		} else this.followed.push(record);
	}

	/** Neighbours along the side that is the widest beside its prior. */
	#grouped(): Float64Array[][] {
		const boxes = [...this.paving.inner, ...this.paving.outer];
		const whole = hullOf(boxes);
		if (!whole) return [];
		const share = (k: number): number => {
			const prior = this.#start[2 * k + 1] - this.#start[2 * k];
			return prior > 0 ? (whole[2 * k + 1] - whole[2 * k]) / prior : 0;
		};
		let side = 0;
		for (let k = 1; 2 * k < whole.length; k++) if (share(k) > share(side)) side = k;
		boxes.sort((a, b) => a[2 * side] - b[2 * side]);
		const size = Math.ceil(boxes.length / mostGroups);
		const groups: Float64Array[][] = [];
		for (let i = 0; i < boxes.length; i += size) groups.push(boxes.slice(i, i + size));
		return groups;
	}

	/** States and outputs of all values of a box. */
	#follow(box: Float64Array): Followed {
		const instants: InstantRecord[] = [];
		const tubes: TubeRecord[] = [];
		const constraints: Constraint[] = [];
		for (const [e, bracketed] of this.#brackets.entries()) {
			const flow = this.#flows[e];
			const states = bracketed.start(box);
			let t = flow.experiment.times[0];
			const fail = (failure: FlowFailure): Followed => ({
				box,
				constraints,
				instants,
				tubes,
				failure: { ...failure, experiment: e },
			});
			if (!states) return fail(bracketed.undefinedStart(box, t));
			for (const instant of flow.instants) {
				const failure = bracketed.advance(states, box, t, instant.t, (from, to, tube) =>
					tubes.push({ experiment: e, from, to, states: [...tube] }),
				);
				if (failure) return fail(failure);
				t = instant.t;
				instants.push({ experiment: e, t, states: [...states], unknowns: [...box] });
				const out = bracketed.outputs(states, box, t);
				if (!out) return fail(bracketed.undefinedOutputs(states, box, t));
				for (const { measure, y } of instant.data)
					constraints.push(bracketed.constraint(out, states, box, t, measure, y));
			}
		}
		return { box, constraints, instants, tubes };
	}
}

/** What was known of the unknowns as data came in: all that later data took is still there. */
export function shrinkage(
	flows: readonly ExperimentFlow[],
	{ inner, outer, removed }: MuellerPaving,
): InstantRecord[] {
	return flows.flatMap(({ instants }, experiment) =>
		instants.flatMap(({ t }): InstantRecord[] => {
			const later = removed.filter(
				(each) => each.experiment > experiment || (each.experiment === experiment && each.t > t),
			);
			const hull = hullOf([...inner, ...outer, ...later.map(({ box }) => box)]);
			return hull ? [{ experiment, t, states: [], unknowns: [...hull] }] : [];
		}),
	);
}
