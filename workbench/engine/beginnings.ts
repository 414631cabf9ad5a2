/** Models to begin with: fetched when somebody asks for them. */
import { beginningOf, templateFor, templatePicture, templates } from "../../src/templates/index.ts";
import type { MadeTemplate, Questions, TemplateFacts } from "../contract.ts";

export function templateFacts(): readonly TemplateFacts[] {
	return templates.map((template) => ({
		name: template.name,
		title: template.title,
		says: template.sentence,
		picture: templatePicture(template),
	}));
}

export function madeTemplate({ name, table, time }: Questions["template"]["ask"]): MadeTemplate {
	const template = templates.find((each) => each.name === name)!;
	const { title } = template;
	if (table) {
		const made = templateFor(template, { columns: [...table.columns] }, {}, time);
		return {
			title,
			model: made.model,
			columns: made.columns,
			...(made.time === undefined ? {} : { time: made.time }),
		};
	}
	const files = beginningOf(template);
	const content = (ending: string): string => files.find((file) => file.name.endsWith(ending))!.content;
	return { title, model: content(".ode"), columns: {}, record: content(".csv") };
}
