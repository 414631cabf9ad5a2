/**
 * Records that are not periodic, [tyukin2016] Remark 3.6: R is an unknown vector then, and so are the starts of the hidden
 * states. R enters ŷ linearly and with functions that do not depend on λ, so it is projected out of the search and found
 * afterwards by linear least squares. The observer has no gain Γ here: it would forget θ, and R with it.
 */
import { InputError } from "../../../errors.ts";
import type { Progress } from "../../../estimate/run/progress.ts";
import type { Unknown } from "../../../estimate/unknowns/unknowns.ts";
import { expandCombinations } from "../../../model/combination.ts";
import { foldFormulaInputs } from "../../../model/formula-inputs.ts";
import type { Model } from "../../../model/model.ts";
import { gaussRule } from "../../../num/gauss-legendre.ts";
import { localPolynomial } from "../../../num/local-polynomial.ts";
import type { Problem } from "../../problem.ts";
import { type Natural, naturalOf } from "../adjustment/natural.ts";
import { isRefusal, type PeriodicForm } from "../form/form.ts";
import { formFunctions } from "../form/form-functions.ts";
import { recognize } from "../form/recognize.ts";
import { gridOf, sampleOn } from "../observer/grid.ts";
import { type Evaluation, Representation } from "../observer/representation.ts";
import type { PeriodicOptions } from "../question.ts";
import { leastChange, type Orthonormal, orthonormal } from "../search/linear-unknowns.ts";
import { bestOf, type Found, Objective, search } from "../search/search.ts";
import { startingPoints } from "../search/starts.ts";
import { initialUnknown, searchedUnknowns } from "../search/unknowns.ts";
import { type LongErrors, type LongRecord, longErrors } from "./long-errors.ts";

/** The observer's rate times the length of the record. */
const rate = 60;
const mostIntervals = 20_000;

export class LongRun {
	readonly found: Found[] = [];
	natural: Natural | undefined;
	/** Where as much noise again would take it. */
	shifted: Natural | undefined;
	evaluation: Evaluation | undefined;
	errors: LongErrors | undefined;
	/** ŷ with its R. */
	yhat: Float64Array | undefined;

	private constructor(
		readonly problem: Problem,
		readonly options: PeriodicOptions,
		readonly model: Model,
		readonly form: PeriodicForm,
		readonly unknowns: readonly Unknown[],
		readonly t: Float64Array,
		readonly y: Float64Array,
		readonly representation: Representation,
		readonly objective: Objective,
		readonly free: Orthonormal,
		readonly starts: readonly Float64Array[],
		readonly recordOf: (y: Float64Array) => LongRecord,
	) {}

	static async of(problem: Problem, options: PeriodicOptions): Promise<LongRun> {
		const { model } = expandCombinations(foldFormulaInputs(problem.model));
		const form = recognize(model);
		if (isRefusal(form)) throw new InputError(form.subject, form.problem, form.remedy);
		if (form.drives.length > 0)
			throw new InputError(
				form.drives[0] === "t" ? "time t" : `input ${form.drives[0]}`,
				"drives the model, and a long record that is not periodic has to be of the model alone",
				"Use  method: fit, which takes inputs of every kind.",
			);
		const closed = form.hidden.find(({ closure }) => closure);
		if (closed)
			throw new InputError(
				`state ${closed.component}`,
				"has a parameter that comes from the closure of a period, which this record has not",
				"Use  method: fit.",
			);
		const looped = form.hidden.find(({ loop }) => loop);
		if (looped)
			throw new InputError(
				`state ${looped.component}`,
				"is in a loop of hidden states, whose start comes from the closure of a period, which this record has not",
				"Use  method: fit.",
			);
		const [experiment] = problem.train;
		const series = experiment?.outputs.get(model.measures[0].name);
		if (!series || problem.train.length !== 1)
			throw new InputError(
				"data",
				"has to be one record of the measured state where it is long and not periodic",
				"Name one file under  data:, or use  method: fit, which takes several.",
			);
		const { times: t, values: y } = series;
		if (t.length < 50)
			throw new InputError(
				experiment.name,
				`has ${t.length} samples`,
				"A long record needs 50 at the very least.",
			);
		const automatic = Math.min(mostIntervals, Math.max(400, t.length));
		const intervals = options.intervals === "auto" ? automatic : options.intervals;
		const span = t[t.length - 1] - t[0];
		const grid = gridOf(span, intervals, gaussRule(options.nodes));
		const constants = Float64Array.from(form.constants, (name) => experiment.conditions[name]);
		const r = form.terms.length;
		const gains = () => ({ kappa: rate / span, gamma: new Float64Array(r * r) });
		const functions = formFunctions(form);
		const recordOf = (values: Float64Array): LongRecord => {
			const curve = localPolynomial(t, values);
			const sampled = sampleOn(grid, (phi) => curve.at(t[0] + (phi / (2 * Math.PI)) * span));
			const representation = new Representation(form, grid, sampled, constants, gains, functions, true);
			return { representation, free: orthonormal(columnsOf(representation)) };
		};
		const { representation, free } = recordOf(y);
		const unknowns = longUnknowns(model, form, problem, representation);
		const objective = new Objective(representation, unknowns, free);
		const informed = unknowns.every((unknown) => unknown.informed || unknown.kind === "initial");
		const count = options.starts === "auto" ? (unknowns.length === 0 ? 1 : informed ? 2 : 8) : options.starts;
		const starts = await startingPoints(
			objective,
			representation,
			unknowns,
			[],
			count,
			problem.seed,
			undefined,
		);
		return new LongRun(
			problem,
			options,
			model,
			form,
			unknowns,
			t,
			y,
			representation,
			objective,
			free,
			starts,
			recordOf,
		);
	}

