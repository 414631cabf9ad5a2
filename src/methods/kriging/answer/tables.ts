/** The learned functions and the derivatives as tables. */

import { wholePower } from "../../../num/whole-power.ts";
import type { FieldError } from "../field/field-error.ts";
import type { KrigingRun } from "../run.ts";

/** One row a sample time: for each state and derivative its value and standard deviation. */
export function derivativesCsv({ everySample: smoothed, layout }: KrigingRun): string {
	const header = layout.tracks.flatMap(({ name, components }) =>
		Array.from({ length: components.length + 1 }, (_, order) => {
			const column = `${name}${"'".repeat(order)}`;
			return [column, `${column}.sd`];
		}).flat(),
	);
	const lines = smoothed.flatMap(({ record, tracks }) =>
		Array.from(record.grid, (t, i) => {
			const cells = layout.tracks.flatMap(({ components }, track) =>
				Array.from({ length: components.length + 1 }, (_, order) => {
					const at = order * record.grid.length + i;
					return [tracks[track].mean[at], Math.sqrt(tracks[track].variance[at])];
				}).flat(),
			);
			return [...(smoothed.length > 1 ? [quoted(record.experiment.name)] : []), t, ...cells].join(",");
		}),
	);
	const first = [...(smoothed.length > 1 ? ["record"] : []), "t", ...header].join(",");
	return `${[first, ...lines].join("\n")}\n`;
}

const perArgument = [0, 101, 25, 11, 7];

/** A function on a grid over the range of its data: arguments, value, standard deviation. */
export function functionCsv(error: FieldError, fn: number): string {
	const { field } = error;
	const { name, argNames, centre, scale } = field.design.functions[fn];
	const sites = field.data.sites.filter(({ of }) => of === fn).map(({ x }) => x);
	const count = perArgument[argNames.length] ?? 4;
	const axes = argNames.map((_, a) => {
		const values = sites.map((x) => x[a] * scale[a] + centre[a]);
		const lo = Math.min(...values);
		const hi = Math.max(...values);
		return Float64Array.from({ length: count }, (_, i) => lo + (i / (count - 1)) * (hi - lo));
	});
	const points = Array.from({ length: wholePower(count, argNames.length) }, (_, at) =>
		axes.map((axis, a) => axis[Math.floor(at / wholePower(count, a)) % count]),
	);
	const { value, sd } = error.predict(fn, points);
	const lines = points.map((point, i) => [...point, value[i], sd[i]].join(","));
	return `${[[...argNames, name, `${name}.sd`].join(","), ...lines].join("\n")}\n`;
}

function quoted(text: string): string {
	return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
