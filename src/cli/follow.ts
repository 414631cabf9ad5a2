/**
 * `odentify run STUDY --follow`: samples are taken in as they arrive, and the posterior is printed as it changes. A run
 * that was killed goes on at its last checkpoint, which says how much of the record it had seen.
 */
import { createReadStream } from "node:fs";
import { basename, resolve } from "node:path";
import type { Compute } from "../compute/compute.ts";
import { readTableFile } from "../data/node/read-file.ts";
import type { Table } from "../data/table/table.ts";
import { InputError } from "../errors.ts";
import type { GrowingRecord, KnownSoFar } from "../methods/following.ts";
import type { Method } from "../methods/method.ts";
import { withDefaults } from "../methods/options.ts";
import type { Problem } from "../methods/problem.ts";
import { methods, singleMethods } from "../methods/registry.ts";
import { dataInputs } from "../model/structure/free.ts";
import { formatWithUncertainty } from "../report/format.ts";
import { declaredNoise, recordLine } from "../report/record-lines.ts";
import { type Checkpoint, digest, hasCheckpoint } from "../study/node/checkpoint.ts";
import { GrowingFile } from "../study/node/growing-file.ts";
import { besideStudy, type LoadedStudy } from "../study/node/load-study.ts";
import { RunFolder, runName } from "../study/node/run-folder.ts";
import { problemFromStudy } from "../study/problem-from-study.ts";
import { tablesOf } from "../study/records/records.ts";
import { type Study, tableKey } from "../study/study.ts";
import { checkpointEveryOf } from "./common-options.ts";
import { assertFits, execute } from "./execute.ts";
import { titleOf } from "./files/resolved-study.ts";
import { questionLines } from "./question.ts";
import { type CommonOptions, Terminal } from "./terminal/terminal.ts";

/** Rows that must be there before anything is computed: steps are chosen from their intervals. */
const enoughRows = 5;
/** Stands for standard input. */
const standardInput = "-";
const keptName = "record.csv";

/** A run that was followed and killed. */
export interface Interrupted {
	readonly folder: RunFolder;
	readonly checkpoint: Checkpoint;
}

/** What the state of a followed run holds: that of the method, and the part of the record that it had seen. */
interface FollowedState {
	readonly followed: { readonly bytes: number; readonly sha256: string };
	readonly state: string;
}

function followedState(saved: Uint8Array): FollowedState {
	const read = readJson(new TextDecoder().decode(saved)) as Partial<FollowedState> | null | undefined;
	if (!Number.isInteger(read?.followed?.bytes) || typeof read?.state !== "string")
		throw new InputError(
			"the checkpoint",
			"does not say what part of the record it had seen",
			"Start again from the study.",
		);
	return read as FollowedState;
}

/** Nothing where the text is no JSON. */
function readJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Whether a checkpoint is one of a followed run. */
export function isFollowed({ state }: Checkpoint): boolean {
	return new TextDecoder().decode(state.subarray(0, 12)) === '{"followed":';
}

export async function follow(
	compute: Compute,
	loaded: LoadedStudy,
	options: CommonOptions,
	interrupted?: Interrupted,
): Promise<number> {
	const terminal = new Terminal(options);
	const { study, path } = loaded;
	const followed = checkFollowable(loaded);
	const [{ file, reading }] = study.records;
	const isPiped = file === standardInput;
	// What came by standard input ended with the run that read it.
	const isKept =
		interrupted !== undefined && resolve(besideStudy(path, file!)) === keptPath(interrupted.folder);
	const source = isPiped
		? new GrowingFile("standard input", { input: process.stdin }, reading)
		: isKept
			? new GrowingFile(keptName, { input: createReadStream(keptPath(interrupted.folder)) }, reading)
			: new GrowingFile(basename(file!), { path: besideStudy(path, file!) }, reading);
	const stop = (): void => source.end();
	process.once("SIGINT", stop);
	process.once("SIGTERM", stop);
	try {
		const others = await tablesOf({ ...study, records: [] }, (name, choices) =>
			readTableFile(besideStudy(path, name), choices),
		);
		const problemWith = (table: Table): Problem =>
			problemFromStudy(
				upTo(study, table),
				loaded.model,
				new Map([...others, [tableKey(study.records[0]), table]]),
				compute,
			);
		const seen = interrupted ? followedState(interrupted.checkpoint.state).followed.bytes : 0;
		const problem = problemWith(await firstRows(source, seen));
		const train = [...problem.train];
		const line = (): string => `${train[0].name}: ${recordLine(train[0], loaded.model, false)}`;
		const records = [line()];
		let folder: RunFolder | undefined;
		const record: GrowingRecord = {
			get isEnded() {
				return source.isEnded || train[0].rows.to >= lastRow(study);
			},
			async next() {
				if (this.isEnded && !source.isEnded) return undefined;
				try {
					const table = await source.grown();
					if (!table) return undefined;
					if (isPiped) folder?.write(keptName, source.bytes);
					train.splice(0, train.length, ...problemWith(table).train);
				} catch (error) {
					// Before its first checkpoint there is nothing to go on with, and the folder goes with the run.
					if (!(error instanceof InputError) || !folder || !hasCheckpoint(folder.path)) throw error;
					if (isPiped) folder.write(keptName, source.bytes);
					throw correctable(error, isPiped || isKept ? folder.file(keptName) : file!, folder);
				}
				records[0] = line();
				return [...train];
			},
		};
		const say = (text: string): void => terminal.say(`  ${text}`);
		const { method, optionsOf } = followed(record, (known) => say(knownLine(known)));
		const asked = optionsOf(withDefaults(method.options, study.options[study.method]));
		// What came by standard input is kept in the run's folder, and the study there names it.
		const kept = [...study.records];
		const question = {
			loaded: {
				...loaded,
				study: { ...study, records: kept, options: { ...study.options, [study.method]: { ...asked } } },
			},
			// The record as it is when somebody looks.
			problem: { ...problem, train },
			method: remembering(method, source),
			options: asked,
			data: "",
			records,
			readings: [],
			noise: declaredNoise(loaded.model, train),
		};
		terminal.say(["", ...questionLines(question, path), ""].join("\n"));
		if (interrupted) assertFits(interrupted.checkpoint, question, interrupted.folder);
		say(
			isPiped
				? "Following standard input."
				: isKept
					? `Going on with what had come by standard input (${keptName}); what comes now is not read.`
					: `Following ${file}; Ctrl-C ends it.`,
		);
		const code = await execute(
			{
				question,
				title: titleOf(study, path),
				folder() {
					folder = interrupted?.folder ?? RunFolder.create(runName(path), options.out);
					return folder;
				},
				begin(own) {
					if (!isPiped) return;
					kept[0] = { ...kept[0], name: keptName, file: keptPath(own) };
					own.write(keptName, source.bytes);
				},
				from: interrupted?.checkpoint,
				// The answer to Ctrl-C is what is known by then.
				endsItself: true,
				checkpointEvery: checkpointEveryOf(options) ?? 0,
			},
			terminal,
		);
		if (source.hasOpenEnd)
			say(
				"The last row came without a line end, and counts: if what wrote it was cut off, its last number may be cut, too.",
			);
		return code;
	} finally {
		process.off("SIGINT", stop);
		process.off("SIGTERM", stop);
		source.end();
	}
}

