/** Which expressions depend on which symbols: a set of bits for each node, found once and shared where it can be. */
import type { Node } from "./graph.ts";
import { visitOnce } from "./walk.ts";

type Bits = Uint32Array;
const none: Bits = new Uint32Array(0);

export class Dependence {
	readonly #index = new Map<string, number>();
	readonly #names: string[] = [];
	readonly #bits = new Map<Node, Bits>();

	/** Whether `symbol` occurs in `node`. */
	has(node: Node, symbol: string): boolean {
		const bits = this.#bits.get(node) ?? this.#of(node);
		const index = this.#index.get(symbol);
		return index !== undefined && ((bits[index >>> 5] ?? 0) & (1 << (index & 31))) !== 0;
	}

	/** All symbols that occur in `node`. */
	symbols(node: Node): string[] {
		const bits = this.#of(node);
		const found: string[] = [];
		bits.forEach((word, i) => {
			for (let rest = word; rest !== 0; rest &= rest - 1)
				found.push(this.#names[32 * i + 31 - Math.clz32(rest & -rest)]);
		});
		return found;
	}

	#of(root: Node): Bits {
		visitOnce(
			root,
			(node) => this.#bits.has(node),
			(node) => this.#bits.set(node, this.#own(node)),
		);
		return this.#bits.get(root)!;
	}

	#own(node: Node): Bits {
		if (node.op === "sym") {
			if (!this.#index.has(node.name!)) this.#index.set(node.name!, this.#names.push(node.name!) - 1);
			const index = this.#index.get(node.name!)!;
			const bits = new Uint32Array((index >>> 5) + 1);
			bits[index >>> 5] = 1 << (index & 31);
			return bits;
		}
		let union = none;
		let owned = false;
		for (const arg of node.args) {
			const bits = this.#bits.get(arg)!;
			if (bits === union || bits.length === 0) continue;
			if (union.length === 0) {
				union = bits;
				continue;
			}
			if (!owned || bits.length > union.length) {
				const wider = new Uint32Array(Math.max(bits.length, union.length));
				wider.set(union);
				union = wider;
				owned = true;
			}
			for (let i = 0; i < bits.length; i++) union[i] |= bits[i];
		}
		return union;
	}
}
