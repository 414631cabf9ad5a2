/** Many observations of functions, condensed to few, say of the functions what all of them say. */
import { describe, expect, test } from "vitest";
import { CondensedData, nodesAmong } from "../../../src/methods/kriging/field/condensed-data.ts";
import { fieldCovariance } from "../../../src/methods/kriging/field/field-covariance.ts";
import {
	FieldDesign,
	type FieldFunction,
	type Site,
} from "../../../src/methods/kriging/field/field-design.ts";
import type { FieldData } from "../../../src/methods/kriging/field/field-hyper.ts";
import { LearnedField } from "../../../src/methods/kriging/field/learned-field.ts";
import { monomials } from "../../../src/methods/kriging/field/monomials.ts";
import { sin } from "../../../src/num/elementary/number.ts";
import { stream } from "../../../src/num/random.ts";

const functions = ["f", "g"].map(
	(name): FieldFunction => ({
		name,
		argNames: ["x", "y"],
		centre: new Float64Array(2),
		scale: new Float64Array(2).fill(1),
		basis: monomials(2, 1),
		covariance: fieldCovariance("smooth", 1, 2),
	}),
);
const design = new FieldDesign(functions, 1);
const hyper = Float64Array.of(0, 0.1, 1, 0, 0.05, 0, 2, 0);

/** f, and g beside a known factor times a free number, at points of their own; errors of neighbours hang together. */
function part(index: number, count: number): FieldData {
	const random = stream(index, "condensed");
	const sites: Site[] = [];
	const functionals = Array.from({ length: count }, (_, i) => {
		const x = Float64Array.of(3 * random.uniform(4 * i) - 1.5, 3 * random.uniform(4 * i + 1) - 1.5);
		sites.push({ of: 0, x }, { of: 1, x });
		const both = i % 2 === 0;
		return {
			at: both ? Int32Array.of(2 * i, 2 * i + 1) : Int32Array.of(2 * i + 1),
			weight: both ? Float64Array.of(1, 0.5) : Float64Array.of(1),
			factors: Float64Array.of(random.uniform(4 * i + 2) - 0.5),
		};
	});
	const noise = new Float64Array(count * count);
	for (let i = 0; i < count; i++)
		for (let j = 0; j < count; j++) noise[i * count + j] = i === j ? 0.01 : Math.abs(i - j) === 1 ? 0.004 : 0;
	const y = Float64Array.from(functionals, ({ at, weight, factors }, i) => {
		let value = 0.7 * factors[0] + 0.1 * random.normal(i);
		at.forEach((s, k) => {
			const [a, b] = sites[s].x;
			value += weight[k] * (sites[s].of === 0 ? sin(2 * a) + b : a * b - 1);
		});
		return value;
	});
	return { sites, functionals, y, noise };
}

/** Parts in one, as if nothing had to be condensed. */
function joined(parts: readonly FieldData[]): FieldData {
	const n = parts.reduce((sum, { y }) => sum + y.length, 0);
	const noise = new Float64Array(n * n);
	let row = 0;
	let site = 0;
	const functionals = parts.flatMap((each) => {
		const m = each.y.length;
		for (let i = 0; i < m; i++)
			for (let j = 0; j < m; j++) noise[(row + i) * n + row + j] = each.noise[i * m + j];
		const first = site;
		row += m;
		site += each.sites.length;
		return each.functionals.map((one) => ({ ...one, at: one.at.map((s) => s + first) }));
	});
	return {
		sites: parts.flatMap(({ sites }) => sites),
		functionals,
		y: Float64Array.from(parts.flatMap(({ y }) => [...y])),
		noise,
	};
}

/** A number of each part's own, in the last place of its factors; `of`: in a place for each part. */
function withOwn(part: FieldData, of?: number): FieldData {
	const functionals = part.functionals.map(({ factors, ...rest }, i) => {
		const own = 1 + i / 60;
		const places = of === undefined ? [own] : [0, 0].map((_, k) => (k === of ? own : 0));
		return { ...rest, factors: Float64Array.of(...factors, ...places) };
	});
	return { ...part, functionals, y: part.y.map((value, i) => value + 2 * (1 + i / 60)) };
}

const places = Array.from({ length: 25 }, (_, i) => [((i % 5) - 2) / 2, (Math.floor(i / 5) - 2) / 2]);

/** Largest difference of what two fields say, and of the errors that they state, in units of these. */
function difference(a: LearnedField, b: LearnedField): { value: number; sd: number; free: number } {
	let value = 0;
	let sd = 0;
	for (const fn of functions.keys()) {
		const [one, other] = [a, b].map((field) => field.predict(fn, places));
		places.forEach((_, i) => {
			value = Math.max(value, Math.abs(one.value[i] - other.value[i]) / one.sd[i]);
			sd = Math.max(sd, Math.abs(one.sd[i] / other.sd[i] - 1));
		});
	}
	return { value, sd, free: Math.abs(a.free[0] - b.free[0]) };
}

describe.each([
	["as many nodes as there are sites", 1, 60, 1000, 1e-3],
	["fewer nodes", 6, 60, 240, 0.05],
] as const)("condensed: %s", (_, nParts, count, most, within) => {
	const parts = Array.from({ length: nParts }, (_, index) => part(index, count));
	const nodes = nodesAmong(
		parts.flatMap(({ sites }) => sites),
		functions.length,
		most,
	);
	const condensed = new CondensedData(functions, nodes, design.nFree);
	for (const each of parts) condensed.add(each);
	const { data } = condensed;

	test("observations are as few as nodes and free numbers", () => {
		expect(data.y.length).toBe(data.sites.length + 1);
		expect(data.sites.length).toBeLessThanOrEqual(most);
	});

	test("the functions, their errors and the free number are the same", () => {
		const all = new LearnedField(design, joined(parts), hyper);
		const { value, sd, free } = difference(all, new LearnedField(design, data, hyper));
		expect(value).toBeLessThan(within);
		expect(sd).toBeLessThan(within);
		expect(free).toBeLessThan(within * 0.1);
	});
});

test("numbers that a part has to itself are eliminated: the functions are as if these were found along", () => {
	const parts = [part(7, 60), part(8, 60)];
	const nodes = nodesAmong(
		parts.flatMap(({ sites }) => sites),
		functions.length,
		1000,
	);
	const condensed = new CondensedData(functions, nodes, 1);
	for (const each of parts) condensed.add(withOwn(each));
	const all = joined(parts.map((each, of) => withOwn(each, of)));
	const found = new LearnedField(new FieldDesign(functions, 3), all, hyper);
	const { value, sd, free } = difference(found, new LearnedField(design, condensed.data, hyper));
	expect(value).toBeLessThan(1e-3);
	expect(sd).toBeLessThan(1e-3);
	expect(free).toBeLessThan(1e-4);
});
