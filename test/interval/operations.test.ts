/** The operations that proofs use are those of the sets, but never empty: where nothing is defined, nothing is known. */
import { expect, it } from "vitest";
import { empty, entire, interval } from "../../src/interval/index.ts";
import * as proofs from "../../src/interval/operations.ts";
import * as sets from "../../src/interval/set/arithmetic.ts";
import { exp } from "../../src/interval/set/elementary.ts";

const [a, b] = [interval(-1, 2), interval(0.1, 3)];

it("give the same bounds", () => {
	expect(proofs.add(a, b)).toEqual(sets.add(a, b));
	expect(proofs.sub(a, b)).toEqual(sets.sub(a, b));
	expect(proofs.mul(a, b)).toEqual(sets.mul(a, b));
	expect(proofs.div(a, b)).toEqual(sets.div(a, b));
	expect(proofs.sqr(a)).toEqual(sets.sqr(a));
	expect(proofs.abs(a)).toEqual(sets.abs(a));
	expect(proofs.exp(a)).toEqual(exp(a));
	expect(proofs.intersect(a, b)).toEqual(sets.intersect(a, b));
});

it("are never empty", () => {
	expect(proofs.div(1, 0)).toEqual(entire);
	expect(sets.div(1, 0)).toBe(empty);
	expect(() => proofs.add(empty, 1)).toThrow(/bounds Infinity and -Infinity/);
});