/** A row that cannot be read: what came before it is known, and the run goes on when the row is mended. */
function correctable(error: InputError, path: string, folder: RunFolder): InputError {
	const told = new InputError(error.subject, error.problem, error.remedy);
	told.message = `${error.message}\n  What came is in ${path}. When that row is right there:  odentify resume ${folder.path}`;
	return told;
}

function keptPath(folder: RunFolder): string {
	return resolve(folder.file(keptName));
}

/** The method with states that know their part of the record: a file that was changed since is told from one that grew. */
function remembering(method: Method, source: GrowingFile): Method {
	return {
		...method,
		save(run) {
			const { bytes } = source;
			const followed = { bytes: bytes.length, sha256: digest(bytes) };
			const state = new TextDecoder().decode(method.save(run));
			return new TextEncoder().encode(JSON.stringify({ followed, state } satisfies FollowedState));
		},
		load(problem, options, saved) {
			const { followed, state } = followedState(saved);
			if (digest(source.bytes.subarray(0, followed.bytes)) !== followed.sha256)
				throw new InputError(
					source.name,
					"was changed since the run that is to go on",
					"Only append to a followed file; or start again.",
				);
			return method.load(problem, options, new TextEncoder().encode(state));
		},
	};
}

/** `t = 12.3, 124 samples   c 0.20 ± 0.01   k 3.05 ± 0.04   log evidence 12.3` */
function knownLine({ samples, t, parameters, logEvidence }: KnownSoFar): string {
	const values = parameters.map(({ name, mean, sd }) => `${name} ${formatWithUncertainty(mean, sd)}`);
	const at = `t = ${Number(t.toPrecision(6))}, ${samples} samples`;
	return [at.padEnd(26), ...values, `log evidence ${logEvidence.toFixed(1)}`].join("   ");
}

/** Enough to begin with; and all that an interrupted run had `seen`, in bytes. */
async function firstRows(source: GrowingFile, seen: number): Promise<Table> {
	for (;;) {
		const table = await source.grown();
		if (!table)
			throw new InputError(
				source.name,
				`ended before it had ${enoughRows} rows`,
				"Look whether the program that writes it runs, and let it end its lines; or run what is there without --follow.",
			);
		const isEnough = table.nRows >= enoughRows && source.bytes.length >= seen;
		if (isEnough || source.isEnded) return table;
	}
}

/** The training rows that are there. */
function upTo(study: Study, { nRows }: Table): Study {
	const train = study.train.map((rows) =>
		rows === "none" ? rows : { ...rows, to: Math.min(rows.to, nRows) },
	);
	return { ...study, train };
}

function lastRow({ train: [rows] }: Study): number {
	return rows === "none" ? 0 : rows.to;
}

/** The way to follow, of a study that can be. */
function checkFollowable({ study, model }: LoadedStudy): NonNullable<Method["follow"]> {
	const refuse = (problem: string, remedy: string): never => {
		throw new InputError("--follow", problem, remedy);
	};
	const { follow } = methods.get(study.method)!;
	const able = singleMethods.filter((method) => method.follow).map(({ name }) => name);
	if (!follow)
		return refuse(
			`is not for method ${study.method}`,
			`Only ${able.join(", ")} takes samples in one by one:  method: ${able[0]}`,
		);
	if (study.records.length !== 1)
		refuse(`needs one record, and the study has ${study.records.length}`, "Follow one of them.");
	const [{ file, detrend, input }] = study.records;
	if (file === undefined || !(file === standardInput || /\.(csv|tsv|txt|dat)$/i.test(file)))
		refuse(
			"needs a text file that grows",
			'Name a .csv file under  data:, or  file: "-"  for standard input.',
		);
	if (study.test.some((rows) => rows !== "none"))
		refuse("has no test rows yet", "Name another file under  test:, or leave it out.");
	if (detrend !== "none") refuse("cannot detrend a record that is not whole", "Remove  detrend:.");
	if (dataInputs(model).length > 0 && (input === "cubic" || input === "sinc"))
		refuse(
			`cannot use  input: ${input}, which needs samples that are yet to come`,
			"Use  input: linear  or  zoh.",
		);
	return follow;
}
