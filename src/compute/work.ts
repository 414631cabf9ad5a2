/**
 * How much there is to do: an estimate of a launch's lane operations, from the kernel's statements and the scalars that
 * steer its loops. It is the same on every machine, so that work may be bounded by it.
 */
import type { Block, Id, Kernel, Let } from "../lower/ir.ts";
import type { Arguments, Compute } from "./compute.ts";

/** Operations that one operation stands for. */
const weights: Partial<Record<Let["op"], number>> = { div: 4, sqrt: 4, call: 40, const: 0, get: 0, param: 0 };
/** Rounds of a loop whose ends come from data. */
const unknownRounds = 8;

/** What the last launch of a kernel came to: the next one mostly has the same scalars. */
const last = new WeakMap<Kernel, { scalars: string; perLane: number }>();

/** Lane operations of a whole launch. */
export function operationsOf(kernel: Kernel, args: Arguments): number {
	const scalars = args.scalars.join();
	let known = last.get(kernel);
	if (known?.scalars !== scalars)
		last.set(kernel, (known = { scalars, perLane: operationsOfBlock(kernel.body, args.scalars, new Map()) }));
	return args.batch * known.perLane;
}

/** Done in a second by one core of a usual machine, about. */
export const operationsPerSecond = 1e9;

/** A place that counts the operations of its launches. */
export function counting(compute: Compute): Compute & { readonly operations: number } {
	let operations = 0;
	return {
		name: compute.name,
		get operations() {
			return operations;
		},
		run(kernel, launch) {
			const scalars = kernel.scalars.map(({ name }) => launch.scalars?.[name] ?? 0);
			operations += operationsOf(kernel, { batch: launch.batch, buffers: [], scalars });
			return compute.run(kernel, launch);
		},
		...(compute.allocate && { allocate: (lengths) => compute.allocate!(lengths) }),
		...(compute.breathe && { breathe: () => compute.breathe!() }),
	};
}

function operationsOfBlock(
	block: Block,
	scalars: readonly number[],
	ints: Map<Id, number | undefined>,
): number {
	let sum = 0;
	for (const statement of block) {
		switch (statement.do) {
			case "let":
				if (statement.type === "lane") sum += weights[statement.op] ?? 1;
				else if (statement.type === "int") ints.set(statement.id, intValue(statement, scalars, ints));
				break;
			case "store":
				sum += 1;
				break;
			case "loop": {
				const [from, to] = [ints.get(statement.from), ints.get(statement.to)];
				const known = from !== undefined && to !== undefined;
				// Loops inside see the middle of the range.
				ints.set(statement.id, known ? Math.floor((from + to) / 2) : undefined);
				const rounds = known ? Math.max(0, to - from) : unknownRounds;
				sum += rounds * operationsOfBlock(statement.body, scalars, ints);
				break;
			}
			case "if":
				sum += Math.max(
					operationsOfBlock(statement.yes, scalars, ints),
					operationsOfBlock(statement.no, scalars, ints),
				);
		}
	}
	return sum;
}

function intValue(
	{ op, args, text, index }: Let,
	scalars: readonly number[],
	ints: ReadonlyMap<Id, number | undefined>,
): number | undefined {
	if (op === "const") return Number(text);
	if (op === "param") return scalars[index!];
	const [a, b] = args.map((id) => ints.get(id));
	if (a === undefined || b === undefined) return undefined;
	if (op === "int.add") return a + b;
	if (op === "int.sub") return a - b;
	return op === "int.mul" ? a * b : undefined;
}
