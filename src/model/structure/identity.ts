/**
 * Whether an expression is zero whatever its symbols are. It is evaluated in the whole numbers modulo the prime
 * 2^61 - 1, with a random residue for each symbol and for each function of a given argument (Schwartz, "Fast
 * probabilistic algorithms for verification of polynomial identities", J. ACM 27, 1980). Rational identities are seen
 * with an error probability below 1e-15; identities of functions, such as sin² + cos² = 1, are not.
 */
import type { Node } from "../graph.ts";
import { isWhole } from "../graph.ts";
import { topological } from "../walk.ts";

const prime = (1n << 61n) - 1n;

export function vanishes(node: Node): boolean {
	const values = new Map<Node, bigint | undefined>();
	for (const each of topological([node])) {
		const args = each.args.map((arg) => values.get(arg));
		values.set(each, args.includes(undefined) ? undefined : residue(each, args as bigint[]));
	}
	return values.get(node) === 0n;
}

/** `undefined` for a division by zero. */
function residue(node: Node, args: readonly bigint[]): bigint | undefined {
	switch (node.op) {
		case "const": {
			const den = reduce(node.value!.den);
			return den === 0n ? undefined : reduce(node.value!.num * power(den, prime - 2n));
		}
		case "add":
			return reduce(args.reduce((sum, arg) => sum + arg, 0n));
		case "mul":
			return args.reduce((product, arg) => reduce(product * arg), 1n);
		case "pow": {
			if (!isWhole(node.args[1])) return hash(node.op, args);
			const exponent = node.args[1].value!.num;
			if (args[0] === 0n && exponent < 0n) return undefined;
			return power(args[0], exponent >= 0n ? exponent : -exponent * (prime - 2n));
		}
		case "sym":
			return hash(`sym ${node.name}`, []);
		case "call":
			return hash(`call ${node.name} ${node.partials}`, args);
		default:
			return hash(node.op, args);
	}
}

function reduce(a: bigint): bigint {
	const rest = a % prime;
	return rest < 0n ? rest + prime : rest;
}

function power(base: bigint, exponent: bigint): bigint {
	let result = 1n;
	let square = base;
	for (let rest = exponent; rest > 0n; rest >>= 1n) {
		if (rest & 1n) result = reduce(result * square);
		square = reduce(square * square);
	}
	return result;
}

/** A residue that looks random, the same for the same text and arguments. */
function hash(text: string, args: readonly bigint[]): bigint {
	let state = 0x9e3779b97f4a7c15n % prime;
	const mix = (word: bigint): void => {
		state = reduce((state ^ word) * 0x2545f4914f6cdd1dn + 0x1d8e4e27c47d124fn);
		state = reduce((state ^ (state >> 29n)) * 0x3c79ac492ba7b653n);
	};
	for (let i = 0; i < text.length; i++) mix(BigInt(text.charCodeAt(i)));
	for (const arg of args) mix(arg);
	mix(BigInt(args.length));
	return state;
}
