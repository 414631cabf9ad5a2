/** The same question without one of its outputs: which of them do the others contradict? */
import type { Model } from "../../model/model.ts";
import type { Problem } from "../problem.ts";
import { reread } from "./derived-knowledge.ts";

export function withoutOutput(problem: Problem, output: string): Problem {
	const { model } = problem;
	const left: Model = { ...model, measures: model.measures.filter(({ name }) => name !== output) };
	const without = (experiments: Problem["train"]): Problem["train"] =>
		experiments.map((experiment) => ({
			...experiment,
			outputs: new Map([...experiment.outputs].filter(([name]) => name !== output)),
		}));
	return { ...problem, model: reread(left), train: without(problem.train), test: without(problem.test) };
}
