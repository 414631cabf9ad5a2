/** Words in the place of a number. */
import { InputError } from "../../errors.ts";

/** A word among the numbers of a column: where it stands, and how it is shown. */
export interface OddWord {
	readonly place: string;
	readonly word: string;
	readonly shown: string;
}

/** A word that may stand for "no value", but nobody said so. */
export class UnknownWord extends InputError {
	readonly word: string;

	constructor({ place, word, shown }: OddWord) {
		super(
			place,
			`holds ${shown}, which is no number`,
			`Correct the field. Where it stands for no value, leave it empty or say  data: { missing: [${shown}] }`,
		);
		this.word = word;
	}
}

/** Where nobody has said yet which columns are meant, a word in any of them is asked about. */
export function refuseWords<T extends { readonly columns: readonly { readonly odd?: OddWord }[] }>(
	table: T,
): T {
	const odd = table.columns.find((column) => column.odd)?.odd;
	if (odd) throw new UnknownWord(odd);
	return table;
}

/** What loggers, spreadsheets and languages write where there is no value; in lower case. */
const USUAL = new Set(
	"|na|n/a|n.a.|#n/a|#na|#div/0!|#num!|#value!|#ref!|#name?|#null!|nan|+nan|-nan|1.#qnan|-1.#ind|null|nil|none|missing|no data|nodata|-|--|---|?|.|..".split(
		"|",
	),
);
const LONGEST = 12;

/** Tells the words that stand for "no value", and counts them. */
export class MissingWords {
	readonly #own: ReadonlySet<string>;
	readonly #seen = new Map<string, number>();

	constructor(own: readonly string[] = []) {
		this.#own = new Set(own.map((word) => word.trim().toLowerCase()));
	}

	has(field: string): boolean {
		if (field.length <= LONGEST && USUAL.has(field.toLowerCase())) return true;
		return this.#own.size > 0 && this.#own.has(field.toLowerCase());
	}

	count(field: string): void {
		this.#seen.set(field, (this.#seen.get(field) ?? 0) + 1);
	}

	get seen(): Record<string, number> {
		return Object.fromEntries(this.#seen);
	}
}

/** Infinities are values; a study refuses them where it uses them, and says where they are. */
export function infinityOf(field: string): number | undefined {
	switch (field.length <= 9 ? field.toLowerCase() : "") {
		case "inf":
		case "+inf":
		case "infinity":
		case "+infinity":
			return Number.POSITIVE_INFINITY;
		case "-inf":
		case "-infinity":
			return Number.NEGATIVE_INFINITY;
		default:
			return undefined;
	}
}
