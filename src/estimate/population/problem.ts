/**
 * A population as an estimation problem: what all records share (theta), and of each unit, a subject with one record or several,
 * what is its own (eta, standard normal). The likelihood is that of all methods; the law of eta is a prior beside it.
 */
import type { Compute } from "../../compute/compute.ts";
import { type Experiment, unitOf } from "../../data/experiment.ts";
import { InputError } from "../../errors.ts";
import { expandCombinations } from "../../model/combination.ts";
import { foldFormulaInputs } from "../../model/formula-inputs.ts";
import type { Model } from "../../model/model.ts";
import { individualModel, type PopulationParam } from "../../model/population.ts";
import { freeInitials } from "../../model/structure/free.ts";
import { symbolsOf } from "../../model/walk.ts";
import { exp, log } from "../../num/elementary/number.ts";
import type { Estimation } from "../forward/estimation.ts";
import { GridKernels } from "../forward/grid-kernels.ts";
import type { Law } from "../law/law.ts";
import { observationsOf } from "../observe/observations.ts";
import { isBetween } from "../observe/sample-terms.ts";
import { type Unknown, unknownsOf } from "../unknowns/unknowns.ts";

export interface PopulationUnit {
	readonly name: string;
	readonly estimation: Estimation;
	/** What makes densities of compared values densities of the samples. */
	readonly logSlope: number;
}

export interface PopulationProblem {
	readonly model: Model;
	readonly population: readonly PopulationParam[];
	/** What all records share, then the etas. */
	readonly unknowns: readonly Unknown[];
	readonly nShared: number;
	readonly units: readonly PopulationUnit[];
	/** All records as one, for a search without differences. */
	readonly whole: Estimation;
	/** The law of each eta; nothing of what is shared. */
	readonly priors: readonly (Law | undefined)[];
}

/** A spread of which nothing is known is searched from here. */
const usualSpread = 0.3;

export function populationProblem(
	source: Model,
	experiments: readonly Experiment[],
	start: Readonly<Record<string, number>>,
	compute: Compute,
	atLeast = 2,
): PopulationProblem {
	const { model, population } = individualModel(expandCombinations(foldFormulaInputs(source)).model);
	const byUnit = new Map<string, Experiment[]>();
	for (const experiment of experiments) {
		const name = unitOf(experiment);
		const list = byUnit.get(name);
		if (list) list.push(experiment);
		else byUnit.set(name, [experiment]);
	}
	if (byUnit.size < atLeast)
		throw new InputError(
			`param ${population[0].name}[record]`,
			`differs from record to record, and there ${byUnit.size === 1 ? "is one record" : "are no records"}`,
			"A population needs several: list them under  data:, or name the column that tells them apart:  group: Subject",
		);
	const [initial] = freeInitials(model);
	if (initial)
		throw new InputError(
			`state ${initial.component}`,
			"has an initial value of each record that is not known, beside a population",
			`Give it a law as well:  param ${initial.component.replaceAll("'", "d")}0[record] ~ normal(m, s)  and  state ${initial.component} = ${initial.component.replaceAll("'", "d")}0`,
		);
	const none = new Set<string>();
	const spreads = spreadNames(model, population);
	const unknowns = unknownsOf({
		model,
		experiments: [],
		start,
		except: none,
		initialGuess: () => undefined,
	}).map((unknown) => (spreads.has(unknown.name) ? positive(unknown, start[unknown.name]) : unknown));
	const kernels = new GridKernels(model, unknowns, none);
	const estimationOf = (own: readonly Experiment[]): Estimation => ({
		model,
		experiments: own,
		unknowns,
		observations: observationsOf(model, own, none),
		compute,
		kernels,
		common: none,
	});
	const nShared = unknowns.length - population.length;
	return {
		model,
		population,
		unknowns,
		nShared,
		units: [...byUnit].map(([name, own]) => {
			const estimation = estimationOf(own);
			const logSlope = estimation.observations.groups.reduce(
				(sum, group) =>
					group.observed.reduce(
						(total, y, k) => (isBetween(group, k) ? total : total + group.law.scale.logSlope(y)),
						sum,
					),
				0,
			);
			return { name, estimation, logSlope };
		}),
		whole: estimationOf(experiments),
		priors: unknowns.map(({ law }, i) => (i < nShared ? undefined : law)),
	};
}

/** Parameters that stand for a spread and nothing else: those are positive. */
function spreadNames({ measures }: Model, population: readonly PopulationParam[]): Set<string> {
	const spreads = [
		...population.map(({ spread }) => spread),
		...measures.flatMap(({ spread }) => (spread ? [spread] : [])),
	];
	const others = symbolsOf([
		...population.map(({ location }) => location),
		...measures.map(({ value }) => value),
	]);
	return new Set(
		spreads.flatMap((node) => (node.op === "sym" && !others.has(node.name!) ? [node.name!] : [])),
	);
}

/** Searched by its logarithm where nothing says otherwise. */
function positive(unknown: Unknown, given: number | undefined): Unknown {
	if (unknown.scale === "log" || unknown.lo >= 0) return unknown;
	const start = given ?? usualSpread;
	return {
		...unknown,
		scale: "log",
		lo: 0,
		start,
		draw: (random, index) => start * exp(log(3) * (2 * random.uniform(index) - 1)),
	};
}
