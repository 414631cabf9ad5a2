/** Priors of PEtab, in the words of the model language. */
import { exp } from "../../num/elementary/number.ts";
import type { Cells } from "./cells.ts";
import type { PetabPrior, Scale } from "./problem.ts";
import { cellNumber } from "./table.ts";

interface Family {
	readonly family: string;
	readonly count: number;
	/** Which of the arguments are spreads, shapes and the like. */
	readonly positive: readonly number[];
	/** As the language has them. */
	args?(given: readonly number[]): readonly number[];
}

const two = (family: string): Family => ({ family, count: 2, positive: [1] });
const one = (family: string, args?: Family["args"]): Family => ({
	family,
	count: 1,
	positive: [0],
	...(args && { args }),
});

const families2: Readonly<Record<string, Family>> = {
	cauchy: two("cauchy"),
	chisquare: one("chisquare"),
	// A scale there, a rate here.
	exponential: one("exponential", ([scale]) => [1 / scale]),
	gamma: { family: "gamma", count: 2, positive: [0, 1], args: ([shape, scale]) => [shape, 1 / scale] },
	laplace: two("laplace"),
	"log-laplace": two("loglaplace"),
	"log-normal": two("lognormal"),
	"log-uniform": { family: "loguniform", count: 2, positive: [0, 1] },
	normal: two("normal"),
	rayleigh: one("rayleigh"),
	uniform: { family: "uniform", count: 2, positive: [] },
};
const families1: Readonly<Record<string, Family>> = {
	uniform: families2.uniform,
	normal: families2.normal,
	laplace: families2.laplace,
	logNormal: families2["log-normal"],
	logLaplace: families2["log-laplace"],
	parameterScaleUniform: families2.uniform,
	parameterScaleNormal: families2.normal,
	parameterScaleLaplace: families2.laplace,
};
const onLogarithm: Readonly<Record<string, string>> = {
	normal: "lognormal",
	laplace: "loglaplace",
	uniform: "loguniform",
};

interface Bounds {
	readonly lower: number;
	readonly upper: number;
}

/** Of version 2: it ends at the bounds of the parameter. */
export function priorOf(cells: Cells, bounds: Bounds): PetabPrior | undefined {
	return read(cells, "priorDistribution", "priorParameters", families2, bounds, "lin", true);
}

/** Of version 1: one on the scale of the parameter is one of its logarithm. */
export function objectivePrior(cells: Cells, bounds: Bounds, scale: Scale): PetabPrior | undefined {
	return read(cells, "objectivePriorType", "objectivePriorParameters", families1, bounds, scale, false);
}

function read(
	cells: Cells,
	typeColumn: string,
	argsColumn: string,
	known: Readonly<Record<string, Family>>,
	{ lower, upper }: Bounds,
	scale: Scale,
	isCut: boolean,
): PetabPrior | undefined {
	const type = cells.text(typeColumn);
	if (type === "") return undefined;
	const found = Object.hasOwn(known, type) ? known[type] : undefined;
	if (!found) {
		cells.fault(`${typeColumn} is "${type}"`, `It is one of ${Object.keys(known).join(", ")}.`);
		return undefined;
	}
	const list = cells.list(argsColumn);
	const isScaled = type.startsWith("parameterScale") && scale !== "lin";
	// Flat between the bounds: no prior at all.
	if (found.family === "uniform" && list.length === 0) {
		if (!type.startsWith("parameterScale") && Number.isFinite(lower) && Number.isFinite(upper))
			return { family: "uniform", args: [lower, upper], onScale: false, isCut };
		return undefined;
	}
	const given = list.map(cellNumber);
	const isWhole =
		given.length === found.count && given.every((value) => value !== undefined && Number.isFinite(value));
	if (!isWhole || found.positive.some((i) => !(given[i]! > 0))) {
		cells.fault(
			`${argsColumn} is "${cells.text(argsColumn)}", for ${type}`,
			`Give ${found.count} number${found.count === 1 ? "" : "s"}, separated by semicolons; a spread, scale or shape is positive.`,
		);
		return undefined;
	}
	const numbers = given as readonly number[];
	const args = found.args?.(numbers) ?? numbers;
	if (!isScaled) return { family: found.family, args, onScale: false, isCut };
	const unit = scale === "log10" ? Math.LN10 : 1;
	const wide = args.map((value) => value * unit);
	return {
		family: onLogarithm[found.family],
		args: found.family === "uniform" ? wide.map((value) => exp(value)) : wide,
		onScale: true,
		isCut,
	};
}
