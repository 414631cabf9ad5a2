/** Whether kriging fits a model, in a sentence. */

import { InputError } from "../../errors.ts";
import { list } from "../../estimate/judge/words.ts";
import type { Model } from "../../model/model.ts";
import { Dynamics } from "./dynamics.ts";
import { layoutOf } from "./layout.ts";

export function appliesTo(model: Model): { applies: boolean; why: string } {
	try {
		const layout = layoutOf(model);
		new Dynamics(layout);
		const names = layout.functions.map(({ name }) => name);
		const params = layout.params.length > 0 ? `, and estimates ${list(layout.params)} along` : "";
		return { applies: true, why: `Learns ${list(names)} as a random process, with its error${params}.` };
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		const stop = /[.!?]$/.test(error.problem) ? "" : ".";
		return { applies: false, why: `${error.subject} ${error.problem}${stop} ${error.remedy}`.trim() };
	}
}
