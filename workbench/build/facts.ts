/**
 * What the page knows before any of its engine is loaded, found when it is built: the examples as studies, the methods with
 * their options, and what each method says of the first example's model. Runs in Node.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { applicability, methods } from "../../src/methods/index.ts";
import { parseModel } from "../../src/model/index.ts";
import type { MethodFacts, Plan } from "../contract.ts";
import { openStudy } from "../engine/studies.ts";
import { exampleList } from "../page/example-list.ts";

export interface ExampleFacts {
	readonly id: string;
	readonly title: string;
	readonly says: string;
	readonly plan: Plan;
}

export interface Facts {
	readonly examples: readonly ExampleFacts[];
	readonly methods: readonly MethodFacts[];
	readonly firstVerdicts: ReturnType<typeof applicability>;
}

export function factsOf(folder: string): Facts {
	const examples = exampleList.map(({ id, title, says }): ExampleFacts => {
		const here = join(folder, id);
		const { plan, modelFile } = openStudy(readFileSync(join(here, "study.yaml"), "utf8"), "study.yaml");
		const model = modelFile === undefined ? plan.model : readFileSync(join(here, modelFile), "utf8");
		return { id, title, says, plan: { ...plan, title: id, model } };
	});
	return {
		examples,
		methods: [...methods.values()].map(({ name, says, accent, options }) => ({
			name,
			says,
			accent,
			options,
		})),
		firstVerdicts: applicability(parseModel(examples[0].plan.model, "model.ode")),
	};
}

/** The records of the examples, by their path below the page. */
export function recordFiles(folder: string): { path: string; content: string }[] {
	return exampleList.flatMap(({ id }) =>
		readdirSync(join(folder, id))
			.filter((name) => name.endsWith(".csv"))
			.map((name) => ({
				path: `examples/${id}/${name}`,
				content: readFileSync(join(folder, id, name), "utf8"),
			})),
	);
}
