/** The scales on which samples are compared with the model's values of them. */
import { exp, log } from "../../num/elementary/number.ts";
import type { NoiseScale } from "./law.ts";

const same = (x: number): number => x;

export const asItIs: NoiseScale = { isLog: false, toCompared: same, fromCompared: same, logSlope: () => 0 };

export const byLogarithm: NoiseScale = {
	isLog: true,
	toCompared: log,
	fromCompared: exp,
	// c = log y: dc/dy = 1/y = exp(-c).
	logSlope: (c) => -c,
};
