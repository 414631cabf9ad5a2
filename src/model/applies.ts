/**
 * Which methods can answer, from the knowledge that a model declares. Each reason is a sentence that names the
 * declaration and what to write.
 */
import type { Knowledge, KnowledgeKind, Model } from "./model.ts";
import { freeInitials, freeParams } from "./structure/free.ts";
import { verdictWithinReach } from "./within-reach.ts";

export const methodNames = ["fit", "kriging", "bayes", "periodic", "inversion", "guaranteed"] as const;
export type MethodName = (typeof methodNames)[number];

export interface Applicability {
	readonly method: MethodName;
	/** The declared knowledge suffices. */
	readonly applies: boolean;
	/** This version has the method. */
	readonly built: boolean;
	readonly why: string;
}

const reasons: Record<MethodName, (model: Model) => Reason> = {
	fit,
	kriging,
	bayes,
	periodic,
	inversion,
	guaranteed,
};

/** `yes` says what the method would do, `no` what stands in its way. */
type Reason = { readonly yes: string } | { readonly no: string };

/** Whether what a model declares suffices for a method, and why or why not. */
export interface Verdict {
	readonly applies: boolean;
	readonly why: string;
}

/** The verdict from the kinds of knowledge alone; a method may look deeper. */
export function knowledgeSuffices(method: MethodName, model: Model): Verdict {
	const reason = reasons[method](model);
	return "yes" in reason ? { applies: true, why: reason.yes } : { applies: false, why: reason.no };
}

/** All methods, with the verdict of those that this version has (`built`). */
export function methodsFor(
	model: Model,
	built: ReadonlyMap<string, (model: Model) => Verdict>,
): Applicability[] {
	return methodNames.map((method) => {
		const own = built.get(method);
		if (own) {
			const { applies, why } = verdictWithinReach(model, own);
			return { method, built: true, applies, why };
		}
		const { applies, why } = knowledgeSuffices(method, model);
		return {
			method,
			built: false,
			applies,
			why: `${why} The method itself is not built yet in this version.`,
		};
	});
}

function fit(model: Model): Reason {
	const process = model.unknowns.find(({ kind }) => kind === "process");
	if (process)
		return no(`unknown ${process.name} is a random process: kriging learns it; fit estimates numbers only.`);
	const [basis] = model.unknowns;
	if (basis) return no(`unknown ${basis.name} is a function of a finite basis: inversion finds its weights.`);
	const stop = noMeasure(model) ?? drifting(model) ?? randomInput(model) ?? nothingToEstimate(model);
	if (stop) return stop;
	const combinations = model.params.flatMap(({ name, terms }) => (terms === undefined ? [] : [name]));
	const weights =
		combinations.length > 0
			? ` All weights of ${list(combinations)} are estimated; which of them are zero is for inversion to find.`
			: "";
	return { yes: `Estimates ${unknownsText(model)} by least squares.${weights}` };
}

function kriging(model: Model): Reason {
	const process = model.unknowns.find(({ kind }) => kind === "process");
	if (!process) {
		const [basis] = model.unknowns;
		if (basis)
			return no(
				`unknown ${basis.name} has a finite basis: for a random process write  unknown ${basis.name}(${basis.params.join(", ")}) ~ kriging(trend: 2).`,
			);
		return no(
			"No function is unknown: write  unknown f(x) ~ kriging(trend: 2)  and use f(x) in an equation.",
		);
	}
	const names = model.unknowns.filter(({ kind }) => kind === "process").map(({ name }) => name);
	return noMeasure(model) ?? { yes: `Learns ${list(names)} as a random process, with its error.` };
}

function bayes(model: Model): Reason {
	const [unknown] = model.unknowns;
	if (unknown) return no(`unknown ${unknown.name} is a function: bayes needs numbers with distributions.`);
	const stop =
		noMeasure(model) ??
		drifting(model) ??
		combination(model, "bayes") ??
		lacking(model, "distribution", "~ normal(0, 1)", "a distribution") ??
		measuresOther(model, "distribution", (name, value) => `measure ${name} ~ normal(${value}, 0.1)`);
	return stop ?? nothingToEstimate(model) ?? { yes: `Finds the posterior of ${unknownsText(model)}.` };
}

function guaranteed(model: Model): Reason {
	const [unknown] = model.unknowns;
	if (unknown) return no(`unknown ${unknown.name} is a function: guaranteed needs numbers in sets.`);
	const stop =
		noMeasure(model) ??
		randomInput(model) ??
		combination(model, "guaranteed") ??
		lacking(model, "set", "in [0, 1]", "a set that surely holds it") ??
		measuresOther(model, "set", (name, value) => `measure ${name} in ${value} +- 0.1`);
	return (
		stop ??
		nothingToEstimate(model) ?? {
			yes: `Encloses every value of ${unknownsText(model)} that is consistent with the data.`,
		}
	);
}

