/** Events whose time states or unknowns decide: every course of a set is followed over its own crossing, and what cannot be proved is said. */
import { describe, expect, it } from "vitest";
import { answer, outcomeOf } from "../../../src/methods/guaranteed/answer/answer.ts";
import { guaranteed } from "../../../src/methods/guaranteed/guaranteed.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";
import { repetitions } from "../../repetitions.ts";
import { enclose, record } from "./records.ts";

const { exp, log, sqrt } = Math;
const even = (end: number, n: number): Float64Array =>
	Float64Array.from({ length: n + 1 }, (_, i) => (end * i) / n);
const half = log(2);
/** x' = -k·x from 1, doubled whenever it is down to a half. */
const dosed = (k: number, t: number): number => exp(-k * t + half * Math.floor((k * t) / half));
const text = (set: string): string =>
	`param k in ${set}\nstate x = 1\nx' = -k*x\nwhen x < 0.5 { x = x + 0.5 }`;

describe("events that courses lead to", () => {
	it("cost no width where nothing is unknown", async () => {
		const run = await enclose("param k = 0.7\nstate x = 1\nx' = -k*x\nwhen x < 0.5 { x = x + 0.5 }", [
			record(even(4, 8), new Map()),
		]);
		expect(outcomeOf(run)).toBe("proved");
		for (const { t, states } of run.parts[0].instants) {
			expect(states[1] - states[0]).toBeLessThan(1e-10);
			expect(states[0] - 1e-14 <= dosed(0.7, t) && dosed(0.7, t) <= states[1] + 1e-14).toBe(true);
		}
	});
	it("keep how states depend on unknowns: parameters are found as if times were known", async () => {
		const times = even(4, 8);
		const y = times.map((t) => dosed(0.7, t));
		const run = await enclose(`${text("[0.6, 0.8]")}\nmeasure y in x +- 0.01`, [
			record(times, new Map([["y", y]])),
		]);
		expect(outcomeOf(run)).toBe("proved");
		// The last sample tells the most: it is behind four doses.
		const last = (far: number): number => (4 * half - log(y[8] + far)) / 4;
		const [lo, hi] = run.enclosure!;
		expect(lo <= last(0.01) && last(-0.01) <= hi).toBe(true);
		expect(hi - lo).toBeLessThan(1.02 * (last(-0.01) - last(0.01)));
		expect((await answer(run)).summary.innerShare).toBeGreaterThan(0.9);
	});
	it("again and again: errors do not double from event to event", async () => {
		const times = even(20, 9);
		const run = await enclose(text("[0.999, 1.001]"), [record(times, new Map())], { models: 1 });
		expect(outcomeOf(run)).toBe("proved");
		// Behind 28 doses, at times that no course has one at.
		for (const { t, states } of run.parts[0].instants.slice(1)) {
			const ends = [dosed(1.001, t), dosed(0.999, t)];
			expect(states[0] <= ends[0] && ends[1] <= states[1], `t = ${t}`).toBe(true);
			expect(states[1] - states[0], `t = ${t}`).toBeLessThan(1.01 * (ends[1] - ends[0]));
		}
		const known = "state x = 1\nx' = -x\nwhen x < 0.5 { x = x + 0.5 }";
		const point = await enclose(known, [record(even(60, 9), new Map())]);
		const { states } = point.parts[0].instants[9];
		expect(outcomeOf(point)).toBe("proved");
		expect(states[0] <= dosed(1, 60) && dosed(1, 60) <= states[1]).toBe(true);
		expect(states[1] - states[0]).toBeLessThan(1e-4);
	});
	it("a ball that bounces: speeds behind a crossing are as close as the unknown makes them", async () => {
		const run = await enclose(
			"param e in [0.79, 0.81]\nstate h = 1, h' = 0\nh'' = -9.81\nwhen h < 0 { h = 0, h' = -e*h' }",
			[record(even(1.5, 10), new Map())],
		);
		expect(outcomeOf(run)).toBe("proved");
		const fall = sqrt(2 / 9.81);
		const { states } = run.parts[0].instants.find(({ t }) => t === 0.75)!;
		for (const e of [0.79, 0.8, 0.81]) {
			const v = e * sqrt(2 * 9.81) - 9.81 * (0.75 - fall);
			expect(states[2] <= v && v <= states[3]).toBe(true);
		}
		expect(states[3] - states[2]).toBeLessThan(1.01 * 0.02 * sqrt(2 * 9.81));
	});
	it("an unknown time is narrowed by samples before and after it", async () => {
		const times = even(2, 8);
		const y = times.map((t) => (t < 1.1 ? exp(-0.7 * t) : exp(-0.7 * t) + 0.5 * exp(-0.7 * (t - 1.1))));
		const run = await enclose(
			"param s in [0.3, 1.8]\nstate x = 1\nx' = -0.7*x\nwhen t > s { x = x + 0.5 }\nmeasure y in x +- 0.01",
			[record(times, new Map([["y", y]]))],
		);
		expect(outcomeOf(run)).toBe("proved");
		const [lo, hi] = run.enclosure!;
		expect(lo <= 1.1 && 1.1 <= hi).toBe(true);
		expect(hi - lo).toBeLessThan(0.12);
	});
	it("a sample that some courses have before, others behind the event is held against both", async () => {
		const run = await enclose("param s in [0.9, 1.1]\nstate x = 0\nx' = 0\nwhen t > s { x = x + 1 }", [
			record(Float64Array.of(0, 1, 2), new Map()),
		]);
		const [, { states: at }, { states: behind }] = run.parts[0].instants;
		expect(at[0] <= 0 && 1 <= at[1] && at[1] - at[0] < 1.001).toBe(true);
		expect(behind[1] - behind[0]).toBeLessThan(1e-10);
		const { tubes } = run.parts[0];
		for (const [i, piece] of tubes.entries()) if (i > 0) expect(piece.from).toBe(tubes[i - 1].to);
		expect(tubes[tubes.length - 1].to).toBe(2);
	});
	it("go on from a checkpoint, to the same bits", async () => {
		const times = even(4, 8);
		const data = [record(times, new Map([["y", times.map((t) => dosed(0.7, t))]]))];
		const model = `${text("[0.3, 0.9]")}\nmeasure y in x +- 0.01`;
		const whole = await enclose(model, data);
		const resumed = await enclose(model, data, {}, (run) => run.passes > 0);
		expect([...resumed.enclosure!]).toEqual([...whole.enclosure!]);
	});
});

