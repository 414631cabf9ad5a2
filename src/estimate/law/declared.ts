/** The laws that a model declares. */
import { InputError } from "../../errors.ts";
import { constantValue } from "../../model/constant.ts";
import type { Distribution, Knowledge, Measure } from "../../model/model.ts";
import { families } from "./families.ts";
import type { Law, NoiseLaw, SampleLaw } from "./law.ts";
import { truncated } from "./truncated.ts";

/** The law of a number before it is cut; undefined where its arguments make none. */
export function wholeLaw({ family, args }: Distribution): Law | undefined {
	const law = families[family]?.number?.(...args.map(constantValue));
	return law && Number.isFinite(law.logDensity(law.centre)) ? law : undefined;
}

/** The law of a number that is known by a distribution. */
export function numberLaw(subject: string, distribution: Distribution): Law {
	const { family, args, cut } = distribution;
	if (!families[family]?.number)
		throw new InputError(subject, `has the distribution ${family}, which is not one of a number`);
	const values = args.map(constantValue);
	const law = wholeLaw(distribution);
	if (!law)
		throw new InputError(
			subject,
			`has the distribution ${family}(${values.join(", ")}), which is none`,
			"Its arguments are plain numbers; a spread, a shape or a rate is positive.",
		);
	if (!cut) return law;
	const lo = cut.lo ? constantValue(cut.lo) : Number.NEGATIVE_INFINITY;
	const hi = cut.hi ? constantValue(cut.hi) : Number.POSITIVE_INFINITY;
	const part = truncated(law, lo, hi);
	if (!part)
		throw new InputError(
			subject,
			`is cut to ${lo} … ${hi}, where ${family}(${values.join(", ")}) has next to nothing`,
			"Widen the bounds, or choose a distribution that has mass there.",
		);
	return part;
}

/** Where a number lies for sure: its set, or the support of its law; nothing where it may be any number. */
export function supportOf(
	subject: string,
	knowledge: Knowledge,
): { readonly lo: number; readonly hi: number; readonly open: boolean } | undefined {
	if (knowledge.kind === "set")
		return { lo: constantValue(knowledge.lo), hi: constantValue(knowledge.hi), open: false };
	if (knowledge.kind !== "distribution") return undefined;
	const { lo, hi } = numberLaw(subject, knowledge.distribution);
	if (lo === Number.NEGATIVE_INFINITY && hi === Number.POSITIVE_INFINITY) return undefined;
	return { lo, hi, open: hi === Number.POSITIVE_INFINITY };
}

/**
 * Standard deviation of an error whose spread is 1. One within a bound, `y in x +- b`, is as likely anywhere between -b and b; by
 * its variance, b²/3, it is weighed beside others.
 */
export function deviationPerSpread({ kind }: Pick<Measure, "kind">): number {
	return kind === "set" ? 1 / Math.sqrt(3) : 1;
}

/** What samples of a measurement obey. */
export function sampleLaw(measure: Measure): SampleLaw {
	return families[measure.family ?? "normal"]?.counts ?? noiseLaw(measure);
}

/** The law of a measurement's errors; a normal one where none is declared. */
function noiseLaw({ name, family = "normal", shape = [] }: Measure): NoiseLaw {
	const make = families[family]?.noise;
	if (!make) throw new InputError(`measure ${name}`, `has errors of the family ${family}, which has none`);
	return make(...shape.map(constantValue));
}
