/**
 * The error of learned functions, inside and outside their data. Inside it is that of kriging with the sizes that are expected of
 * its functions given the data, not the most likely ones, and what these say otherwise of the function: the most likely ones are
 * too sure between records, where every record is near to its trend. Outside, a trend that is too low is far too sure: data that show no third-order term say that there is little of it here, not that there is none. So
 * there the error is that of the same data under a trend of third degree, whose coefficients are left open, and what this
 * says otherwise of the function. It takes over the variance between the hull of the data and twice the leverage there.
 */

import { drained } from "../../../num/drained.ts";
import { squared } from "../../../num/whole-power.ts";
import { DataHull } from "./data-hull.ts";
import { expectedSizes } from "./expected-sizes.ts";
import { type FieldCovariance, fineLengths, smoothLengths } from "./field-covariance.ts";
import { FieldDesign, type FieldFunction, type Site, scaled } from "./field-design.ts";
import { LearnedField } from "./learned-field.ts";
import { monomials } from "./monomials.ts";
import { smoothByArgument } from "./smooth-by-argument.ts";

/** The lowest degree that can bend both ways. */
const openDegree = 3;

export class FieldError {
	/** The same data under a higher trend; the field itself where they do not determine one. */
	readonly open: LearnedField;
	readonly hull: DataHull;
	/** The same data with the sizes that are expected of the functions. */
	readonly cautious: LearnedField;

	constructor(readonly field: LearnedField) {
		this.cautious = cautiousField(field);
		const { degree, open } = openTrend(field);
		this.open = open;
		this.hull = new DataHull(field, degree);
	}

	/** Share of the error, as a standard deviation, that comes from the open trend. */
	share(site: Site): number {
		return Math.sqrt(Math.min(Math.max(this.hull.leverage(site) - 1, 0), 1));
	}

	/** The learned function at a site. */
	value({ of, x }: Site): number {
		const { scale, centre } = this.field.design.functions[of];
		return this.field.functions[of].value(x.map((value, a) => value * scale[a] + centre[a]));
	}

	/** Values of one function with the standard deviations of their errors, at points in natural units. */
	predict(fn: number, points: readonly ArrayLike<number>[]): { value: Float64Array; sd: Float64Array } {
		const { field, open, cautious } = this;
		const value = Float64Array.from(points, (args) => field.functions[fn].value(args));
		const inside = cautious.predict(fn, points);
		const sd = inside.sd.map((own, i) => Math.sqrt(squared(own) + squared(inside.value[i] - value[i])));
		const sites = points.map((args): Site => ({ of: fn, x: scaled(field.design.functions[fn], args) }));
		const shares = sites.map((site) => this.share(site));
		const outside = Array.from(sites.keys()).filter((i) => shares[i] > 0);
		const other = open.predict(
			fn,
			outside.map((i) => points[i]),
		);
		outside.forEach((i, k) => {
			const apart = squared(other.sd[k]) + squared(other.value[k] - value[i]);
			sd[i] = Math.sqrt((1 - squared(shares[i])) * squared(sd[i]) + squared(shares[i]) * apart);
		});
		return { value, sd };
	}
}

/** The same data with the sizes that are expected; smooth functions may have a length for each argument. */
function cautiousField({ design, data, hyper }: LearnedField): LearnedField {
	const functions = design.functions.map((fn) => ({ ...fn, covariance: byArgument(fn) }));
	const wide = new FieldDesign(functions, design.nFree);
	// The first parts of a covariance by argument are those of the one that it takes the place of.
	const from = new Float64Array(wide.nHyper);
	design.functions.forEach((_, of) => {
		from.set(design.hyperOf(hyper, of), wide.hyperStart[of]);
	});
	return new LearnedField(wide, data, drained(expectedSizes(wide, data, from)));
}

function byArgument({ covariance, argNames }: FieldFunction): FieldCovariance {
	const lengths =
		covariance.name === "smooth" ? smoothLengths : covariance.name === "fine" ? fineLengths : [];
	return lengths.length > 0 ? smoothByArgument(lengths, argNames.length) : covariance;
}

/** A trend of third degree, or of as high a one as leaves half of the observations to tell its error. */
function openTrend(field: LearnedField): { degree: number; open: LearnedField } {
	const { design, data, hyper, kriging } = field;
	const own = Math.max(...design.functions.flatMap(({ basis }) => basis.map(totalDegree)));
	for (let degree = openDegree; degree > own; degree--) {
		const functions = design.functions.map((fn) => ({ ...fn, basis: monomials(fn.argNames.length, degree) }));
		const higher = new FieldDesign(functions, design.nFree);
		if (!(2 * higher.nMean <= data.y.length)) continue;
		const open = new LearnedField(higher, data, hyper);
		// Terms that take over what a parameter does would move it, not the function.
		if (higher.nMean - open.kriging.rank <= design.nMean - kriging.rank) return { degree, open };
	}
	return { degree: Math.max(own, 1), open: field };
}

function totalDegree(exponents: readonly number[]): number {
	return exponents.reduce((sum, e) => sum + e, 0);
}
