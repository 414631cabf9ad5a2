/** What the plot of a record shows: outputs with the curves that belong to them, what is left of them, inputs. */
import type { Prediction } from "../../src/methods/index.ts";
import { offLimit, type Played } from "../../src/study/index.ts";
import type { PlanRecord, TableColumn, TableData } from "../contract.ts";
import { columnFor, type NeededNames, scaled } from "../page/record-guess.ts";
import { type Mark, type Strip, signs } from "../plot/content.ts";
import { indexAt } from "../plot/thin.ts";

/** A method's prediction, in the method's colour. */
export interface Predicted {
	readonly method: string;
	readonly ink: string;
	readonly predictions: readonly Prediction[];
}

export interface StripsOf {
	readonly record: PlanRecord;
	readonly table: TableData;
	readonly times: Float64Array;
	readonly needed: NeededNames;
	/** By hand, where it can be simulated. */
	readonly played?: Played | undefined;
	readonly predicted: readonly Predicted[];
	/** Whether what is left is shown below. */
	readonly residuals: boolean;
}

const mostStrips = 4;
/** Of what is left of several outputs, in one strip. */
const inks = ["--data", "--series2", "--series3", "--series4"];

export function stripsOf(ask: StripsOf): Strip[] {
	const { record, table, times, needed, played, predicted } = ask;
	const columnOf = (name: string): TableColumn | undefined =>
		table.columns.find((each) => each.name === columnFor(record, name));
	const named = (names: readonly string[]) =>
		names.flatMap((name) => {
			const column = columnOf(name);
			const factor = record.factors?.[name];
			return column ? [{ name, column: withFactor(column, factor) }] : [];
		});
	const outputs = named(needed.outputs);
	const inputs = named(needed.inputs);
	if (outputs.length + inputs.length === 0) return plainStrips(ask);
	const strips = outputs.slice(0, mostStrips).map(({ name, column }): Strip => {
		const marks: Mark[] = [];
		for (const { method, ink, predictions } of predicted)
			for (const { t, y, lo, hi, part } of predictions.filter(({ output }) => output === name)) {
				const label = part === "test" ? `${method} (test)` : method;
				if (lo && hi) marks.push({ type: "band", name: label, ink, t, lo, hi });
				marks.push({ type: "line", name: label, ink, t, y });
			}
		const hand = played?.outputs.find((each) => each.name === name);
		if (hand) marks.push({ type: "line", name: "simulated", ink: "--hand", t: played!.t, y: hand.values });
		const { values: y, limits } = column;
		marks.push({ type: "dots", name: "measured", ink: "--data", t: times, y, limits });
		return { label: labelOf(name, column), weight: 3, marks };
	});
	const left = ask.residuals ? leftOf(ask, outputs) : undefined;
	if (left) strips.push(left);
	for (const { name, column } of inputs.slice(0, 2)) {
		const steps = record.input === "zoh" && times.length < 2000;
		const mark: Mark = { type: "line", name, ink: "--muted", t: times, y: column.values, steps };
		strips.push({ label: labelOf(name, column), weight: 1, marks: [mark] });
	}
	return strips;
}

/** Values as the model has them: the unit of the header does not hold then. */
function withFactor({ unit, ...column }: TableColumn, factor: number | undefined): TableColumn {
	const isAsIs = factor === undefined || factor === 1;
	return {
		...column,
		values: scaled(column.values, factor),
		...(column.limits && (factor ?? 1) < 0 ? { limits: column.limits.map((sign) => -sign) } : {}),
		...(isAsIs && unit !== undefined ? { unit } : {}),
	};
}

/** The name in the model, the column's own where it differs, and its unit. */
function labelOf(name: string, column: TableColumn): string {
	const unit = column.unit === undefined ? "" : ` [${column.unit}]`;
	return `${name}${column.name === name ? "" : ` (${column.name})`}${unit}`;
}

/** Measured minus the curve in front: the newest answer's, else the one by hand. */
function leftOf(
	{ times, played, predicted }: StripsOf,
	outputs: readonly { readonly name: string; readonly column: TableColumn }[],
): Strip | undefined {
	const front = predicted.at(-1);
	const marks = outputs.slice(0, mostStrips).flatMap(({ name, column }, i): Mark[] => {
		const hand = played?.outputs.find((each) => each.name === name);
		const curves = front
			? front.predictions.filter(({ output }) => output === name).map(({ t, y }) => ({ t, y }))
			: hand
				? [{ t: played!.t, y: hand.values }]
				: [];
		if (curves.length === 0) return [];
		const y = new Float64Array(times.length).fill(Number.NaN);
		for (const curve of curves)
			for (let k = 0; k < curve.t.length; k++) {
				const row = indexAt(times, curve.t[k]);
				if (times[row] === curve.t[k] && Number.isFinite(curve.y[k]))
					y[row] = offLimit(column.values[row] - curve.y[k], column.limits?.[row] ?? 0);
			}
		return outputs.length > 1
			? [{ type: "dots", name: `left of ${name}`, ink: inks[i], sign: signs[i], t: times, y }]
			: [{ type: "dots", name: "left", ink: front?.ink ?? "--data", t: times, y }];
	});
	if (marks.length === 0) return undefined;
	return { label: `measured − ${front ? front.method : "simulated"}`, weight: 1.1, marks, isCentred: true };
}

/** Before the model has names for them: the columns as they are. */
function plainStrips({ record, table, times }: StripsOf): Strip[] {
	return table.columns
		.filter(({ name }) => name !== record.time)
		.slice(0, mostStrips)
		.map((column) => ({
			label: labelOf(column.name, column),
			weight: 1,
			marks: [
				{
					type: "dots",
					name: column.name,
					ink: "--data",
					t: times,
					y: column.values,
					limits: column.limits,
				},
			],
		}));
}
