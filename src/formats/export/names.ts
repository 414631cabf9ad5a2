/** Names that every language takes, for the names of a model: x'' becomes x_dd. */

/** Words of the languages, and what the written programs call their own things. */
const words = new Set(
	`and as assert async await auto begin break case catch char class classdef const continue debugger def default del delete do
	double elif else elseif end enum except export extends extern false False finally float for from func function global goto if import
	in inline int is lambda let local long macro math module mutable new None nonlocal not null or otherwise parfor pass persistent pi
	print public quote raise register restrict return short signed sizeof static struct super switch this throw true True try typedef
	typeof union unsigned using var void volatile when while with yield
	abs acos asin atan choose cos cosh exp fabs floor fmax fmin log main max measured min np pow recorded sign sin sinh sqrt tan tanh Math
	time state par out which times values initial rhs parameters outputs states odentify_input inf Inf nan NaN`.split(
		/\s+/,
	),
);

export class Names {
	readonly #of = new Map<string, string>();
	readonly #taken = new Set<string>();

	/** The name that stands for one of the model; `t` is time. */
	of(key: string, wanted = key): string {
		if (key === "t") return "t";
		let name = this.#of.get(key);
		if (name === undefined) this.#of.set(key, (name = this.fresh(wanted)));
		return name;
	}

	fresh(wanted: string): string {
		const primes = /'*$/.exec(wanted)![0].length;
		const plain = wanted.replace(/'+$/, "").replace(/[^A-Za-z0-9_]/g, "_");
		const start = primes === 0 ? plain : `${plain}_${"d".repeat(primes)}`;
		let name = words.has(start) ? `${start}_` : start;
		for (let k = 2; this.#taken.has(name); k++) name = `${start}_${k}`;
		this.#taken.add(name);
		return name;
	}
}
