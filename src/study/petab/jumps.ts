/** States that a later period sets, as events of the model: each record has its instants, and what is set then. */
import { InputError } from "../../errors.ts";
import type { PetabChange, PetabProblem } from "../../formats/petab/problem.ts";
import type { SbmlModel } from "../../formats/sbml/document.ts";
import { type Formula, namesIn } from "../../formats/sbml/formula.ts";
import type { OdeText } from "../../formats/sbml/ode-model.ts";
import { modelId, type NameOf, textOf } from "./formula-texts.ts";
import type { LaterPeriod, PetabRecord } from "./records.ts";
import { type Variant, Varied } from "./varied.ts";

/** When a record has fewer jumps than others. */
const never = 1e300;

interface Written {
	readonly problem: PetabProblem;
	readonly sbml: SbmlModel;
	readonly records: readonly PetabRecord[];
}

interface Jump {
	readonly time: number;
	readonly set: ReadonlyMap<string, PetabChange>;
}

export class Jumps {
	readonly lines: string[] = [];
	readonly #varied = new Map<string, Varied>();

	constructor(
		{ problem, sbml, records }: Written,
		states: ReadonlySet<string>,
		text: OdeText,
		nameOf: NameOf,
	) {
		const ofRecords = records.map(({ later }) => later.flatMap((period) => jumpOf(period, states) ?? []));
		const most = Math.max(0, ...ofRecords.map((jumps) => jumps.length));
		for (let j = 0; j < most; j++) {
			const at = this.#declare(
				text.fresh(`jump_${j + 1}`),
				ofRecords.map((jumps) => jumps[j]?.time ?? never),
			);
			const ids = new Set(ofRecords.flatMap((jumps) => [...(jumps[j]?.set.keys() ?? [])]));
			const set = [...ids].map((id) => {
				const meant = modelId(problem, id);
				const state = text.stateOf(meant)!;
				// A concentration that is kept as an amount.
				const { compartment = "" } = sbml.species.find((each) => each.id === meant) ?? {};
				const size = state === text.nameOf(meant) ? undefined : text.nameOf(compartment);
				const next = ofRecords.map((jumps): Variant => {
					const change = jumps[j]?.set.get(id);
					if (!change) return state;
					const { value, place } = change;
					const written = value.kind === "number" ? value.value : textOf(value, nameOf, place);
					return size === undefined ? written : `(${written})*${size}`;
				});
				return `${state} = ${this.#declare(text.fresh(`${state}_from_${j + 1}`), next)}`;
			});
			this.lines.push(`when t >= ${at}, priority: 1e300 { ${set.join(", ")} }`);
		}
	}

	#declare(name: string, values: readonly Variant[]): string {
		const varied = new Varied(values);
		this.#varied.set(name, varied);
		this.lines.push(...varied.lines(name));
		return name;
	}

	/** Values of the conditions that these declare, in a record. */
	conditions(record: number): Record<string, number> {
		const all = [...this.#varied].map(([name, varied]) => varied.conditions(name, record));
		return Object.assign({}, ...all) as Record<string, number>;
	}
}

function jumpOf({ time, set }: LaterPeriod, states: ReadonlySet<string>): Jump | undefined {
	const own = new Map([...set].filter(([id]) => states.has(id)));
	for (const [id, { value, place }] of own)
		for (const name of namesIn(value))
			if (set.has(name) && !states.has(name))
				throw new InputError(
					place,
					`${id} is set by ${name}, which the same period sets`,
					"The value before it is meant, which cannot be estimated with.  odentify simulate  takes the problem as it is.",
				);
	return own.size > 0 ? { time, set: own } : undefined;
}

/** What of that which later periods set jumps; the rest are parameters that depend on the time. */
export function jumpingIds({ problem, sbml, records }: Written, stateOf: OdeText["stateOf"]): Set<string> {
	// What changes but is no state of the model is kept as one where its value at the start, or one of the model's, is meant.
	const atStart = namedAtStart(sbml, (id) => records.every(({ own }) => own.has(id)));
	const later = records.flatMap((record) => record.later.flatMap(({ set }) => [...set]));
	const jumping = later.flatMap(([id, { value, place }]) => {
		const meant = modelId(problem, id);
		const isCompartment = sbml.compartments.some((each) => each.id === meant);
		if (isCompartment && atStart.has(meant))
			throw new InputError(
				place,
				`${id} changes on the way, and values of the model at the start use it`,
				"That cannot be estimated with.  odentify simulate  takes the problem as it is.",
			);
		const isSpecies = sbml.species.some((each) => each.id === meant);
		const isOfModel = [...namesIn(value)].some((name) => !problem.parameters.has(name));
		const isAssigned = sbml.initial.some(({ symbol }) => symbol === meant);
		const isKept = isSpecies || isAssigned || isOfModel || atStart.has(meant);
		return stateOf(meant) !== undefined || (isKept && !isCompartment) ? [id] : [];
	});
	return new Set(jumping);
}

/** What values at the start use: initial assignments, also by way of rules and of one another, and amounts of concentrations. */
function namedAtStart({ initial, rules, species }: SbmlModel, isSet: (id: string) => boolean): Set<string> {
	const isOwn = (id: string): boolean =>
		initial.some(({ symbol }) => symbol === id) ||
		rules.some(({ kind, variable }) => kind === "assignment" && variable === id) ||
		isSet(id);
	const found = new Set(
		species.flatMap(({ id, isAmount, initialAmount, initialConcentration, compartment }) =>
			isOwn(id) || (isAmount ? initialConcentration : initialAmount) === undefined ? [] : [compartment],
		),
	);
	const uses = new Map([
		...initial.map(({ symbol, math }) => [symbol, math] as const),
		...rules.map(({ variable, math }) => [variable, math] as const),
	]);
	const look = (formula: Formula): void => {
		for (const name of namesIn(formula)) {
			if (found.has(name)) continue;
			found.add(name);
			const further = uses.get(name);
			if (further) look(further);
		}
	};
	for (const { math } of initial) look(math);
	return found;
}
