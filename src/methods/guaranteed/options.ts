import type { OptionTable } from "../options.ts";

export const guaranteedOptions = {
	prediction: {
		type: "choice",
		default: "taylor",
		choices: ["taylor", "mueller"],
		says: "How sets are carried from one datum to the next: Taylor models, or Müller's brackets (wider, above all on oscillators).",
	},
	order: {
		type: "integerOrAuto",
		default: "auto",
		min: 0,
		max: 12,
		says: "Degree of the Taylor models in the unknowns; auto begins with 6 for up to two unknowns, less for more, and raises it while that gains.",
	},
	timeOrder: {
		type: "integer",
		default: 12,
		min: 2,
		max: 30,
		says: "Degree of the Taylor models in time, over one step.",
	},
	tolerance: {
		type: "number",
		default: 1e-9,
		min: 1e-14,
		max: 0.1,
		says: "Error of one integration step, beside the size of the states, that the step size aims at.",
	},
	parts: {
		type: "integer",
		default: 1,
		min: 1,
		max: 10_000,
		says: "How many parts the box of unknowns is cut into from the start, each with a Taylor model of its own.",
	},
	models: {
		type: "integer",
		default: 16,
		min: 1,
		max: 100_000,
		says: "How many Taylor models (parts of the box of unknowns) may be used at most; a box is cut while that gains.",
	},
	correction: {
		type: "choice",
		default: "box",
		choices: ["sivia", "once", "krawczyk", "box"],
		says: "How data narrow a box: by cutting alone (sivia), by one linear pass, by passes until nothing is gained, or by box consistency.",
	},
	rounds: {
		type: "integer",
		default: 3,
		min: 1,
		max: 20,
		says: "How often the record is gone through again from the narrowed box.",
	},
	effort: {
		type: "number",
		default: 30,
		min: 0.01,
		max: 1e9,
		says: "About how many seconds of one core the search may take. It is counted in operations: the answer is the same on every machine.",
	},
	precision: {
		type: "number",
		default: 0.02,
		min: 1e-6,
		max: 1,
		says: "Size of the smallest boxes of the paving, as a share of the enclosure's sides (of the unknowns' sets with mueller).",
	},
	boxes: {
		type: "integer",
		default: 4000,
		min: 0,
		max: 10_000_000,
		says: "How many boxes the paving may try; 0 leaves it out.",
	},
} as const satisfies OptionTable;
