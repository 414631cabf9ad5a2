/** A PEtab problem as a study: a model in the language, a record for each condition, and the study that names them. */
import { stringify } from "yaml";
import { InputError } from "../../errors.ts";
import type { PetabChange, PetabObservable, PetabProblem } from "../../formats/petab/problem.ts";
import type { SbmlModel } from "../../formats/sbml/document.ts";
import { namesIn } from "../../formats/sbml/formula.ts";
import { type Declared, type OdeText, odeText } from "../../formats/sbml/ode-model.ts";
import { type OpenFile, sbmlModel } from "../../formats/sbml/read-sbml.ts";
import { checkIds, withConstants } from "./check-ids.ts";
import { declaration } from "./declaration.ts";
import { modelId, observedBy, textOf } from "./formula-texts.ts";
import { Jumps, jumpingIds } from "./jumps.ts";
import { type LaterPeriod, type PetabRecord, placeholderKey, recordsOf, type Situation } from "./records.ts";
import { type Variant, Varied } from "./varied.ts";

/** Problems of this field have many optima. */
const manyStarts = {
	candidates: 150,
	short: 100,
	starts: 30,
	maxEvaluations: 1000,
	integrator: "adaptive",
};

export interface StudyFiles {
	/** Files of a folder, by name; `study.yaml` is the study. */
	readonly files: ReadonlyMap<string, string>;
	readonly nRecords: number;
}

export function petabStudy(source: PetabProblem, open: OpenFile): StudyFiles {
	const used = [...new Set(source.measurements.map(({ model }) => model))];
	if (used.length > 1)
		throw new InputError(
			source.fileName,
			`has measurements of ${used.length} models, and those of one can be estimated with`,
			"odentify simulate  takes the problem as it is. Write a file for each model to estimate.",
		);
	const { text: model, file } = source.models.get(used[0])!;
	const { model: sbml, problems } = sbmlModel(model, file, open);
	checkIds(source, [sbml]);
	const problem = withConstants(source, sbml);
	const records = recordsOf(problem);
	const resting = records.find(({ rests }) => rests.length > 0);
	if (resting && sbml.events.length > 0)
		throw new InputError(
			file,
			`has events, and ${resting.name} begins at rest, which cannot be estimated with`,
			"There is no telling whether events come to rest.  odentify simulate  takes the problem as it is.",
		);
	const starts = [...new Set(records.map(({ start }) => start))];
	const [time = 0] = starts;
	const text = (declared: Declared, kept: Iterable<string>, at = time): OdeText =>
		odeText(sbml, problems, declared, { kept, time: at });
	const usual = text(new Map(), []).text;
	const other = starts.find((at) => text(new Map(), [], at).text !== usual);
	if (other !== undefined)
		throw new InputError(
			problem.fileName,
			`has experiments that begin at ${time} and at ${other}, and values at the start depend on the time`,
			"Only one start can be estimated with there.  odentify simulate  takes the problem as it is.",
		);
	return new Writer(problem, sbml, records, text).write();
}

class Writer {
	/** All stretches of all records: what is set in each, and what later on the way. */
	readonly #situations: readonly { readonly set: Situation; readonly later: readonly LaterPeriod[] }[];
	readonly #parameterNames = new Map<string, string>();
	readonly #varied = new Map<string, Varied>();
	/** Names of what conditions set. */
	readonly #names = new Map<string, string>();
	/** What later periods set of the states: they jump. */
	readonly #jumping: ReadonlySet<string>;

