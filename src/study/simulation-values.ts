/**
 * One number for everything that a simulation needs: what the study sets, else what the model knows exactly, else the
 * middle of what it knows, and that is said. What nothing is known of is listed, all of it at once.
 */
import { InputError } from "../errors.ts";
import { constantValue } from "../model/constant.ts";
import { evaluate } from "../model/evaluate.ts";
import type { Distribution, Knowledge, Model } from "../model/model.ts";
import { symbolsOf } from "../model/walk.ts";
import { exp } from "../num/elementary/number.ts";
import { initialName } from "./set-values.ts";

export interface SimulationValues {
	/** Parameters that are not exactly known. */
	readonly params: ReadonlyMap<string, number>;
	/** Initial values, in the order of the components. */
	readonly initial: Float64Array;
	/** Choices that the user did not make, as sentences. */
	readonly notes: readonly string[];
}

export function simulationValues(
	model: Model,
	set: Readonly<Record<string, number>>,
	conditions: Readonly<Record<string, number>>,
	experiment: string,
): SimulationValues {
	const notes: string[] = [];
	const missing: string[] = [];
	const params = new Map<string, number>();
	const used = usedSymbols(model);
	for (const { name, knowledge } of model.params) {
		if (knowledge.kind === "exact" || !used.has(name)) continue;
		params.set(name, set[name] ?? middle(`${name}`, knowledge, notes, missing));
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
		...model.measures.flatMap(({ value, spread }) => (spread ? [value, spread] : [value])),
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
			const { value, what } = centre(knowledge.distribution);
			notes.push(
				`${name} = ${Number(value.toPrecision(6))}: the ${what} of its ${knowledge.distribution.family}`,
			);
			return value;
		}
	}
}

function centre({ family, args }: Distribution): { value: number; what: string } {
	const [a, b] = args.map(constantValue);
	switch (family) {
		case "normal":
			return { value: a, what: "mean" };
		case "lognormal":
			return { value: exp(a), what: "median" };
		case "uniform":
			return { value: (a + b) / 2, what: "middle" };
		case "halfnormal":
			return { value: 0.6744897501960817 * a, what: "median" };
		case "gamma":
			return { value: a / b, what: "mean" };
		case "beta":
			return { value: a / (a + b), what: "mean" };
		default:
			throw new InputError(family, "has no middle to simulate with", "Give a value under  set:");
	}
}
