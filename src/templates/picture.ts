/** The small picture of a template: its sample record, and the curve behind it. */
import type { Figure, Mark } from "../estimate/figure.ts";
import { plot } from "../report/plot.ts";
import { sampleRecord } from "./sample-record.ts";
import type { Template } from "./template.ts";

/** So many samples are drawn: enough to see the shape. */
const shown = 60;

export function templateFigure(template: Template): Figure {
	const { columns, exact } = sampleRecord(template);
	const [output] = template.outputs;
	const every = Math.max(1, Math.ceil(columns.t.length / shown));
	const thin = (values: Float64Array): Float64Array => values.filter((_, i) => i % every === 0);
	const marks: Mark[] = [
		{ type: "line", x: columns.t, y: exact[output.name], role: "model" },
		{ type: "points", x: thin(columns.t), y: thin(columns[output.name]), role: "data" },
	];
	return {
		name: template.name,
		title: template.title,
		caption: `${template.title}: ${template.sentence}`,
		xLabel: "t",
		yLabel: `${output.name}${output.unit === "1" ? "" : ` [${output.unit}]`}`,
		marks,
		section: "fit",
		small: true,
	};
}

/** As SVG text; `id` must be unique in its page. */
export function templatePicture(template: Template, id = `template-${template.name}`): string {
	return plot(templateFigure(template), id).toString();
}