describe("what is not proved is said", () => {
	const ended = async (model: string, times = even(4, 8)): Promise<string> => {
		const run = await enclose(model, [record(times, new Map())], { models: 2 });
		expect(outcomeOf(run)).toBe("undecided");
		return run.parts.find(({ failure }) => failure)!.failure!.why;
	};
	it("courses that only touch the condition", async () => {
		expect(
			await ended("param c in [0.9, 1.1]\nstate x = 0, v = 1\nx' = v\nv' = -x\nwhen x > c { v = 0 }"),
		).toMatch(/event 1 \(when .*\): .*the slope of .* along the courses is in \[/);
	});
	it("courses of one box that may have had different numbers of events", async () => {
		expect(await ended(text("[0.5, 1.5]"))).toContain(
			"some courses may have it again before all have had it",
		);
	});
	it("an event that sets off another", async () => {
		expect(
			await ended(
				"param k in [0.69, 0.71]\nstate x = 1, z = 0\nx' = -k*x\nz' = 0\nwhen x < 0.5 { z = 1 }\nwhen z > 0.5 { x = 2 }",
			),
		).toMatch(/event 1 .* may set it off/);
	});
	it("one that may be before or behind a known time", async () => {
		expect(
			await ended(
				"param s in [0.9, 1.1]\nstate x = 1\nx' = -x\nwhen t > s { x = x + 1 }\nwhen t >= 1 { x = 2*x }",
			),
		).toContain("may happen before or behind t =");
	});
	it("one that may be at the very start", async () => {
		expect(await ended("state x in [0.9, 1.1]\nx' = 1\nwhen x > 1 { x = 0 }")).toContain("very start");
	});
	it("conditions that are refused from the model alone", () => {
		const why = (event: string): string =>
			guaranteed.appliesTo(
				parseModel(
					`input u\nparam k in [0, 1]\nstate x = 1\nx' = -k*x + u\n${event}\nmeasure y in x +- 0.1`,
					"m.ode",
				),
			).why;
		expect(why("when x < 0.5 and t > 1 { x = 1 }")).toContain("waits for more than one comparison");
		expect(why("when x < u { x = 1 }")).toContain("waits for input u");
		expect(why("when sign(x) > 0.5 { x = 1 }")).toContain("that jumps");
		expect(why("when x < 0.5, delay: 1 { x = 1 }")).toContain("has a delay");
		expect(why("when x < 0.5, initially: false { x = 1 }")).toContain("initially: false");
		expect(why("when x < k/2 { x = 1 }")).toContain("Encloses every value");
	});
});

describe("random events", () => {
	it(`hold every course of ${repetitions(5, 300)} models`, async () => {
		const misses: string[] = [];
		let proved = 0;
		let events = 0;
		for (let seed = 0; seed < repetitions(5, 300); seed++) {
			const { model, members, course, times } = problemOf(seed);
			const run = await enclose(model, [record(times, new Map())], { models: 4, effort: 4 });
			if (outcomeOf(run) === "proved") proved++;
			for (const values of members) {
				const found = course(values);
				if (!found) continue;
				events += found.events;
				for (const { box, tubes, instants } of run.parts) {
					if (values.some((value, k) => value < box[2 * k] || value > box[2 * k + 1])) continue;
					for (const { from, to, states } of [
						...tubes,
						...instants.map(({ t, states }) => ({ from: t, to: t, states })),
					]) {
						const t = from / 2 + to / 2;
						const x = found.at(t);
						x?.forEach((value, i) => {
							const slack = 1e-6 * (1 + Math.abs(value));
							if (!(states[2 * i] - slack <= value && value <= states[2 * i + 1] + slack))
								misses.push(
									`seed ${seed}, ${values.join(" ")}: ${i} is ${value} at ${t}, [${states[2 * i]}, ${states[2 * i + 1]}]\n${model}`,
								);
						});
					}
				}
			}
		}
		expect(misses).toEqual([]);
		expect(events).toBeGreaterThan(3 * repetitions(5, 300));
		expect(proved).toBeGreaterThan(0.5 * repetitions(5, 300));
	}, 300_000);
});

interface Course {
	/** The states at a time; nothing right beside an event. */
	at(t: number): number[] | undefined;
	readonly events: number;
}

interface Place {
	readonly t: number;
	readonly x: number;
	readonly v: number;
	readonly n: number;
	readonly a: number;
	readonly c: number;
}

/** A damped, driven oscillator with a counter, and one or two events; a, c and x(0) are unknown. */
function problemOf(seed: number) {
	const random = stream(seed, "state events");
	let next = 0;
	const draw = (lo: number, hi: number): number => lo + (hi - lo) * random.uniform(next++);
	const pick = <T>(list: readonly T[]): T => list[Math.floor(draw(0, list.length - 1e-9))];
	const wide = draw(0, 1) < 0.3 ? 1e-9 : draw(0, 0.06);
	const set = (middle: number): [number, number] => [middle - wide, middle + wide];
	const sets = [set(draw(0.6, 2)), set(draw(-0.6, 0.6)), set(draw(-0.9, 0.9))];
	const [damping, drive] = [draw(0, 0.3), draw(-0.5, 0.5)];
	const guards: readonly [string, (at: Place) => number][] = [
		["x > c", ({ x, c }) => x - c],
		["x < c", ({ x, c }) => c - x],
		["v > c", ({ v, c }) => v - c],
		["x*v < c", ({ x, v, c }) => c - x * v],
		["t + x > 2 + c", ({ t, x, c }) => t + x - 2 - c],
		["t > 1 + a", ({ t, a }) => t - 1 - a],
	];
	const resets: readonly [string, (at: Place) => number[]][] = [
		["v = -0.8*v", ({ x, v, n }) => [x, -0.8 * v, n]],
		["n = n + 1", ({ x, v, n }) => [x, v, n + 1]],
		["x = x/2, n = n + x", ({ x, v, n }) => [x / 2, v, n + x]],
		["v = v + a", ({ x, v, n, a }) => [x, v + a, n]],
		["x = 0, v = 1 + t/10", ({ t, n }) => [0, 1 + t / 10, n]],
	];
	const chosen = Array.from({ length: draw(0, 1) < 0.3 ? 2 : 1 }, () => ({
		guard: pick(guards),
		reset: pick(resets),
	}));
	const end = draw(2, 6);
	const model = [
		`param a in [${sets[0].join(", ")}], c in [${sets[1].join(", ")}]`,
		`state x in [${sets[2].join(", ")}], v = 1, n = 0`,
		"x' = v",
		`v' = -a*x - ${damping}*v + ${drive}*sin(t)`,
		"n' = 0",
		...chosen.map(({ guard, reset }) => `when ${guard[0]} { ${reset[0]} }`),
	].join("\n");
	const slopes = (t: number, [x, v]: number[], a: number): number[] => [
		v,
		-a * x - damping * v + drive * Math.sin(t),
		0,
	];
	const step = (t: number, x: number[], h: number, a: number): number[] => {
		const add = (k: number[], share: number): number[] => x.map((value, i) => value + share * k[i]);
		const k1 = slopes(t, x, a);
		const k2 = slopes(t + h / 2, add(k1, h / 2), a);
		const k3 = slopes(t + h / 2, add(k2, h / 2), a);
		const k4 = slopes(t + h, add(k3, h), a);
		return x.map((value, i) => value + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
	};
	const course = ([a, c, x0]: readonly number[]): Course | undefined => {
		const place = (t: number, [x, v, n]: number[]): Place => ({ t, x, v, n, a, c });
		const value = (k: number, t: number, x: number[]): number => chosen[k].guard[1](place(t, x));
		const points: { t: number; x: number[] }[] = [{ t: 0, x: [x0, 1, 0] }];
		const times: number[] = [];
		let [t, x] = [0, [x0, 1, 0]];
		let holds = chosen.map((_, k) => value(k, t, x) > 0);
		const grid = 2e-3;
		while (t < end) {
			const h = Math.min(grid, end - t);
			const to = step(t, x, h, a);
			const now = chosen.map((_, k) => value(k, t + h, to) > 0);
			const k = now.findIndex((each, i) => each && !holds[i]);
			if (k < 0) {
				[t, x, holds] = [t + h, to, now];
			} else {
				let [lo, hi] = [0, h];
				for (let i = 0; i < 60; i++) {
					const middle = (lo + hi) / 2;
					if (value(k, t + middle, step(t, x, middle, a)) > 0) hi = middle;
					else lo = middle;
				}
				const there = step(t, x, hi, a);
				x = chosen[k].reset[1](place(t + hi, there));
				t += hi;
				times.push(t);
				if (times.length > 60) return undefined;
				holds = chosen.map((_, i) =>
					i === k && Math.abs(value(i, t, x)) < 1e-9 ? true : value(i, t, x) > 0,
				);
			}
			points.push({ t, x });
		}
		return {
			events: times.length,
			at: (when) => {
				if (times.some((each) => Math.abs(each - when) < 1e-6)) return undefined;
				const last = points.filter((point) => point.t <= when).pop()!;
				return step(last.t, last.x, when - last.t, a);
			},
		};
	};
	const member = (share: () => number): number[] =>
		sets.map(([lo, hi]) => Math.min(hi, Math.max(lo, lo + (hi - lo) * share())));
	return {
		model,
		times: Float64Array.of(0, end / 3, end / 2, end),
		members: [
			...Array.from({ length: 3 }, () => member(() => draw(0, 1))),
			...Array.from({ length: 3 }, () => member(() => (draw(0, 1) < 0.5 ? 0 : 1))),
		],
		course,
	};
}
