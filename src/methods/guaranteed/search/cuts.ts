/** Which boxes are cut where nothing moves, and across which unknown any is. */
import { type CourseLooseness, looseRange } from "../looseness.ts";
import type { Part } from "../part.ts";
import type { Models } from "./models.ts";
import type { Question } from "./question.ts";
import { bisected } from "./waiting.ts";

type Cuttable = Pick<Part, "box" | "constraints"> & {
	readonly courses?: CourseLooseness;
	readonly decides?: readonly number[];
};

/** Whether a box is large beside what is left, and something that is assumed neither holds nor fails all over it, since its model is rough. */
export function isRough(
	{ box, constraints }: Cuttable,
	left: Float64Array,
	{ reader }: Models,
	{ options }: Question,
): boolean {
	const isLarge = left.some(
		(_, i) => i % 2 === 1 && box[i] - box[i - 1] > options.precision * (left[i] - left[i - 1]),
	);
	return (
		isLarge &&
		constraints.some((each) => {
			const [lo, hi] = reader(each).range(each, box);
			return 2 * each.radius > looseRange * (hi - lo) && reader(each).verdict(each, box) === "unknown";
		})
	);
}

/** Two halves, across the unknown that the highest terms of the output polynomials (of the states, where nothing is measured) depend on most, or jumps on the way; nothing where there are none. */
export function halvesOf(
	{ box, constraints, courses, decides = [] }: Cuttable,
	{ flows }: Models,
	{ prior, unknowns }: Question,
): Float64Array[] | undefined {
	const jumped = decides.some((share) => share > 0);
	const score = Float64Array.from(unknowns, (_, k) => (jumped ? decides[k] : (courses?.bends[k] ?? 0)));
	for (const { coefficients, variables, experiment } of jumped ? [] : constraints) {
		const { table } = flows[experiment];
		for (let m = 0; m < table.length; m++)
			if (table.degree[m] === table.order && table.order > 0)
				for (let v = 0; v < variables.length; v++)
					score[variables[v]] += Math.abs(coefficients[m]) * table.exponent(m, v);
	}
	// While the states are still exact nothing is known of that: the widest side, beside its prior.
	if (score.every((value) => !(value > 0)))
		for (let k = 0; k < score.length; k++) {
			const whole = prior[2 * k + 1] - prior[2 * k];
			score[k] = whole > 0 ? (box[2 * k + 1] - box[2 * k]) / whole : 0;
		}
	const k = score.indexOf(Math.max(...score));
	if (k < 0) return undefined;
	return bisected(box, k)?.reverse();
}
