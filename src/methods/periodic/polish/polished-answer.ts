/** Whether what least squares on simulations found takes the place of the answer, and the answer then. */
import type { Natural, NaturalValue } from "../adjustment/natural.ts";
import type { Polished } from "./polish.ts";
import type { Simulated } from "./simulation.ts";

/** Why it does not; undefined: it does. `open`: how many directions are open anyway. */
export function polishRefusal(
	polished: Polished,
	simulated: Pick<Simulated, "rms"> | undefined,
	open: number,
): string | undefined {
	const [rms] = polished.rms;
	if (polished.outcome !== "converged") return "it did not converge";
	if (polished.open > open) return "it left parameters undetermined";
	if (rms > 1.0001 * (simulated?.rms ?? Number.NaN)) return "it did not come nearer to the record";
	return polished.values.every(({ value, sd }) => Number.isFinite(value) && Number.isFinite(sd))
		? undefined
		: "its errors are not finite";
}

/** `correlation`: of neighbouring samples' noise, which least squares takes as independent. */
export function polishedNatural(natural: Natural, polished: Polished, correlation: number): Natural {
	const { values, covariance } = polished;
	const n = values.length;
	const inflation = (1 + correlation) / (1 - correlation);
	const place = new Map(values.map(({ name }, i) => [name, i]));
	const at = (value: NaturalValue, name: string): NaturalValue => {
		const found = values[place.get(name)!];
		return found === undefined || value.from === "held"
			? value
			: { ...value, value: found.value, sd: found.sd * Math.sqrt(inflation), degrees: found.degrees };
	};
	const params = natural.params.map((value) => at(value, value.name));
	const initial = natural.initial.map((value) => at(value, `${value.name}(0)`));
	const rows = params.map(({ name }) => place.get(name)!);
	return {
		...natural,
		params,
		covariance: Float64Array.from(rows.flatMap((i) => rows.map((j) => inflation * covariance[i * n + j]))),
		initial,
		combinations: natural.combinations.map((value) => {
			const [scale, start] = value.name.split("·");
			const factor = params.find(({ name }) => name === scale)!.value;
			const own = initial.find(({ name }) => `${name}(0)` === start)!;
			return { ...value, value: factor * own.value, sd: Math.abs(factor) * own.sd, degrees: own.degrees };
		}),
	};
}