	constructor(
		readonly problem: PetabProblem,
		readonly sbml: SbmlModel,
		readonly records: readonly PetabRecord[],
		readonly odeText: (declared: Declared, kept: Iterable<string>) => OdeText,
	) {
		this.#situations = records.flatMap(({ rests, own, later }) => [
			...rests.map((set) => ({ set, later: [] })),
			{ set: own, later },
		]);
		const { stateOf } = odeText(new Map(), []);
		this.#jumping = jumpingIds({ problem, sbml, records }, stateOf);
	}

	write(): StudyFiles {
		// Twice: the names of parameters are known once all are declared.
		this.#declare();
		const { text, lines, further } = this.#declare();
		const placeholders = new Map<string, { name: string; varied: Varied }>();
		const nameOf = (id: string): string | undefined => {
			const meant = modelId(this.problem, id);
			return text.nameOf(meant) ?? further.get(meant);
		};
		const measures = this.#measured().map((observable) => {
			for (const id of [...observable.observablePlaceholders, ...observable.noisePlaceholders]) {
				const key = placeholderKey(observable.id, id);
				placeholders.set(key, { name: text.fresh(id), varied: this.#placeholder(key) });
			}
			const own = (id: string): string | undefined =>
				placeholders.get(placeholderKey(observable.id, id))?.name ?? nameOf(id);
			const name = text.fresh(observable.id);
			return {
				id: observable.id,
				name,
				line: `measure ${name} ~ ${lawOf(observable, observedBy(observable, this.problem), own)}`,
			};
		});
		for (const { name, varied } of placeholders.values()) lines.push(...varied.lines(name));
		const jumps = new Jumps(this, this.#jumping, text, nameOf);
		lines.push(...jumps.lines);

		const files = new Map<string, string>();
		let situation = 0;
		const data = this.records.map(({ name, rows, rests, again, start }, r) => {
			const file = `${name}.csv`;
			const times = [...rows.keys()].sort((a, b) => a - b);
			const head = ["t", ...measures.map((each) => each.name)].join(",");
			const body = times.map((t) => [t, ...measures.map(({ id }) => rows.get(t)!.get(id) ?? "")].join(","));
			files.set(file, `${[head, ...body].join("\n")}\n`);
			const ofRecord = Object.assign(
				jumps.conditions(r),
				...[...placeholders.values()].map(({ name: each, varied }) => varied.conditions(each, r)),
			) as Record<string, number>;
			const stages = rests.map(() => ({ ...this.#conditions(situation++), ...ofRecord }));
			const conditions = { ...this.#conditions(situation++), ...ofRecord };
			const reset = again.flatMap((id) => text.stateOf(modelId(this.problem, id)) ?? []);
			return {
				name,
				file,
				time: "t",
				start: Math.min(start, times[0]),
				...(Object.keys(conditions).length > 0 && { conditions }),
				...(stages.length > 0 && { rest: stages }),
				...(reset.length > 0 && { reset }),
			};
		});
		files.set(
			"model.ode",
			[text.text, lines.join("\n"), measures.map(({ line }) => line).join("\n")].join("\n"),
		);
		const hasPriors = [...this.problem.parameters.values()].some(({ estimate, prior }) => estimate && prior);
		const onScale = [...this.problem.parameters.values()].some(({ prior }) => prior?.onScale);
		const fit = { ...manyStarts, ...(hasPriors && { priors: true }), ...(onScale && { mode: "logarithm" }) };
		const study = { model: "model.ode", data, method: "fit", fit };
		files.set("study.yaml", stringify(study, { lineWidth: 0 }));
		return { files, nRecords: this.records.length };
	}

	#declare(): { text: OdeText; further: Map<string, string>; lines: string[] } {
		const { parameters } = this.problem;
		const targets = new Set(
			this.#situations.flatMap(({ set, later }) => [
				...set.keys(),
				...later.flatMap(({ set: own }) => [...own.keys()].filter((id) => !this.#jumping.has(id))),
			]),
		);
		const declared = new Map<string, (name: string) => readonly string[]>();
		for (const id of targets)
			declared.set(modelId(this.problem, id), (name) => {
				this.#names.set(id, name);
				const varied = new Varied(this.#situations.map((_, s) => this.#valueOf(id, s)));
				this.#varied.set(id, varied);
				return varied.lines(name);
			});
		for (const parameter of parameters.values()) {
			const id = modelId(this.problem, parameter.id);
			if (!declared.has(id))
				declared.set(id, (name) => {
					this.#parameterNames.set(parameter.id, name);
					return [declaration(parameter, name)];
				});
		}
		const kept = [...this.#jumping].map((id) => modelId(this.problem, id));
		const text = this.odeText(declared, kept);
		const further = new Map<string, string>();
		const lines: string[] = [];
		for (const [id, write] of declared)
			if (text.nameOf(id) === undefined) {
				further.set(id, text.fresh(id));
				lines.push(...write(further.get(id)!));
			}
		return { text, further, lines };
	}

	/** What a stretch sets an id to; where it is set again on the way, it depends on the time. */
	#valueOf(id: string, s: number): Variant {
		const { set, later } = this.#situations[s];
		const first = set.get(id);
		if (this.#jumping.has(id)) return first ? this.#written(id, first) : this.#usual(id);
		return later.reduce(
			(before: Variant, { time, set: own }) => {
				const change = own.get(id);
				return change ? `if(t < ${time}, ${before}, ${this.#written(id, change)})` : before;
			},
			first ? this.#written(id, first) : this.#usual(id),
		);
	}

	#written(id: string, { value, place }: PetabChange): Variant {
		if (value.kind === "number" && Number.isFinite(value.value)) return value.value;
		if (value.kind === "number")
			throw new InputError(
				place,
				`${id} is set to ${value.value}`,
				"Only finite numbers can be estimated with there.  odentify simulate  takes the problem as it is.",
			);
		for (const name of namesIn(value))
			if (!this.problem.parameters.has(name))
				throw new InputError(
					place,
					`${id} is set to a formula of ${name}, which is no parameter of the table`,
					"Only parameters can be estimated with there.  odentify simulate  takes the problem as it is.",
				);
		return textOf(value, (name) => this.#parameterNames.get(name) ?? name, place);
	}

	#placeholder(key: string): Varied {
		// Where a record has no such measurement, any value will do.
		const values = this.records.map(({ placeholders }) => placeholders.get(key));
		const some = values.find((value) => value !== undefined) ?? 1;
		const written = (value: number | string): Variant =>
			typeof value === "number" ? value : (this.#parameterNames.get(value) ?? value);
		return new Varied(values.map((value) => written(value ?? some)));
	}

	#conditions(situation: number): Record<string, number> {
		return Object.assign(
			{},
			...[...this.#varied].map(([id, varied]) => varied.conditions(this.#names.get(id)!, situation)),
		) as Record<string, number>;
	}

	#measured(): PetabObservable[] {
		return [...this.problem.observables.values()].filter(({ id }) =>
			this.records.some(({ rows }) => [...rows.values()].some((row) => row.has(id))),
		);
	}

	/** What the model itself says of an id, for records that do not set it. */
	#usual(id: string): number {
		const { fileName, parameters: own } = this.problem;
		if (own.has(id))
			throw new InputError(
				fileName,
				`${id} stands in the parameter table, and some conditions set it`,
				"Take it out of one of the two.",
			);
		const { parameters, compartments, species, initial } = this.sbml;
		const meant = modelId(this.problem, id);
		const one = species.find((each) => each.id === meant);
		const value =
			parameters.find((each) => each.id === meant)?.value ??
			compartments.find((each) => each.id === meant)?.size ??
			(one?.isAmount ? one.initialAmount : one?.initialConcentration);
		if (value === undefined || initial.some(({ symbol }) => symbol === meant))
			throw new InputError(
				fileName,
				`some conditions set ${id} and others leave it to a formula of the model`,
				"Set it in all of them.",
			);
		return value;
	}
}

/** The law of a measurement; one on the scale of log10 is one of the natural logarithm, log(10) times as wide. */
function lawOf(
	{ scale, law, place }: PetabObservable,
	observed: ReturnType<typeof observedBy>,
	nameOf: (id: string) => string | undefined,
): string {
	const value = textOf(observed.formula, nameOf, place);
	const noise = textOf(observed.noise, nameOf, place);
	if (scale === "lin") return `${law}(${value}, ${noise})`;
	return `log${law}(log(${value}), ${scale === "log10" ? `log(10)*(${noise})` : noise})`;
}
