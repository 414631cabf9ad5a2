/** What can be wrong with a problem, one at a time. Each says where it can be seen: those that cannot in principle have the reason. */

export interface Fault {
	readonly name: string;
	/** Doses, from weak to strong; for faults whose effect on the outputs can be scaled, in standard deviations of the noise. */
	readonly doses: readonly number[];
	/** The dose at which an expert sees it in a plot of the residuals; undefined where residuals cannot show it. */
	readonly seenAt?: number;
	/** Why it cannot be seen in the data, where it cannot. */
	readonly hidden?: string;
}

/** No fault that is drawn: a problem whose unknowns cannot be told by what is measured of it, though nothing is wrong with it. */
export const openAsMeasured = "open as measured";

/** Root mean square, in units of the noise, of what is left of a fault's effect when the unknowns have been fitted to it. */
const strengths = [0.3, 1, 3];

export const faults: readonly Fault[] = [
	{ name: "missing term", doses: strengths, seenAt: 1 },
	{ name: "wrong term", doses: [1], seenAt: 1 },
	{ name: "wrong hold", doses: [1], seenAt: 1 },
	{ name: "shifted clock", doses: strengths, seenAt: 1 },
	{ name: "correlated noise", doses: [0.3, 0.6, 0.9], seenAt: 0.6 },
	{ name: "outliers", doses: [0.02, 0.05, 0.15], seenAt: 0.05 },
	{ name: "heavy tails", doses: [5, 3, 2], seenAt: 2 },
	{ name: "wrong declared noise", doses: [1.5, 2, 4], seenAt: 2 },
	{ name: "drift", doses: strengths, seenAt: 1 },
	{ name: "saturation", doses: [0.05, 0.15, 0.4], seenAt: 0.15 },
	{ name: "swapped columns", doses: [1], seenAt: 1 },
	{ name: "wrong start", doses: strengths, seenAt: 1 },
	{
		name: "unidentifiable pair",
		doses: [1],
		hidden: "any pair with the same product gives the same data; it is seen in the model",
	},
	{ name: "coarse sampling", doses: [8, 6, 5], hidden: "what happens between samples is not in the data" },
	{
		name: "prior without the truth",
		doses: [4, 6, 10],
		hidden: "data that hold an unknown loosely do not contradict a prior",
	},
	{ name: "bound too small", doses: [0.9, 0.7, 0.4], seenAt: 0.7 },
	{ name: "short record", doses: [0.2, 0.1, 0.05], hidden: "a short record agrees with much" },
];