function inversion(model: Model): Reason {
	const process = model.unknowns.find(({ kind }) => kind === "process");
	if (process)
		return no(
			`unknown ${process.name} is a random process: for a finite basis write  unknown ${process.name}(${process.params.join(", ")}) = polynomial(2).`,
		);
	const stop = noMeasure(model) ?? drifting(model) ?? randomInput(model);
	if (stop) return stop;
	const bases = model.unknowns.map(({ name }) => name);
	const combinations = model.params.filter(({ terms }) => terms !== undefined).map(({ name }) => name);
	const found = [...combinations, ...bases];
	if (found.length > 0) return { yes: `Finds which terms of ${list(found)} are there, and their weights.` };
	if (freeParams(model).length > 0)
		return {
			yes: "Finds which of the parameters are zero; for terms that depend on conditions write  param p(1, c), for unknown functions  unknown f(x) = spline(0, 1, 2).",
		};
	return no("Nothing has a form to be found: write  param p(1, c)  or  unknown f(x) = spline(0, 1, 2).");
}

function periodic(model: Model): Reason {
	const stop = noMeasure(model) ?? drifting(model);
	if (stop) return stop;
	if (model.unknowns.length > 0)
		return no(`unknown ${model.unknowns[0].name} is a function: periodic estimates numbers only.`);
	const [measure, second] = model.measures;
	if (second)
		return no(`One state is to be measured, but measure ${measure.name} and measure ${second.name} are two.`);
	const { value } = measure;
	if (value.op !== "sym" || !model.components.includes(value.name!))
		return no(
			`measure ${measure.name} is not one state: write  measure ${measure.name} = ${model.components[0]}.`,
		);
	if (model.inputs.length > 0)
		return no(`input ${model.inputs[0].name} drives the model: periodic needs oscillations of its own.`);
	return (
		nothingToEstimate(model) ?? {
			yes: `Estimates ${unknownsText(model)} from a periodic record of ${value.name}; whether the equations are of its class is checked when it runs.`,
		}
	);
}

function no(sentence: string): Reason {
	return { no: sentence };
}

function noMeasure(model: Model): Reason | undefined {
	if (model.measures.length > 0) return undefined;
	return no(`Nothing is measured: write  measure y ~ normal(${model.components[0] ?? "x"}, 0.1).`);
}

function drifting(model: Model): Reason | undefined {
	const param = model.params.find(({ rate }) => rate !== undefined);
	return (
		param && no(`param ${param.name} drifts: take the declaration of ${param.name}' out to hold it constant.`)
	);
}

function randomInput(model: Model): Reason | undefined {
	const input = model.inputs.find(({ knowledge }) => knowledge.kind === "distribution");
	return (
		input &&
		no(
			`input ${input.name} is a random process: bayes finds it. Elsewhere write  input ${input.name}  and take it from the data.`,
		)
	);
}

function combination(model: Model, method: MethodName): Reason | undefined {
	const param = model.params.find(({ terms }) => terms !== undefined);
	return param && no(`param ${param.name}(…) is an unknown combination, which ${method} does not know.`);
}

function nothingToEstimate(model: Model): Reason | undefined {
	if (freeParams(model).length + freeInitials(model).length > 0) return undefined;
	return no(
		"Every parameter and initial value is exactly known: there is nothing to estimate. Write  param k  for one that is not.",
	);
}

/** The first parameter or initial value that is neither exactly known nor known in the way that is needed. */
function lacking(model: Model, kind: KnowledgeKind, example: string, what: string): Reason | undefined {
	const wrong = ({ kind: own }: Knowledge): boolean => own !== "exact" && own !== kind;
	const param = model.params.find(({ knowledge }) => wrong(knowledge));
	if (param)
		return no(
			`param ${param.name} ${stateOfKnowledge(param.knowledge)}, but needs ${what}. Write  param ${param.name} ${example}.`,
		);
	const rate = model.params.find((each) => each.rate && wrong(each.rate));
	if (rate)
		return no(
			`The drift ${rate.name}' of param ${rate.name} needs ${what}. Write  ${rate.name}' ${example}.`,
		);
	const initial = freeInitials(model).find(({ knowledge }) => wrong(knowledge));
	return (
		initial &&
		no(
			`The initial value of ${initial.component} ${stateOfKnowledge(initial.knowledge)}, but needs ${what}. Write  state ${initial.component} ${example}  or  state ${initial.component} = 0.`,
		)
	);
}

function measuresOther(
	model: Model,
	kind: KnowledgeKind,
	example: (name: string, value: string) => string,
): Reason | undefined {
	const measure = model.measures.find((each) => each.kind !== kind);
	const is = {
		exact: "has no error",
		set: "has a bounded error",
		distribution: "has a random error",
	} as const;
	const needed = kind === "set" ? "a largest error" : "a distribution";
	const value = measure?.value.op === "sym" ? measure.value.name! : "…";
	return (
		measure &&
		no(
			`measure ${measure.name} ${is[measure.kind]}, but needs ${needed}. Write  ${example(measure.name, value)}.`,
		)
	);
}

function stateOfKnowledge({ kind }: Knowledge): string {
	return {
		exact: "is exactly known",
		set: "is in a set",
		distribution: "has a distribution",
		none: "is unknown",
	}[kind];
}

function unknownsText(model: Model): string {
	const free = freeParams(model);
	const counts = [
		[free.filter(({ terms }) => terms === undefined).length, "parameter"],
		[free.reduce((sum, { terms }) => sum + (terms?.length ?? 0), 0), "weight"],
		[freeInitials(model).length, "initial value"],
	] as const;
	return list(counts.filter(([n]) => n > 0).map(([n, what]) => `${n} ${what}${n === 1 ? "" : "s"}`));
}

function list(names: readonly string[]): string {
	return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}
