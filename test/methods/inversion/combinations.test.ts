/** Rivals in several functions at once. */
import { expect, test } from "vitest";
import { combined } from "../../../src/methods/inversion/selection/combinations.ts";

/** Terms 0–2 are of f, 3–5 of g, 6–8 of h; 9 is an initial value. */
const functionOf = (u: number): string | undefined => (u < 9 ? "fgh"[Math.floor(u / 3)] : undefined);
const best = { active: [0, 3, 6, 9], point: [1, 0, 0, 1, 0, 0, 1, 0, 0, 5] };
const inF = { active: [1, 3, 6, 9], point: [0, 2, 0, 1.1, 0, 0, 1, 0, 0, 5], behind: 1 };
const inG = { active: [0, 4, 5, 6, 9], point: [1.1, 0, 0, 0, 3, 4, 1, 0, 0, 5], behind: 2 };
const inH = { active: [0, 3, 9], point: [1, 0, 0, 1, 0, 0, 0, 0, 0, 5], behind: 2.5 };

test("each function as the variant that changes it has it: behind by the sum, best first, within what is asked for", () => {
	const all = combined(best, [inF, inG, inH], 5, functionOf);
	expect(all.map(({ behind }) => behind)).toEqual([3, 3.5, 4.5]);
	expect(all[0]).toEqual({
		active: [1, 4, 5, 6, 9],
		point: [0, 2, 0, 0, 3, 4, 1, 0, 0, 5],
		behind: 3,
	});
	expect(all[1].active).toEqual([1, 3, 9]);
	expect(combined(best, [inF, inG, inH], 6, functionOf).at(-1)!.active).toEqual([1, 4, 5, 9]);
});

test("variants of the same function, and those that change more than terms, are not combined", () => {
	const alsoInF = { ...inF, active: [2, 3, 6, 9] };
	expect(combined(best, [inF, alsoInF], 9, functionOf)).toEqual([]);
	const without = { ...inG, active: [0, 4, 5, 6] };
	expect(combined(best, [inF, without], 9, functionOf)).toEqual([]);
});
