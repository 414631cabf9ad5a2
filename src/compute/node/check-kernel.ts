/**
 * A kernel's text becomes C, so nothing in it may be more than a number or a known name. Kernels made here are so by
 * construction; this holds for those that came as JSON, too.
 */
import { InternalError } from "../../errors.ts";
import type { Block, Kernel, Statement } from "../../lower/ir.ts";

const number = /^-?(\d+(\.\d+)?(e[+-]?\d+)?|Infinity)$|^NaN$/;
const word = /^[A-Za-z][A-Za-z0-9_]*$/;
const types = new Set<string>(["lane", "mask", "real", "int", "flag"]);
const operations = new Set<string>(
	(
		"add sub mul div neg abs sqrt min max copysign pow2 exponent mantissa lt le eq and or not select " +
		"int.add int.sub int.mul int.lt int.le int.eq int.and int.toReal int.ofReal " +
		"const call rarely table param load get"
	).split(" "),
);

export function checkKernel(kernel: Kernel): void {
	const { buffers, scalars, variables, body } = kernel;
	must(
		buffers.every(
			({ kind, access }) => /^(lane|uniform)$/.test(kind) && /^(read|write|update)$/.test(access),
		),
		"a buffer",
	);
	must(
		scalars.every(({ type }) => types.has(type)),
		"a scalar",
	);
	must(
		variables.every((type) => types.has(type)),
		"a variable",
	);
	checkBlock(body);
}

function checkBlock(block: Block): void {
	for (const statement of block) must(isPlain(statement), "a statement", statement);
}

function isPlain(statement: Statement): boolean {
	switch (statement.do) {
		case "let": {
			const { id, type, op, args, text, name, index } = statement;
			return (
				types.has(type) &&
				operations.has(op) &&
				[id, ...args].every(isWhole) &&
				(text === undefined || number.test(text)) &&
				(name === undefined || word.test(name)) &&
				(index === undefined || isWhole(index))
			);
		}
		case "set":
			return isWhole(statement.variable) && isWhole(statement.value);
		case "store":
			return [statement.buffer, statement.index, statement.value].every(isWhole);
		case "loop":
			checkBlock(statement.body);
			return [statement.id, statement.from, statement.to].every(isWhole);
		case "if":
			checkBlock(statement.yes);
			checkBlock(statement.no);
			return isWhole(statement.flag);
		default:
			return false;
	}
}

function isWhole(value: unknown): boolean {
	return Number.isSafeInteger(value) && (value as number) >= 0;
}

function must(holds: boolean, what: string, state?: unknown): void {
	if (!holds) throw new InternalError(`a kernel holds ${what} that is none`, state);
}
