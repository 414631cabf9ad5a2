/** Names of the model language for the ids of a file: the same where that is a name, else one much like it. */
import { limits } from "../../model/language/syntax/limits.ts";
import { reservedNames } from "../../model/language/vocabulary.ts";

export class Names {
	readonly #of = new Map<string, string>();
	readonly #taken = new Set<string>();

	/** The name that stands for an id; made when first asked for. */
	of(id: string, wanted = id): string {
		let name = this.#of.get(id);
		if (name === undefined) this.#of.set(id, (name = this.fresh(wanted)));
		return name;
	}

	/** A name that stands for nothing else. */
	fresh(wanted: string): string {
		const letters = wanted.replace(/[^A-Za-z0-9_]/g, "_").slice(0, limits.name - 8);
		const plain = /^[A-Za-z]/.test(letters) ? letters : `${letters.replace(/^_+/, "n") || "n"}_`;
		const start = /^[A-Za-z]/.test(plain) ? plain : `n${plain}`;
		let name = reservedNames.has(start) ? `${start}_` : start;
		for (let i = 2; this.#taken.has(name); i++) name = `${start}_${i}`;
		this.#taken.add(name);
		return name;
	}
}
