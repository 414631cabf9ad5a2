import type { OptionTable } from "../options.ts";

export const bayesOptions = {
	particles: {
		type: "integer",
		default: 1000,
		min: 20,
		max: 1_000_000,
		says: "Particles in all, shared evenly among the runs.",
	},
	runs: {
		type: "integer",
		default: 2,
		min: 1,
		max: 100,
		says: "Independent runs: where they disagree, the posterior has modes that were missed, and the report says so.",
	},
	sampler: {
		type: "choice",
		default: "tempering",
		choices: ["tempering", "ibis"],
		says: "tempering takes the whole record in by degrees; ibis goes through it sample by sample.",
	},
	acceptance: {
		type: "choice",
		default: "correct",
		choices: ["correct", "paper"],
		says: "paper leaves the proposal ratio out, as printed in the paper: it is wrong and there for comparison only.",
	},
	integrationError: {
		type: "choice",
		default: "simulated",
		choices: ["simulated", "running", "none"],
		says: "How large the error of the integration is: from a simulation with the same parameters, from the filter while it follows the data (as in the paper), or none at all.",
	},
	layout: {
		type: "choice",
		default: "native",
		choices: ["native", "stacked"],
		says: "native follows an oscillator as one second-order state; stacked treats x and x' apart, as in the paper.",
	},
	q: {
		type: "integerOrAuto",
		default: "auto",
		min: 1,
		max: 8,
		says: "Derivatives that the solver follows; auto: 3 (2 with friction), one less for first-order models.",
	},
	linearisation: {
		type: "choice",
		default: "ekf0",
		choices: ["ekf0", "ekf1"],
		says: "ekf1 uses the Jacobian of the model: slower, but it stays stable with stiff models.",
	},
	form: {
		type: "choice",
		default: "auto",
		choices: ["auto", "covariance", "root"],
		says: "How the solver keeps its second moments: root, the square root of the covariance, keeps digits at high q and is slower; auto takes it from q = 7 on, with ekf1 from 5.",
	},
	substeps: {
		type: "integerOrAuto",
		default: "auto",
		min: 1,
		max: 10_000,
		says: "Solver steps from one sample to the next; auto chooses from the time scales of the model.",
	},
	equationEvidence: {
		type: "boolean",
		default: false,
		says: "Also weigh how well the equations hold at each step; helps where bad parameters hide in a large integration error.",
	},
	threshold: {
		type: "number",
		default: 0.5,
		min: 0.05,
		max: 0.95,
		says: "Share of the particles that the effective sample size may fall to before they are moved.",
	},
	maxStages: {
		type: "integer",
		default: 1000,
		min: 1,
		max: 1_000_000,
		says: "Stages (or rejuvenations) after which a run is given up.",
	},
	predictive: {
		type: "integer",
		default: 200,
		min: 10,
		max: 1_000_000,
		says: "Particles that are simulated for predictions, at most.",
	},
	netcdf: {
		type: "boolean",
		default: true,
		says: "Also write the particles as posterior.nc, for ArviZ.",
	},
} as const satisfies OptionTable;
