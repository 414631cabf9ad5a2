/** A PEtab problem as a study: a model in the language, a record for each condition, and the study that names them. */
import { stringify } from "yaml";
import { InputError } from "../../errors.ts";
import type { Override, PetabMeasurement, PetabProblem } from "../../formats/petab/problem.ts";
import type { SbmlModel } from "../../formats/sbml/document.ts";
import { type OdeText, odeText } from "../../formats/sbml/ode-model.ts";
import { type OpenFile, sbmlModel } from "../../formats/sbml/read-sbml.ts";
import { textsOf } from "./condition-model.ts";

export interface StudyFiles {
	/** Files of a folder, by name; `study.yaml` is the study. */
	readonly files: ReadonlyMap<string, string>;
	readonly nRecords: number;
}

/** Measurements that are one record: one at most of an observable at a time, and nothing set in two ways. */
interface Experiment {
	readonly name: string;
	readonly condition: string;
	readonly rows: Map<number, Map<string, number>>;
	readonly placeholders: Map<string, Override>;
}

export function petabStudy(problem: PetabProblem, open: OpenFile): StudyFiles {
	refuse(problem);
	const { parameters, conditions, observables } = problem;
	const { model: document, problems } = sbmlModel(problem.sbml.text, problem.sbml.file, open);
	const experiments = experimentsOf(problem);
	const written = new Map<string, Writing>();
	const columns = new Set(experiments.flatMap(({ condition }) => [...conditions.get(condition)!.set.keys()]));
	for (const id of columns)
		written.set(
			id,
			new Writing(
				experiments.map(
					({ condition }) => conditions.get(condition)!.set.get(id) ?? usual(document, id, problem),
				),
			),
		);
	const parameterNames = new Map<string, string>();
	const parameterOf = (id: string): string => parameterNames.get(id) ?? id;
	const declared = new Map<string, (name: string) => readonly string[]>();
	const setNames = new Map<string, string>();
	for (const [id, writing] of written)
		declared.set(id, (name) => {
			setNames.set(id, name);
			return writing.lines(name, parameterOf);
		});
	for (const { id, estimate, lower, upper, nominal } of parameters.values())
		if (!declared.has(id))
			declared.set(id, (name) => {
				parameterNames.set(id, name);
				return [
					estimate && lower < upper ? `param ${name} in [${lower}, ${upper}]` : `param ${name} = ${nominal}`,
				];
			});
	const declare = (): { text: OdeText; further: Map<string, string>; lines: string[] } => {
		const text = odeText(document, problems, declared);
		const further = new Map<string, string>();
		const lines: string[] = [];
		for (const id of parameters.keys())
			if (text.nameOf(id) === undefined) {
				further.set(id, text.fresh(id));
				lines.push(...declared.get(id)!(further.get(id)!));
			}
		return { text, further, lines };
	};
	// Twice: the names of parameters are known once all are declared.
	declare();
	const { text, further, lines } = declare();
	const placeholders = new Map<string, { name: string; writing: Writing }>();
	const nameOf = (id: string, place: string): string => {
		const known = text.nameOf(id) ?? further.get(id) ?? placeholders.get(id)?.name;
		if (known !== undefined) return known;
		if (id === "time") return "t";
		if (!/^(observable|noise)Parameter\d+_/.test(id))
			throw new InputError(
				place,
				`unknown id "${id}" in a formula`,
				"Declare it in the model or in the parameter table.",
			);
		// Where a record has no such measurement, any value will do.
		const values = experiments.map(({ placeholders: own }) => own.get(id));
		const some = values.find((value) => value !== undefined) ?? 1;
		const name = text.fresh(id);
		placeholders.set(id, { name, writing: new Writing(values.map((value) => value ?? some)) });
		return name;
	};
	const measures = [...observables.values()]
		.filter(({ id }) => experiments.some(({ rows }) => [...rows.values()].some((row) => row.has(id))))
		.map((observable) => {
			const { formula, noise } = textsOf(observable, nameOf);
			const name = text.fresh(observable.id);
			const law =
				observable.scale === "lin"
					? `normal(${formula}, ${noise})`
					: `lognormal(log(${formula}), ${observable.scale === "log10" ? `log(10)*(${noise})` : noise})`;
			return { id: observable.id, name, line: `measure ${name} ~ ${law}` };
		});
	for (const { name, writing } of placeholders.values()) lines.push(...writing.lines(name, parameterOf));
	const model = [text.text, lines.join("\n"), measures.map(({ line }) => line).join("\n")].join("\n");

	const files = new Map<string, string>();
	const data = experiments.map(({ name, rows }, e) => {
		const file = `${name}.csv`;
		const times = [...rows.keys()].sort((a, b) => a - b);
		const head = ["t", ...measures.map((each) => each.name)].join(",");
		const body = times.map((t) => [t, ...measures.map(({ id }) => rows.get(t)!.get(id) ?? "")].join(","));
		files.set(file, `${[head, ...body].join("\n")}\n`);
		const own = Object.assign(
			{},
			...[...written].map(([id, writing]) => writing.conditions(setNames.get(id)!, e)),
			...[...placeholders.values()].map(({ name: each, writing }) => writing.conditions(each, e)),
		) as Record<string, number>;
		const hasConditions = Object.keys(own).length > 0;
		return { name, file, time: "t", start: Math.min(0, times[0]), ...(hasConditions && { conditions: own }) };
	});
	files.set("model.ode", model);
	files.set("study.yaml", stringify({ model: "model.ode", data, method: "fit" }, { lineWidth: 0 }));
	return { files, nRecords: experiments.length };
}

