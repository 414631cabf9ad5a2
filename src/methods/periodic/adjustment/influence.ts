/**
 * The scale that matters for each parameter: the change that, alone, would change some rate of the model by as much as that
 * rate is along the cycle; for an initial value the range of its state. An error is large or small against it, not against
 * the value, which may well be zero.
 */
import { compileFunction } from "../../../lower/compile-function.ts";
import { Differentiator } from "../../../model/derivative.ts";
import { svdSmall } from "../../../num/linear/least-squares.ts";
import { normalQuantile975 } from "../../../num/statistics/quantile.ts";
import type { Question } from "../question.ts";
import type { Natural, NaturalValue } from "./natural.ts";

/** By name, initial values as  x(0). */
export type Scales = ReadonlyMap<string, number>;

/** Parameters that can change together by much, and the record would not tell. */
export interface WeakDirection {
	/** By how much each would change at the end of the 95 % interval. */
	readonly parts: readonly { readonly name: string; readonly change: number }[];
	/** Whether the interval reaches as far as matters; else two parameters are but much less known apart than together. */
	readonly grave: boolean;
}

/** `states`: along one period, row-major, as simulated. */
export function scalesOf(
	{
		model,
		form,
		constants,
		drive,
		record,
		t,
	}: Pick<Question, "model" | "form" | "constants" | "drive" | "record" | "t">,
	natural: Natural,
	states: Float64Array,
): Scales {
	const names = natural.params.map(({ name }) => name);
	const n = model.components.length;
	const p = names.length;
	const args = [
		{ name: "x", symbols: model.components },
		{ name: "u", symbols: form.drives },
		{ name: "p", symbols: names },
		{ name: "c", symbols: form.constants },
	];
	const rates = compileFunction(model.rhs, args);
	const slopes = compileFunction(new Differentiator(model.graph).jacobian(model.rhs, names), args);
	const values = Float64Array.from(natural.params, ({ value }) => value);
	const rate = new Float64Array(n);
	const slope = new Float64Array(n * p);
	const [rateSquares, slopeSquares] = [new Float64Array(n), new Float64Array(n * p)];
	const [lo, hi] = [states.slice(0, n), states.slice(0, n)];
	const drives = drive.at(t[0], record.period);
	const u = new Float64Array(drives.length);
	for (let k = 0; k + n <= states.length; k += n) {
		const phi = (2 * Math.PI * (t[k / n] - t[0])) / record.period;
		drives.forEach((at, i) => {
			u[i] = at(phi);
		});
		const x = states.subarray(k, k + n);
		rates(x, u, values, constants, rate);
		slopes(x, u, values, constants, slope);
		rate.forEach((value, i) => {
			rateSquares[i] += value * value;
			lo[i] = Math.min(lo[i], x[i]);
			hi[i] = Math.max(hi[i], x[i]);
		});
		slope.forEach((value, i) => {
			slopeSquares[i] += value * value;
		});
	}
	const scales = new Map(
		names.map((name, j) => {
			let most = 0;
			for (let i = 0; i < n; i++)
				if (rateSquares[i] > 0) most = Math.max(most, Math.sqrt(slopeSquares[i * p + j] / rateSquares[i]));
			return [name, 1 / most];
		}),
	);
	model.components.forEach((component, i) => {
		scales.set(`${component}(0)`, hi[i] - lo[i]);
	});
	return scales;
}

/** Whether a value is not known even on the scale that matters. */
export function isLoose({ name, value, sd, from }: NaturalValue, scales: Scales | undefined): boolean {
	if (from === "held" || sd <= Math.abs(value) || sd < 1e-9) return false;
	const scale = scales?.get(name.replace(/^.*·/, "").replace(/ of .*$/, ""));
	return !(scale !== undefined && normalQuantile975 * sd < scale);
}

/** An interval of this share of what matters is worth a word where two parameters are nearly one. */
const notable = 0.03;
const nearlyOne = 0.9999;

/** Directions of several parameters whose 95 % interval reaches as far as matters, and beyond half of what they are. */
export function weakDirections(
	{ params, covariance }: Natural,
	scales: Scales,
	except: ReadonlySet<string>,
): WeakDirection[] {
	const own = params.flatMap(({ name, from }, i) => {
		const scale = scales.get(name);
		return from !== "held" && !except.has(name) && scale !== undefined && Number.isFinite(scale)
			? [{ name, i, scale }]
			: [];
	});
	const q = own.length;
	if (q < 2) return [];
	const scaled = Float64Array.from(
		own.flatMap((a) => own.map((b) => covariance[a.i * params.length + b.i] / (a.scale * b.scale))),
	);
	const { s, v } = svdSmall(scaled, q);
	return Array.from(s).flatMap((variance, l) => {
		const reach = normalQuantile975 * Math.sqrt(variance);
		const shares = own.map((_, j) => Math.abs(v[j * q + l]));
		const largest = Math.max(...shares);
		const parts = own.flatMap(({ name, i, scale }, j) =>
			shares[j] > 0.1
				? [{ name, i, j, main: shares[j] > 0.5 * largest, change: v[j * q + l] * reach * scale }]
				: [],
		);
		if (parts.length < 2) return [];
		const [a, b] = parts;
		const correlation =
			Math.abs(scaled[a.j * q + b.j]) / Math.sqrt(scaled[a.j * (q + 1)] * scaled[b.j * (q + 1)]);
		const grave =
			reach > 1 &&
			parts.every(({ i, change, main }) => !main || Math.abs(change) > Math.abs(params[i].value) / 2);
		const joined = parts.length === 2 && reach > notable && correlation > nearlyOne;
		return grave || joined ? [{ parts, grave }] : [];
	});
}
