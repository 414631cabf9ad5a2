/** Options of `periodic`. */
import type { OptionTable } from "../options.ts";

export const periodicOptions = {
	record: {
		type: "choice",
		default: "periodic",
		choices: ["periodic", "long"],
		says: "What the record is: periodic, or long and not periodic (its first part is then given up, and errors are rough).",
	},
	period: {
		type: "number",
		default: 0,
		min: 0,
		says: "The period where it is known roughly, in the unit of time; 0: it is looked for. It is refined in either case.",
	},
	harmonics: {
		type: "integerOrAuto",
		default: "auto",
		min: 1,
		max: 2000,
		says: "Harmonics of the Fourier series through the record: fewer smooth more; auto takes as many as the samples support.",
	},
	interpolation: {
		type: "choice",
		default: "fourier",
		choices: ["fourier", "quintic"],
		says: "The record between samples: its Fourier series, which smooths noise, or a quintic through neighbours, for exact records with sharp spikes.",
	},
	optimizer: {
		type: "choice",
		default: "levenberg-marquardt",
		choices: ["levenberg-marquardt", "bfgs", "nelder-mead"],
		says: "How the parameters that enter non-linearly are searched for; the last two are those of the paper.",
	},
	starts: {
		type: "integerOrAuto",
		default: "auto",
		min: 1,
		max: 1000,
		says: "Starting points of the search; auto takes more where no start is given.",
	},
	intervals: {
		type: "integerOrAuto",
		default: "auto",
		min: 20,
		max: 100_000,
		says: "Intervals of the period for the search; auto takes enough for the harmonics.",
	},
	nodes: {
		type: "integer",
		default: 4,
		min: 1,
		max: 6,
		says: "Gauss nodes in each interval: s of them are exact to order 2s.",
	},
	adjust: {
		type: "boolean",
		default: true,
		says: "Corrects record and period together with the parameters: the most likely answer, with errors that include the period's.",
	},
	polish: {
		type: "boolean",
		default: false,
		says: "Goes on from the answer by least squares on simulations of the whole record, also where its own simulation fits it.",
	},
	maxEvaluations: {
		type: "integer",
		default: 300,
		min: 1,
		max: 1_000_000,
		says: "Evaluations after which a start is given up (ten times as many for nelder-mead).",
	},
} as const satisfies OptionTable;