/** A quantity that differs between records: a number, a condition, a parameter, or one of several parameters. */
class Writing {
	readonly #cases: readonly string[];
	constructor(readonly values: readonly Override[]) {
		this.#cases = [...new Set(values.filter((value) => typeof value === "string"))];
	}

	lines(name: string, parameterOf: (id: string) => string): string[] {
		const [first] = this.values;
		if (this.values.every((value) => value === first))
			return typeof first === "number"
				? [`param ${name} = ${first}`]
				: [`let   ${name} = ${parameterOf(first)}`];
		if (this.#cases.length === 0) return [`condition ${name}`];
		const cases = this.#cases.map((id, i) => `${parameterOf(id)}, ${name}_case == ${i + 1}`);
		return [
			`condition ${name}_case, ${name}_value`,
			`let   ${name} = piecewise(${cases.join(", ")}, ${name}_value)`,
		];
	}

	/** Values of the conditions that `lines` declares, in one record. */
	conditions(name: string, record: number): Record<string, number> {
		const value = this.values[record];
		if (this.values.every((each) => each === this.values[0])) return {};
		if (this.#cases.length === 0) return { [name]: value as number };
		if (typeof value === "number") return { [`${name}_case`]: 0, [`${name}_value`]: value };
		return { [`${name}_case`]: this.#cases.indexOf(value) + 1, [`${name}_value`]: 0 };
	}
}

function refuse({ measurements, observables }: PetabProblem): void {
	const remedy = "odentify simulate  takes the problem as it is.";
	for (const { before, time, place, observable } of measurements) {
		if (before !== undefined)
			throw new InputError(
				place,
				"a steady state before the measurements (preequilibration) cannot be estimated with yet",
				remedy,
			);
		if (time === Infinity)
			throw new InputError(place, "a measurement of a steady state cannot be estimated with yet", remedy);
		if (observables.get(observable)!.law === "laplace")
			throw new InputError(place, "Laplace noise cannot be estimated with yet", remedy);
	}
}

/** What the model itself says of an id, for records that do not set it. */
function usual(
	{ parameters, compartments, species, initial }: SbmlModel,
	id: string,
	{ fileName, parameters: own }: PetabProblem,
): number {
	if (own.has(id))
		throw new InputError(
			fileName,
			`${id} stands in the parameter table, and some conditions set it`,
			"Take it out of one of the two.",
		);
	const one = species.find((each) => each.id === id);
	const value =
		parameters.find((each) => each.id === id)?.value ??
		compartments.find((each) => each.id === id)?.size ??
		(one?.isAmount ? one.initialAmount : one?.initialConcentration);
	if (value === undefined || initial.some(({ symbol }) => symbol === id))
		throw new InputError(
			fileName,
			`some conditions set ${id} and others leave it to a formula of the model`,
			"Set it in all of them.",
		);
	return value;
}

function experimentsOf({ measurements }: PetabProblem): Experiment[] {
	const experiments: Experiment[] = [];
	for (const measurement of measurements) {
		const { condition, observable, time, value } = measurement;
		const own = placeholdersOf(measurement);
		let home = experiments.find(
			(each) =>
				each.condition === condition &&
				!each.rows.get(time)?.has(observable) &&
				own.every(([id, override]) => (each.placeholders.get(id) ?? override) === override),
		);
		if (!home) {
			const same = experiments.filter((each) => each.condition === condition).length;
			const name = same === 0 ? condition : `${condition}_${same + 1}`;
			experiments.push((home = { name, condition, rows: new Map(), placeholders: new Map() }));
		}
		for (const [id, override] of own) home.placeholders.set(id, override);
		const row = home.rows.get(time) ?? new Map<string, number>();
		home.rows.set(time, row.set(observable, value));
	}
	return experiments;
}

function placeholdersOf({
	observable,
	observableParameters,
	noiseParameters,
}: PetabMeasurement): [string, Override][] {
	return [
		...observableParameters.map((value, i): [string, Override] => [
			`observableParameter${i + 1}_${observable}`,
			value,
		]),
		...noiseParameters.map((value, i): [string, Override] => [`noiseParameter${i + 1}_${observable}`, value]),
	];
}