	get best(): Found | undefined {
		return bestOf(this.found);
	}

	async advance(): Promise<Progress> {
		if (this.found.length < this.starts.length) {
			const { optimizer, maxEvaluations } = this.options;
			const start = this.starts[this.found.length];
			this.found.push(search(this.objective, this.unknowns, start, optimizer, maxEvaluations, new Set(), []));
		}
		const done = this.found.length === this.starts.length;
		if (done) this.#conclude();
		const label = `${this.found.length} of ${this.starts.length} starts`;
		return { done, fraction: this.found.length / this.starts.length, label };
	}

	save(): { found: readonly Found[] } {
		return { found: this.found };
	}

	restore({ found }: { found: readonly Found[] }): void {
		this.found.push(...found);
		if (this.found.length === this.starts.length) this.#conclude();
	}

	#conclude(): void {
		const { best, representation, objective, form, model } = this;
		if (!best) return;
		const lambda = objective.natural(best.z);
		this.evaluation = representation.evaluate(lambda);
		if (!this.evaluation) return;
		const { y, hidden } = this.evaluation;
		// R makes ŷ + P R - y least.
		const R = leastChange(
			this.free,
			y.map((value, k) => value - representation.y.starts[k]),
		);
		const columns = columnsOf(representation);
		this.yhat = y.map((value, k) => columns.reduce((sum, column, a) => sum + column[k] * R[a], value));
		this.errors = longErrors(this.t, this.y, this.recordOf, lambda, this.evaluation, R, this.problem.seed);
		// Quantities: λ, R, closures (none), starts of hidden states, ω (none); the place of each among the unknowns and R.
		const p = lambda.length;
		const nLambda = form.lambda.length;
		const place = [
			...Array(nLambda).keys(),
			...Array.from(R, (_, a) => p + a),
			...form.hidden.map(() => -1),
			...form.hidden.map((_, i) => nLambda + i),
			-1,
		];
		const size = p + R.length;
		const spread = this.errors.covariance;
		const covariance = Float64Array.from(
			place.flatMap((i) => place.map((j) => (i < 0 || j < 0 ? 0 : spread[i * size + j]))),
		);
		const quantities = Float64Array.of(
			...lambda.subarray(0, nLambda),
			...R,
			...hidden.map(() => 0),
			...hidden,
			1,
		);
		const question = { form, model, constants: representation.constants, record: { variance: 1 } };
		const found = { representation, quantities, covariance, omega: 1 };
		this.natural = naturalOf(question, found, this.problem.start);
		const { shift } = this.errors;
		const shifted = quantities.map((value, i) => value + (place[i] < 0 ? 0 : shift[place[i]]));
		this.shifted = naturalOf(question, { ...found, quantities: shifted }, this.problem.start);
	}
}

/** How each component of R enters ŷ. */
function columnsOf({ observer, grid }: Representation): Float64Array[] {
	const { first } = observer.matrices;
	return Array.from({ length: observer.m }, (_, a) =>
		Float64Array.from({ length: grid.intervals }, (_, k) => first[k * observer.m + a]),
	);
}

/** λ, and the start of each hidden state, guessed where it would rest. */
function longUnknowns(
	model: Model,
	form: PeriodicForm,
	problem: Problem,
	representation: Representation,
): Unknown[] {
	const params = searchedUnknowns(model, form, problem.start);
	const resting = representation.restingStarts(Float64Array.from(params, ({ start }) => start));
	const starts = form.hidden.map(({ component }, i): Unknown => {
		const name = `${component}(0)`;
		const given = problem.start[name];
		return initialUnknown(model, component, name, given ?? resting[i], given !== undefined);
	});
	return [...params, ...starts];
}
