/** The verified integrator, its tubes, and set inversion, as a library has them. */
import { describe, expect, it } from "vitest";
import { InputError, model } from "../../../src/index.ts";
import { invert, reach, Tube } from "../../../src/methods/guaranteed/entry.ts";
import { stream } from "../../../src/num/random.ts";
import { simulateTruth } from "./records.ts";

const decay = "param k in [1, 2]\nstate x in [1, 1.5]\nx' = -k*x";
const pendulum = "param c in [0.1, 0.3]\nstate q in [0.4, 0.5], v = 0\nq' = v\nv' = -sin(q) - c*v";

describe("a tube", () => {
	it("is as wide as what is exact, at rows and between them", async () => {
		const { outcome, tube, why } = await reach(model(decay), { times: [0, 0.5, 1], options: { parts: 4 } });
		expect([outcome, why]).toEqual(["proved", undefined]);
		expect([tube.from, tube.to, ...tube.states]).toEqual([0, 1, "x"]);
		for (const t of [0, 0.1, 0.25, 0.5, 0.77, 1]) {
			const { lo, hi } = tube.at(t).x;
			const [least, most] = [Math.exp(-2 * t), 1.5 * Math.exp(-t)];
			expect(lo).toBeLessThanOrEqual(least * (1 + 1e-15));
			expect(hi).toBeGreaterThanOrEqual(most * (1 - 1e-15));
			expect(hi - lo).toBeLessThan((most - least) * (t === 0.5 || t === 1 ? 1.01 : 1.4));
		}
		const over = tube.over(0.2, 0.8).x;
		expect(over.lo).toBeLessThanOrEqual(Math.exp(-1.6));
		expect(over.hi).toBeGreaterThanOrEqual(1.5 * Math.exp(-0.2));
	});

	it("holds 200 random courses at random times", async () => {
		const { tube } = await reach(model(pendulum), { times: [0, 1, 2, 3] });
		const random = stream(3, "courses");
		for (let i = 0; i < 200; i++) {
			const u = (k: number): number => random.uniform(4 * i + k);
			const t = 3 * u(2);
			const { x } = simulateTruth({
				text: "param c\nstate q = 0, v = 0\nq' = v\nv' = -sin(q) - c*v",
				values: { c: 0.1 + 0.2 * u(0) },
				x0: [0.4 + 0.1 * u(1), 0],
				times: Float64Array.of(0, t / 2, t),
			});
			const at = tube.at(t);
			for (const [k, name] of ["q", "v"].entries()) {
				expect(at[name].lo).toBeLessThanOrEqual(x[4 + k] + 1e-10);
				expect(at[name].hi).toBeGreaterThanOrEqual(x[4 + k] - 1e-10);
			}
			expect(tube.contains(t / 2, { q: x[2], v: x[3] })).toBe(true);
			expect(tube.contains(t / 2, { q: x[2] + 1 })).toBe(false);
		}
	});

	it("does not hold one that leaves it at a row, where it is narrower than between rows", async () => {
		const { tube } = await reach(model(decay), { times: [0, 0.5, 1] });
		// The same pieces, without the closer bounds of the rows.
		const wider = tube.hull(tube);
		const { hi } = wider.at(0.5).x;
		expect([wider.contains(0.5, { x: hi }), tube.contains(0.5, { x: hi })]).toEqual([true, false]);
		expect([tube.encloses(wider), wider.encloses(tube), tube.encloses(tube)]).toEqual([false, true, true]);
	});

	it("meets, holds and joins others", async () => {
		const wide = (await reach(model(decay), { times: [0, 1] })).tube;
		const fast = (
			await reach(model("param k in [1.6, 1.8]\nstate x = 1.2\nx' = -k*x"), { times: [0, 0.3, 1] })
		).tube;
		const slow = (
			await reach(model("param k in [1, 1.1]\nstate x = 1.2\nx' = -k*x"), { times: [0, 0.6, 1.2] })
		).tube;
		expect(wide.encloses(fast)).toBe(true);
		expect(fast.encloses(wide)).toBe(false);
		const both = wide.intersect(fast)!;
		expect(both.at(1).x.hi).toBeLessThanOrEqual(Math.min(wide.at(1).x.hi, fast.at(1).x.hi));
		expect(both.contains(1, { x: 1.2 * Math.exp(-1.7) })).toBe(true);
		// From the same start, but apart later on.
		expect(fast.intersect(slow)).toBeUndefined();
		const joined = fast.hull(slow);
		expect(joined.to).toBe(1);
		expect(joined.encloses(fast) && joined.encloses(slow)).toBe(true);
	});

	it("has nothing in common with one that is beyond its closer bounds at a row", () => {
		const piece = (from: number, to: number, ...bounds: number[]) => ({
			from,
			to,
			bounds: Float64Array.from(bounds),
		});
		const narrow = new Tube(["x"], [piece(0, 0.5, 0, 2), piece(0.5, 1, 0, 2)], [piece(0.5, 0.5, 0, 1)]);
		const above = new Tube(["x"], [piece(0, 1, 1.5, 2)]);
		const around = new Tube(["x"], [piece(0, 1, 0.5, 2)]);
		expect([narrow.intersect(above), above.intersect(narrow)]).toEqual([undefined, undefined]);
		expect(narrow.intersect(around)!.at(0.5).x).toEqual({ lo: 0.5, hi: 1 });
	});

	it("is columns for a plot", async () => {
		const { tube } = await reach(model(decay), { times: [0, 1] });
		const { t, lo, hi } = tube.columns("x");
		expect([t[0], t[t.length - 1]]).toEqual([0, 1]);
		expect(t.every((value, i) => i === 0 || value >= t[i - 1])).toBe(true);
		expect(
			t.every((value, i) => lo[i] <= 1.2 * Math.exp(-1.5 * value) && 1.2 * Math.exp(-1.5 * value) <= hi[i]),
		).toBe(true);
	});

	it("ends where the equations do, and says why", async () => {
		const { outcome, tube, why } = await reach(model("param p in [0.9, 1.1]\nstate x = 1\nx' = p*x^2"), {
			times: [0, 0.5, 2],
			options: { effort: 1 },
		});
		expect(outcome).toBe("undecided");
		expect(tube.to).toBeGreaterThan(0.5);
		expect(tube.to).toBeLessThan(1 / 0.9);
		expect(why).toContain("t = ");
		expect(() => tube.at(1.5)).toThrow("does not reach to t = 1.5");
	});

	it("that ends at its very start is none, and why is said", async () => {
		// Some courses are past the event as they begin, and the equations have a corner there.
		const text = "state x in [0.8, 0.87]\nx' = -x + 0.2*abs(t)\nwhen x < 0.82 { x = 2 }";
		await expect(reach(model(text), { times: [0, 1], options: { models: 1 } })).rejects.toThrow(
			"cannot be followed from its start",
		);
	});

	it("takes inputs and conditions, and refuses what is not there", async () => {
		const driven = model("input u\ncondition c\nparam k in [1, 1.1]\nstate x = 0\nx' = c*u - k*x");
		const { tube } = await reach(driven, {
			times: [0, 1, 2],
			inputs: { u: [1, 0, 0] },
			conditions: { c: 2 },
		});
		expect(tube.contains(1, { x: (2 / 1.05) * (1 - Math.exp(-1.05)) })).toBe(true);
		await expect(reach(driven, { times: [0, 1], conditions: { c: 2 } })).rejects.toThrow("has no samples");
		await expect(reach(driven, { times: [1, 0] })).rejects.toThrow(InputError);
		expect(() => tube.columns("y")).toThrow('has no state "y"');
		expect(() => tube.intersect(new Tube(["z"], tube.pieces))).toThrow("has the states z");
	});
});

