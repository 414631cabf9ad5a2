/** The records as flows of Taylor models of one degree, which may be raised. */
import { monomials } from "../../../interval/taylor/monomials.ts";
import { type Constraint, ConstraintReader } from "../constraint/constraint.ts";
import { ExperimentFlow } from "../flow/experiment-flow.ts";
import type { Question } from "./question.ts";

/** Terms of one Taylor model that an order may have at most. */
const mostMonomials = 130;
/** The order for so many unknowns to begin with. */
const firstOrder = (n: number): number => (n <= 2 ? 6 : n <= 3 ? 5 : n <= 5 ? 4 : 3);

export class Models {
	readonly #question: Question;
	readonly #readers = new Map<Int32Array, ConstraintReader>();
	#order: number;
	#flows: readonly ExperimentFlow[];

	constructor(question: Question) {
		this.#question = question;
		const { order } = question.options;
		this.#order = order === "auto" ? firstOrder(this.#mostUnknowns) : order;
		this.#flows = this.#made();
	}

	get order(): number {
		return this.#order;
	}

	get flows(): readonly ExperimentFlow[] {
		return this.#flows;
	}

	/** Unknowns of one record at most. */
	get #mostUnknowns(): number {
		const { problem, unknowns } = this.#question;
		return Math.max(
			1,
			...problem.train.map(
				(_, e) => unknowns.filter(({ kind, experiment }) => kind === "param" || experiment === e).length,
			),
		);
	}

	#made(): ExperimentFlow[] {
		const { problem, system, unknowns, options, effort, isFree } = this.#question;
		return problem.train.map(
			(experiment, e) =>
				new ExperimentFlow(system, experiment, e, unknowns, {
					...options,
					order: this.#order,
					spending: effort,
					isFree,
				}),
		);
	}

	/** All that follows is done with another order; what is known of boxes holds whatever the order was. */
	setOrder(order: number): void {
		if (order === this.#order) return;
		const before = this.#flows;
		this.#order = order;
		this.#flows = this.#made();
		this.#flows.forEach(({ flow }, i) => {
			flow.steps = before[i].flow.steps;
		});
		this.#readers.clear();
	}

	/** Two degrees more, where that is not too many terms. */
	raise(): boolean {
		const order = this.#order + 2;
		if (monomials(this.#mostUnknowns, order).length > mostMonomials) return false;
		this.setOrder(order);
		return true;
	}

	/** Reads a constraint; one for each set of variables. */
	readonly reader = (constraint: Constraint): ConstraintReader => {
		const known = this.#readers.get(constraint.variables);
		if (known) return known;
		const made = new ConstraintReader(this.#flows[constraint.experiment].table);
		this.#readers.set(constraint.variables, made);
		return made;
	};
}
