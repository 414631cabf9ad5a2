/** What one evaluation of a tape in Taylor models costs. */
import type { TaylorSpace } from "../../../interval/taylor/taylor-model.ts";
import type { Tape, TapeOp } from "../../../lower/interval/tape.ts";

type Plain =
	| "const"
	| "sym"
	| "add"
	| "mul"
	| "scale"
	| "powInt"
	| "recip"
	| "abs"
	| "sign"
	| "min"
	| "max"
	| "if";
type Expanded = Exclude<TapeOp, Plain>;

/**
 * What the coefficients of a function cost, at the middle of a model and over its range, in products: they are enclosed with all care, however few terms the
 * model has. As measured, in powers of two about: high powers of intervals take longest.
 */
const ofCoefficients: Readonly<Record<Expanded, number>> = {
	exp: 128,
	sin: 256,
	cos: 256,
	sinh: 256,
	cosh: 256,
	tan: 512,
	tanh: 512,
	atan: 1024,
	asin: 1024,
	acos: 1024,
	log: 1024,
	pow: 4096,
};
/** How many products of models an expansion takes, as a rule. */
const ofExpansion = 8;
/** What calls and bounds take beside the products of coefficients of one operation. */
const ofOperation = 50;

/**
 * Products for one evaluation of a tape, about: of two models as many as there are pairs of terms; a function some of these, and its coefficients. What does not move in time has no
 * terms of it, and a parameter alone has two: `isStill` says of which symbols that is so.
 */
export function costOf(
	{ instructions }: Tape,
	{ M, timeOrder, order, table, size }: TaylorSpace,
	isStill: (symbol: number) => boolean,
): number {
	let pairs = 0;
	for (let m = 0; m < M; m++) pairs += table.upTo[order - table.degree[m]];
	const inTime = timeOrder + 1;
	const product = (pairs * inTime * (inTime + 1)) / 2;
	/** Terms in the unknowns of what is still; 0 of what moves. */
	const still: number[] = [];
	let sum = 200;
	for (const { op, a, b, n } of instructions) {
		const own = op === "const" ? 1 : op === "sym" ? (isStill(n) ? 2 : 0) : Math.max(M * +(still[a] > 0), 0);
		const isPair = op === "add" || op === "mul" || op === "min" || op === "max";
		still.push(op === "if" || (isPair && !(still[b] > 0)) ? 0 : own);
		const [first, second] = [still[a], still[b]];
		if (op === "mul") {
			const least = Math.min(first || M, second || M);
			sum += 4 * size + (first > 0 || second > 0 ? Math.min(pairs, least * M) * inTime : product);
		} else if (op === "powInt") sum += (n - 1) * (product + 4 * size);
		else if (op === "recip") sum += 2 * product;
		else if (isExpanded(op)) sum += ofCoefficients[op] + ofExpansion * (product + 4 * size + ofOperation);
		else sum += 4 * size + ofOperation;
	}
	return sum;
}

const isExpanded = (op: TapeOp): op is Expanded => Object.hasOwn(ofCoefficients, op);
