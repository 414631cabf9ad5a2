/** `odentify run STUDY --design`: how often the answer would be found in data simulated from it. */
import { InputError } from "../../errors.ts";
import { methods, singleMethods } from "../../methods/registry.ts";
import type { Study } from "../../study/study.ts";
import type { CommonOptions } from "./terminal.ts";

/** The method that can simulate data from its answer. */
const designer = [...methods.values()].find(({ options }) => "design" in options)!;

/** A study with the design study of --design asked for. */
export function withDesign(study: Study, { design }: CommonOptions): Study {
	if (design === undefined) return study;
	const value = Number(design);
	const { design: spec } = designer.options;
	const most = spec.type === "integer" ? spec.max! : 0;
	if (!/^\d+$/.test(design) || !(value >= 1 && value <= most))
		throw new InputError(
			`--design ${design}`,
			`is not a whole number from 1 to ${most}`,
			"For example  --design 20",
		);
	// `all` hands the options of other methods on to them.
	const isAsked = study.method === designer.name || !singleMethods.some(({ name }) => name === study.method);
	if (!isAsked)
		throw new InputError(
			"--design",
			`is for  method: ${designer.name}, and the method of this study is ${study.method}`,
			`It simulates data from the terms that ${designer.name} chose.`,
		);
	const own = { ...study.options[designer.name], design: value };
	return { ...study, options: { ...study.options, [designer.name]: own } };
}
