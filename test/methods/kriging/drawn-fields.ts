/**
 * Sixteen fields in the plane whose three records start anywhere in a box: one set on which the form of the errors was chosen, and
 * one on which it is judged.
 */
import { exp, sin } from "../../../src/num/elementary/number.ts";
import { stream } from "../../../src/num/random.ts";
import type { PlaneField } from "./fields.ts";

interface Drawn {
	readonly field: PlaneField["field"];
	/** Of the starts: lowest and highest x, lowest and highest y. */
	readonly box: readonly [number, number, number, number];
	readonly until: number;
	readonly sd: number;
}

/** A predator and its prey, by how much one predator eats. */
const hunted =
	(
		eaten: (x: number) => number,
		growth: (x: number) => number,
		death: number,
		gain: number,
	): Drawn["field"] =>
	(x, out) => {
		const caught = eaten(x[0]) * x[1];
		out[0] = growth(x[0]) - caught;
		out[1] = gain * caught - death * x[1];
	};
const inverse = (value: number): number => 1 / (1 + value);
const switched = (z: number): number => 1 / (1 + exp(-z));
const bounded = (z: number): number => 2 * switched(2 * z) - 1;

export const chosenOn: Readonly<Record<string, Drawn>> = {
	"Holling III": {
		field: hunted(
			(x) => (1.2 * x * x) / (0.3 + x * x),
			(x) => x * (1 - x / 3),
			0.4,
			0.5,
		),
		box: [0.2, 3, 0.2, 1.8],
		until: 12,
		sd: 0.02,
	},
	"Holling II": {
		field: hunted(
			(x) => x / (0.6 + x),
			(x) => x * (1 - x / 2),
			0.4,
			0.7,
		),
		box: [0.2, 2, 0.2, 1.4],
		until: 12,
		sd: 0.015,
	},
	"Allee effect": {
		field: hunted(
			(x) => 0.8 * x,
			(x) => 2 * x * (1 - x) * (x - 0.2),
			0.35,
			0.875,
		),
		box: [0.25, 1.1, 0.05, 0.6],
		until: 12,
		sd: 0.008,
	},
	"Schlögl, with a slow inhibitor": {
		field(x, out) {
			out[0] = -1.2 * x[0] * (x[0] - 0.7) * (x[0] - 2) - 0.3 * x[1];
			out[1] = 0.4 * (x[0] - x[1]);
		},
		box: [0, 2.2, 0, 1.5],
		until: 8,
		sd: 0.02,
	},
	"Hopf normal form": {
		field(x, out) {
			const r = x[0] * x[0] + x[1] * x[1];
			out[0] = x[0] * (1 - r) - 1.5 * x[1];
			out[1] = x[1] * (1 - r) + 1.5 * x[0];
		},
		box: [-1.3, 1.3, -1.3, 1.3],
		until: 6,
		sd: 0.02,
	},
	"gene toggle": {
		field(x, out) {
			out[0] = 2.5 * inverse(x[1] * x[1] * x[1]) - x[0];
			out[1] = 2.2 * inverse(x[0] * x[0]) - x[1];
		},
		box: [0.1, 2.6, 0.1, 2.4],
		until: 6,
		sd: 0.025,
	},
	"soft spring": {
		field(x, out) {
			out[0] = x[1];
			out[1] = -bounded(2 * x[0]) - 0.15 * x[1];
		},
		box: [-1.8, 1.8, -1.2, 1.2],
		until: 9,
		sd: 0.03,
	},
	linear: {
		field(x, out) {
			out[0] = -0.3 * x[0] + 1.1 * x[1];
			out[1] = -0.9 * x[0] - 0.2 * x[1];
		},
		box: [-1.5, 1.5, -1.5, 1.5],
		until: 8,
		sd: 0.02,
	},
};

export const judgedOn: Readonly<Record<string, Drawn>> = {
	"Ivlev's predator": {
		field: hunted(
			(x) => 1 - exp(-1.5 * x),
			(x) => x * (1 - x / 2),
			0.45,
			0.8,
		),
		box: [0.2, 2, 0.2, 1.4],
		until: 12,
		sd: 0.015,
	},
	"Holling III, sharper": {
		field: hunted(
			(x) => (x * x) / (0.15 + x * x),
			(x) => 1.2 * x * (1 - x / 2),
			0.5,
			0.7,
		),
		box: [0.2, 2, 0.2, 1.5],
		until: 10,
		sd: 0.015,
	},
	"chemostat, inhibited": {
		field(x, out) {
			const eaten = (x[0] * x[1]) / (0.3 + x[0] + 0.4 * x[0] * x[0]);
			out[0] = 0.4 * (2 - x[0]) - eaten;
			out[1] = eaten - 0.4 * x[1];
		},
		box: [0.1, 2, 0.1, 1.5],
		until: 10,
		sd: 0.015,
	},
	"Wilson and Cowan": {
		field(x, out) {
			out[0] = switched(9 * x[0] - 7 * x[1] - 1.5) - x[0];
			out[1] = 0.7 * (switched(8 * x[0] - 2 * x[1] - 3) - x[1]);
		},
		box: [0.05, 0.95, 0.05, 0.95],
		until: 8,
		sd: 0.008,
	},
	"two genes in a loop": {
		field(x, out) {
			const square = x[1] * x[1];
			out[0] = 0.1 + 2 * inverse(square * square) - 0.8 * x[0];
			out[1] = (1.5 * x[0] * x[0]) / (1 + x[0] * x[0]) - 0.7 * x[1];
		},
		box: [0.1, 2.2, 0.1, 1.9],
		until: 8,
		sd: 0.02,
	},
	"two wells and a saddle": {
		field(x, out) {
			out[0] = x[0] - x[0] * x[0] * x[0] + 0.4 * x[1];
			out[1] = 0.3 * sin(2 * x[0]) - x[1];
		},
		box: [-1.4, 1.4, -1.2, 1.2],
		until: 6,
		sd: 0.02,
	},
	"a slowing rotation": {
		field(x, out) {
			const w = 2 * inverse(x[0] * x[0] + x[1] * x[1]);
			out[0] = -w * x[1] - 0.1 * x[0];
			out[1] = w * x[0] - 0.1 * x[1];
		},
		box: [-1.5, 1.5, -1.5, 1.5],
		until: 8,
		sd: 0.02,
	},
	"weak competitors": {
		field(x, out) {
			out[0] = x[0] * (1 - x[0] - 0.6 * x[1]);
			out[1] = x[1] * (1 - x[1] - 0.5 * x[0]);
		},
		box: [0.1, 1.4, 0.1, 1.4],
		until: 7,
		sd: 0.01,
	},
};

/** With starts of its own for each seed. */
export function drawnField(name: string, { field, box, until, sd }: Drawn, seed: number): PlaneField {
	const random = stream(seed, `starts of ${name}`);
	const from = [0, 1, 2].map((i): [number, number] => [
		box[0] + (box[1] - box[0]) * random.uniform(2 * i),
		box[2] + (box[3] - box[2]) * random.uniform(2 * i + 1),
	]);
	return { field, from, until, sd };
}
