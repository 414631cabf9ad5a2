/** Cells of the tables of PEtab, read as what they must be; what is wrong is collected, so that all of it is said at once. */
import { InputError, nearestName } from "../../errors.ts";
import type { Override, PetabObservable } from "./problem.ts";
import { cellNumber, type PetabRow, type PetabTable } from "./table.ts";

/** More than these say nothing new. */
const mostSaid = 20;

export class Faults {
	readonly #found: InputError[] = [];

	add(subject: string, problem: string, remedy: string): void {
		this.#found.push(new InputError(subject, problem, remedy));
	}
	/** `undefined` where the user's error was noted. */
	attempt<T>(make: () => T): T | undefined {
		try {
			return make();
		} catch (error) {
			if (!(error instanceof InputError)) throw error;
			this.#found.push(error);
			return undefined;
		}
	}
	throwIfAny(fileName: string): void {
		const [first] = this.#found;
		if (first === undefined) return;
		if (this.#found.length === 1) throw first;
		const said = this.#found.slice(0, mostSaid).map(({ message }) => `  ${message.replaceAll("\n", "\n  ")}`);
		const more = this.#found.length - said.length;
		throw new InputError(
			fileName,
			`has ${this.#found.length} faults:\n${said.join("\n")}${more > 0 ? `\n  and ${more} more` : ""}`,
		);
	}
}

/** A row with its place, and its cells as what they must be. */
export class Cells {
	readonly place: string;
	constructor(
		readonly row: PetabRow,
		{ file }: PetabTable,
		readonly faults: Faults,
	) {
		this.place = `${file}:${row.line}`;
	}

	text(column: string): string {
		return this.row.get(column);
	}

	fault(problem: string, remedy: string): void {
		this.faults.add(this.place, problem, remedy);
	}

	id(column: string): string {
		const id = this.text(column);
		if (!/^[A-Za-z_]\w*$/.test(id))
			this.fault(`"${id}" is no ${column}`, "It has letters, digits and underscores.");
		return id;
	}

	/** A number, or `undefined` for an empty cell. */
	number(column: string): number | undefined {
		const text = this.text(column);
		const value = cellNumber(text);
		if (value === undefined && text !== "" && !/^nan$/i.test(text))
			this.fault(`${column} is "${text}"`, "Give a number in decimal digits.");
		return value;
	}

	/** The same, where nothing infinite will do. */
	finite(column: string): number | undefined {
		const value = this.number(column);
		if (value !== undefined && !Number.isFinite(value))
			this.fault(`${column} is "${this.text(column)}"`, "Give a finite number.");
		return value;
	}

	/** The first is what an empty cell means. */
	oneOf<T extends string>(column: string, among: readonly T[]): T {
		const text = this.text(column);
		const found = text === "" ? among[0] : among.find((each) => each === text);
		if (found === undefined) this.fault(`${column} is "${text}"`, `It is one of ${among.join(", ")}.`);
		return found ?? among[0];
	}

	/** An id that another table declares. */
	known(id: string, all: ReadonlyMap<string, unknown>, what: string): boolean {
		if (all.has(id)) return true;
		const near = nearestName(id, [...all.keys()]);
		this.fault(
			`there is no ${what} "${id}"`,
			near ? `Did you mean "${near}"?` : `Declare it in the table of ${what}s.`,
		);
		return false;
	}

	/** A number, the id of a parameter, or nothing. */
	override(text: string, parameters: ReadonlyMap<string, unknown>): Override | undefined {
		if (text === "" || /^nan$/i.test(text)) return undefined;
		const value = cellNumber(text);
		if (value !== undefined) return value;
		if (parameters.has(text)) return text;
		const near = nearestName(text, [...parameters.keys()]);
		this.fault(
			`"${text}" is neither a number nor a parameter`,
			near ? `Did you mean "${near}"?` : "Declare it in the parameter table.",
		);
		return undefined;
	}

	overrides(column: string, parameters: ReadonlyMap<string, unknown>): Override[] {
		return this.text(column)
			.split(";")
			.flatMap((part) => {
				const value = this.override(part.trim(), parameters);
				if (typeof value === "number" && !Number.isFinite(value))
					this.fault(`${column} has "${part.trim()}"`, "Give a finite number.");
				return value ?? [];
			});
	}

	list(column: string): string[] {
		return this.text(column)
			.split(";")
			.map((part) => part.trim())
			.filter((part) => part !== "");
	}
}

/** A second row of an id would count in place of the first. */
export function once(cells: Cells, all: ReadonlyMap<string, unknown>, what: string, id: string): void {
	if (all.has(id)) cells.fault(`${what} ${id} stands there twice`, "Take one out.");
}

/** Every row of every table. */
export function* rowsOf(tables: readonly PetabTable[], faults: Faults): Generator<Cells> {
	for (const table of tables) for (const row of table.rows) yield new Cells(row, table, faults);
}

/** What a measurement gives for the placeholders of its observable. */
export function filledIn(
	cells: Cells,
	{ observablePlaceholders, noisePlaceholders }: PetabObservable,
	parameters: Parameters<Cells["overrides"]>[1],
): { observableParameters: readonly Override[]; noiseParameters: readonly Override[] } {
	const observableParameters = cells.overrides("observableParameters", parameters);
	const noiseParameters = cells.overrides("noiseParameters", parameters);
	checkPlaceholders(cells, "observableParameters", observableParameters, observablePlaceholders);
	checkPlaceholders(cells, "noiseParameters", noiseParameters, noisePlaceholders);
	return { observableParameters, noiseParameters };
}

/** What is missing or too much among them. */
function checkPlaceholders(
	cells: Cells,
	column: string,
	values: readonly Override[],
	placeholders: readonly string[],
): void {
	if (values.length < placeholders.length)
		cells.fault(
			`nothing stands for ${placeholders.slice(values.length).join(", ")}`,
			`Fill in ${column}, separated by semicolons.`,
		);
	else if (values.length > placeholders.length)
		cells.fault(
			`${column} has ${values.length} values, and the observable ${placeholders.length} placeholders`,
			"Give one for each.",
		);
}

/** A list, where one thing or nothing may stand for it. */
export function listOf(value: unknown): unknown[] {
	if (value === undefined || value === null) return [];
	return Array.isArray(value) ? value : [value];
}