describe("set inversion", () => {
	it("finds a ring: the truth of random points, and its area", async () => {
		const ring = await invert({ a: [-2, 2], b: [-2, 2] }, ["a^2 + b^2 <= 2", "a^2 + b^2 >= 1"], {
			options: { boxes: 20_000, precision: 0.005 },
		});
		const inBox = (box: Float64Array, a: number, b: number): boolean =>
			box[0] <= a && a <= box[1] && box[2] <= b && b <= box[3];
		const random = stream(1, "points");
		for (let i = 0; i < 2000; i++) {
			const [a, b] = [4 * random.uniform(2 * i) - 2, 4 * random.uniform(2 * i + 1) - 2];
			const holds = a * a + b * b <= 2 && a * a + b * b >= 1;
			if (ring.inner.some((box) => inBox(box, a, b))) expect(holds).toBe(true);
			else if (holds) expect(ring.edge.some((box) => inBox(box, a, b))).toBe(true);
		}
		const area = (boxes: readonly Float64Array[]): number =>
			boxes.reduce((sum, box) => sum + (box[1] - box[0]) * (box[3] - box[2]), 0);
		expect(area(ring.inner)).toBeLessThanOrEqual(Math.PI);
		expect(area(ring.inner)).toBeGreaterThan(0.95 * Math.PI);
		expect(area(ring.inner) + area(ring.edge)).toBeGreaterThanOrEqual(Math.PI);
		const { a } = ring.hull!;
		expect(a.lo).toBeLessThanOrEqual(-Math.SQRT2);
		expect(a.hi).toBeGreaterThanOrEqual(Math.SQRT2);
		expect(a.hi).toBeLessThan(1.01 * Math.SQRT2);
	});

	it.each([
		["sqrt(a^2 + b^2) <= 1", (a: number, b: number) => Math.hypot(a, b) <= 1, 1, Math.PI],
		[
			"exp(-a^2 - b^2) >= 0.5",
			(a: number, b: number) => a * a + b * b <= Math.LN2,
			Math.sqrt(Math.LN2),
			Math.PI * Math.LN2,
		],
		["abs(a) + abs(b) <= 1", (a: number, b: number) => Math.abs(a) + Math.abs(b) <= 1, 1, 2],
		[
			"log(1 - a^2 - b^2) >= -1",
			(a: number, b: number) => a * a + b * b <= 1 - Math.exp(-1),
			Math.sqrt(1 - Math.exp(-1)),
			Math.PI * (1 - Math.exp(-1)),
		],
	] as const)("narrows by %s, which one model of the whole does not show", async (text, holds, end, area) => {
		const { hull, inner, edge } = await invert({ a: [-2, 2], b: [-2, 2] }, [text]);
		for (const { lo, hi } of Object.values(hull!)) {
			expect(hi).toBeGreaterThanOrEqual(end * (1 - 1e-15));
			expect(lo).toBeLessThanOrEqual(-end * (1 - 1e-15));
			expect(hi - lo).toBeLessThan(2.01 * end);
		}
		const areaOf = (boxes: readonly Float64Array[]): number =>
			boxes.reduce((sum, box) => sum + (box[1] - box[0]) * (box[3] - box[2]), 0);
		expect(areaOf(inner)).toBeLessThanOrEqual(area);
		expect(areaOf(inner)).toBeGreaterThan(0.85 * area);
		const random = stream(2, text);
		const isIn = (boxes: readonly Float64Array[], a: number, b: number): boolean =>
			boxes.some((box) => box[0] <= a && a <= box[1] && box[2] <= b && b <= box[3]);
		for (let i = 0; i < 1000; i++) {
			const [a, b] = [4 * random.uniform(2 * i) - 2, 4 * random.uniform(2 * i + 1) - 2];
			if (isIn(inner, a, b)) expect(holds(a, b)).toBe(true);
			else if (holds(a, b)) expect(isIn(edge, a, b)).toBe(true);
		}
	});

	it("proves that there is nothing", async () => {
		const none = await invert({ a: [0, 1], idle: ["0.1", "0.2"] }, ["exp(a) + idle < 1"]);
		expect(none).toEqual({ hull: undefined, inner: [], edge: [], share: 0 });
	});

	it("refuses what is no inequality", async () => {
		await expect(invert({ a: [0, 1] }, ["a + 1"])).rejects.toThrow(InputError);
		await expect(invert({ a: [0, 1] }, [])).rejects.toThrow("nothing that is to hold");
		await expect(invert({ a: [0, 1] }, ["a < 1\nstate b"])).rejects.toThrow("more than one line");
		await expect(invert({ a: [0, 3] }, ["floor(a) <= 1"])).rejects.toThrow(InputError);
	});
});
