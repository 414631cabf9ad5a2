/**
 * One number for everything that a simulation needs: what the study sets, else what the model knows exactly, else the
 * middle of what it knows, and that is said. What nothing is known of is listed, all of it at once.
 */
import { InputError } from "../../errors.ts";
import { numberLaw } from "../../estimate/law/declared.ts";
import { constantValue } from "../../model/constant.ts";
import { evaluate } from "../../model/evaluate.ts";
import type { Knowledge, Model } from "../../model/model.ts";
import { steadyFlag } from "../../model/steady-start.ts";
import { symbolsOf } from "../../model/walk.ts";
import { initialName } from "./set-values.ts";

export interface SimulationValues {
	/** Parameters that are not exactly known. */
	readonly params: ReadonlyMap<string, number>;
	/** Initial values, in the order of the components. */
	readonly initial: Float64Array;
	/** Choices that the user did not make, as sentences. */
	readonly notes: string[];
}

export function simulationValues(
	model: Model,
	set: Readonly<Record<string, number>>,
	conditions: Readonly<Record<string, number>>,
	experiment: string,
	/** Whose record it is, for parameters that differ from record to record. */
	unit = experiment,
): SimulationValues {
	const notes: string[] = [];
	const missing: string[] = [];
	const params = new Map<string, number>();
	const used = usedSymbols(model);
	for (const { name, knowledge, byRecord } of model.params) {
		if (knowledge.kind === "exact" || !used.has(name)) continue;
		const own = byRecord ? set[`${name} of ${unit}`] : undefined;
		params.set(name, own ?? set[name] ?? middle(`${name}`, knowledge, notes, missing));
	}
	const symbol = (name: string): number => params.get(name) ?? conditions[name];
	const initial = Float64Array.from(model.components, (component, i) => {
		const knowledge = model.initial[i];
		if (knowledge.kind === "exact") return evaluate(knowledge.value, symbol);
		const plain = initialName(component);
		const given = set[`${plain} of ${experiment}`] ?? set[plain];
		return given ?? middle(component, knowledge, notes, missing);
	});
	if (missing.length > 0)
		throw new InputError(
			model.fileName,
			`${missing.join(", ")} ${missing.length === 1 ? "has" : "have"} no value to simulate with`,
			`Give one in the study:  set: { ${missing.map((name) => `${name}: 1`).join(", ")} }`,
		);
	const bad = [...params].find(([, value]) => !Number.isFinite(value));
	if (bad) throw new InputError(`param ${bad[0]}`, `has the value ${bad[1]}`, "Give a number under  set:");
	const badState = initial.findIndex((value) => !Number.isFinite(value));
	if (badState >= 0 && conditions[steadyFlag] > 0)
		throw new InputError(
			experiment,
			"is to begin in a steady state of its doses, and with these values there is none: what is given is not taken away",
			"Give other values under  set:  or write earlier doses one by one, without a steady state.",
		);
	if (badState >= 0)
		throw new InputError(
			`state ${model.components[badState]}`,
			`starts at ${initial[badState]}`,
			"Give a number under  set:",
		);
	return { params, initial, notes };
}

function usedSymbols(model: Model): Set<string> {
	return symbolsOf([
		...model.rhs,
		...model.events.flatMap(({ trigger, delay, priority, assignments }) => [
			trigger,
			...(delay ? [delay] : []),
			...(priority ? [priority] : []),
			...assignments.map(({ value }) => value),
		]),
		...model.measures.flatMap(({ value, spread, correlated }) => [
			value,
			...(spread ? [spread] : []),
			...(correlated ? [correlated] : []),
		]),
		...model.inputs.flatMap(({ knowledge }) =>
			knowledge.kind === "distribution" ? knowledge.distribution.args : [],
		),
		...(model.columns ?? []).map(({ value }) => value),
		...model.initial.flatMap((knowledge) => (knowledge.kind === "exact" ? [knowledge.value] : [])),
	]);
}

function middle(name: string, knowledge: Knowledge, notes: string[], missing: string[]): number {
	switch (knowledge.kind) {
		case "exact":
			return constantValue(knowledge.value);
		case "none":
			missing.push(name);
			return 0;
		case "set": {
			const value = (constantValue(knowledge.lo) + constantValue(knowledge.hi)) / 2;
			notes.push(`${name} = ${value}: the middle of its set`);
			return value;
		}
		case "distribution": {
			const { centre, centreIs } = numberLaw(name, knowledge.distribution);
			notes.push(
				`${name} = ${Number(centre.toPrecision(6))}: the ${centreIs} of its ${knowledge.distribution.family}`,
			);
			return centre;
		}
	}
}
