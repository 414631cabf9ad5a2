/**
 * Recognises the class [tyukin2016] eq. (2.1) in a model's equations, or says which state and which term keep the model
 * out of it.
 */
import { sampleLaw } from "../../../estimate/law/declared.ts";
import { Dependence } from "../../../model/dependence.ts";
import type { Graph, Node } from "../../../model/graph.ts";
import type { Model } from "../../../model/model.ts";
import { toPlain } from "../../../model/print/expression.ts";
import { affineIn } from "../../../model/structure/affine.ts";
import { freeParams } from "../../../model/structure/free.ts";
import { vanishes } from "../../../model/structure/identity.ts";
import { strongComponents } from "../../../model/structure/strong-components.ts";
import { substitute } from "../../../model/walk.ts";
import { collinear } from "./collinear.ts";
import { termsOf } from "./expand.ts";
import type { ChainState, Closure, HiddenState, PeriodicForm, Refusal } from "./form.ts";
import { separateLinear } from "./linear-terms.ts";

const otherwise = "Use  method: fit, which simulates the model and knows no such limit.";

interface Affine {
	readonly component: string;
	readonly alpha: Node;
	readonly w: Node;
}

/** The model must be without combinations and formula inputs. */
export function recognize(model: Model): PeriodicForm | Refusal {
	return measuredState(model) ?? new Recognition(model).form();
}

function measuredState(model: Model): Refusal | undefined {
	const refuse = (subject: string, problem: string, remedy: string): Refusal => ({
		subject,
		problem,
		remedy,
	});
	if (model.unknowns.length > 0)
		return refuse(
			`unknown ${model.unknowns[0].name}`,
			"is a function, and periodic estimates numbers only",
			"Replace it by a formula with parameters, or use  method: inversion, which estimates functions.",
		);
	const drifting = model.params.find(({ rate }) => rate !== undefined);
	if (drifting)
		return refuse(
			`param ${drifting.name}`,
			"drifts, so nothing the model does is periodic",
			`Take the declaration of ${drifting.name}' out to hold it constant, or use  method: guaranteed, which encloses what drifts.`,
		);
	const [measure, second] = model.measures;
	if (!measure)
		return refuse(model.fileName, "measures nothing", `Write  measure y = ${model.components[0] ?? "x"}.`);
	if (second)
		return refuse(
			`measure ${second.name}`,
			`is a second output beside ${measure.name}, and periodic works from one measured state`,
			`Leave one of them out, or use  method: fit, which uses both.`,
		);
	const { value } = measure;
	const { isNormal, scale } = sampleLaw(measure);
	const { rounded, correlated } = measure;
	const isPlain = isNormal && !scale.isLog && !rounded && !correlated;
	if (!isPlain || value.op !== "sym" || !model.components.includes(value.name!))
		return refuse(
			`measure ${measure.name}`,
			`is ${isPlain ? toPlain(value) : rounded ? "rounded" : correlated ? "correlated" : measure.family}, not one state as it is`,
			`Write  measure ${measure.name} = ${model.components[0]}  if that is what was measured. ${otherwise}`,
		);
	const dependence = new Dependence();
	const driven = [...model.inputs.map(({ name }) => name), "t"].flatMap((driver) =>
		model.rhs.flatMap((node, i) => (dependence.has(node, driver) ? [{ driver, node, i }] : [])),
	);
	if (driven.length > 0) {
		const [{ driver, node, i }] = driven;
		const term = termsOf(model.graph, node).find((each) => dependence.has(each, driver)) ?? node;
		return refuse(
			driver === "t" ? "time t" : `input ${driver}`,
			`drives state ${model.components[i]} (the term ${toPlain(term)}), and periodic needs oscillations of the model's own`,
			model.inputs.some(({ name, knowledge }) => name === driver && knowledge.kind === "distribution")
				? "Use  method: bayes, which finds an unknown force along with the parameters."
				: otherwise,
		);
	}
	return undefined;
}

class Recognition {
	readonly #graph: Graph;
	readonly #output: string;
	readonly #dependence = new Dependence();
	readonly #rhs: Map<string, Node>;
	readonly #params: readonly string[];

	constructor(readonly model: Model) {
		this.#graph = model.graph;
		this.#output = model.measures[0].value.name!;
		this.#rhs = new Map(model.components.map((name, i) => [name, model.rhs[i]]));
		this.#params = freeParams(model)
			.map(({ name }) => name)
			.filter((name) => model.rhs.some((node) => this.#dependence.has(node, name)));
	}

	form(): PeriodicForm | Refusal {
		const hidden = this.model.components.filter((name) => name !== this.#output);
		const unseen = this.#unobservable(hidden);
		if (unseen) return unseen;
		const affine = new Map<string, Affine>();
		for (const name of hidden) {
			const found = this.#affine(name);
			if ("problem" in found) return found;
			if (vanishes(found.alpha) && vanishes(found.w))
				return {
					subject: `state ${name}`,
					problem: `never changes: ${name}' is zero whatever the others do, so it is a number, not a state`,
					remedy: `Write  param ${name}  in the place of  state ${name}, and leave out its equation.`,
				};
			affine.set(name, found);
		}
		const integrators = hidden.filter((name) => affine.get(name)!.alpha === this.#graph.zero);
		const chain = this.#chain(integrators, affine);
		if ("problem" in chain) return chain;
		const inChain = new Set(chain.map(({ component }) => component));
		const ordered = this.#order(hidden.filter((name) => !inChain.has(name)));
		if ("problem" in ordered) return ordered;
		const rows = this.#rows(chain);
		return this.#split(
			chain,
			rows,
			ordered.map((name) => affine.get(name)!),
		);
	}

	#unobservable(hidden: readonly string[]): Refusal | undefined {
		const reached = new Set([this.#output]);
		for (const name of reached)
			for (const symbol of this.#dependence.symbols(this.#rhs.get(name)!))
				if (this.#rhs.has(symbol)) reached.add(symbol);
		const unseen = hidden.find((name) => !reached.has(name));
		return unseen === undefined
			? undefined
			: {
					subject: `state ${unseen}`,
					problem: `is unobservable: nothing that ${this.#output} does depends on it`,
					remedy: `Remove ${unseen} and its equation, or measure ${unseen} too and use  method: fit, which takes several outputs.`,
				};
	}

	#affine(name: string): Affine | Refusal {
		const node = this.#rhs.get(name)!;
		const form = affineIn(this.#graph, node, [name]) ?? this.#expandedAffine(node, name);
		if (form)
			return {
				component: name,
				alpha: form.coefficients.get(name) ?? this.#graph.zero,
				w: form.offset,
			};
		const term = termsOf(this.#graph, node).find((each) => !affineIn(this.#graph, each, [name])) ?? node;
		return {
			subject: `state ${name}`,
			problem: `is hidden, and its equation is not affine in it: the term ${toPlain(term)}`,
			remedy: `Measure ${name} itself. ${otherwise}`,
		};
	}

	#expandedAffine(node: Node, name: string): ReturnType<typeof affineIn> {
		return affineIn(this.#graph, this.#graph.sum(termsOf(this.#graph, node)), [name]);
	}

	/** Integrators that feed the measured state, one after the other, each with a factor that is constant in time. */
	#chain(integrators: readonly string[], affine: ReadonlyMap<string, Affine>): ChainState[] | Refusal {
		const graph = this.#graph;
		const chain: ChainState[] = [{ component: this.#output, scale: graph.one }];
		const open = new Set(integrators);
		for (let k = 0; k < chain.length; k++) {
			const { component } = chain[k];
			const row = this.#rhs.get(component)!;
			const next = [...open].find((name) => this.#feedsOnly(name, component, row));
			if (next === undefined) break;
			open.delete(next);
			const coefficient = affineIn(graph, row, [next])!.coefficients.get(next)!;
			chain.push({ component: next, scale: graph.mul(chain[k].scale, coefficient) });
		}
		const [left] = open;
		if (left === undefined) return chain;
		const w = affine.get(left)!.w;
		return {
			subject: `state ${left}`,
			problem: `is a pure integrator: ${left}' = ${toPlain(w)} does not hold ${left} itself, so its level is not determined by ${this.#output}, and it does not enter the equation of ${this.#output} as a term of its own`,
			remedy: otherwise,
		};
	}

	/** Whether `name` occurs in one equation only, that of `into`, with a factor that holds parameters and numbers only. */
	#feedsOnly(name: string, into: string, row: Node): boolean {
		for (const [component, node] of this.#rhs)
			if (component !== into && this.#dependence.has(node, name)) return false;
		const coefficient = affineIn(this.#graph, row, [name])?.coefficients.get(name);
		return (
			coefficient !== undefined &&
			!this.#dependence.symbols(coefficient).some((symbol) => this.#rhs.has(symbol))
		);
	}

	/** Hidden states so that each depends on earlier ones only. */
	#order(hidden: readonly string[]): string[] | Refusal {
		const index = new Map(hidden.map((name, i) => [name, i]));
		const uses = (i: number): number[] =>
			this.#dependence.symbols(this.#rhs.get(hidden[i])!).flatMap((name) => {
				const j = index.get(name);
				return j === undefined || j === i ? [] : [j];
			});
		const blocks = strongComponents(hidden.length, uses);
		const loop = blocks.find((block) => block.length > 1);
		if (!loop) return blocks.map(([i]) => hidden[i]);
		const names = loop.map((i) => hidden[i]);
		const other = names.find(
			(name) => this.#dependence.has(this.#rhs.get(names[0])!, name) && name !== names[0],
		)!;
		const term = termsOf(this.#graph, this.#rhs.get(names[0])!).find((each) =>
			this.#dependence.has(each, other),
		)!;
		return {
			subject: `state ${names[0]}`,
			problem: `is in a loop of hidden states, ${names.join(" ↔ ")}: each needs the others to be known first (the term ${toPlain(term)} in ${names[0]}')`,
			remedy: `Measure one of ${names.join(", ")}. ${otherwise}`,
		};
	}

	/** Equations of the chain in its own scale, without the next member. */
	#rows(chain: readonly ChainState[]): Node[] {
		const graph = this.#graph;
		return chain.map(({ component, scale }, k) => {
			const next = chain[k + 1];
			const row = this.#rhs.get(component)!;
			const own = next ? substitute(graph, [row], new Map([[next.component, graph.zero]]))[0] : row;
			return graph.mul(scale, own);
		});
	}

	#split(
		chain: readonly ChainState[],
		rows: readonly Node[],
		states: readonly Affine[],
	): PeriodicForm | Refusal {
		const graph = this.#graph;
		const hidden: HiddenState[] = [];
		let split = { rows: [...rows], states: [...states] };
		for (let i = 0; i < states.length; i++) {
			const { component, alpha, w } = split.states[i];
			if (!vanishes(w)) {
				hidden.push({ component, alpha, w });
				continue;
			}
			const scaled = this.#withoutScale(component, split);
			if (scaled) split = scaled.split;
			const closure = this.#closure(component, alpha, split, scaled?.param);
			if ("problem" in closure) return closure;
			hidden.push({ component, alpha, w: graph.zero, closure });
		}
		// Later states may have lost a scale since they were put down.
		const final = hidden.map(
			(state, i): HiddenState => ({
				...state,
				w: state.closure ? graph.zero : split.states[i].w,
				alpha: split.states[i].alpha,
			}),
		);
		const held = new Set(
			hidden.flatMap(({ closure }) => (closure ? [closure.param, closure.scale ?? ""] : [])),
		);
		const inHidden = (name: string): boolean =>
			split.states.some(({ alpha, w }) => this.#dependence.has(alpha, name) || this.#dependence.has(w, name));
		const used = this.#params.filter(
			(name) =>
				!held.has(name) && (inHidden(name) || split.rows.some((row) => this.#dependence.has(row, name))),
		);
		const exclusive = used.filter((name) => !inHidden(name));
		const others = new Set([...used.filter(inHidden), ...hidden.map(({ component }) => component)]);
		const { terms, g, recovered } = separateLinear(graph, split.rows, exclusive, others);
		const form: PeriodicForm = {
			graph,
			output: this.#output,
			chain,
			terms,
			hidden: final,
			g,
			lambda: used.filter((name) => !recovered.has(name)),
			recovered,
			constants: this.model.conditions.map(({ name }) => name),
		};
		return this.#onlyScale(form) ?? collinear(form) ?? form;
	}

	/** A factor of a member of the chain that acts nowhere else: another unit of that member would do the same. */
	#onlyScale({ chain, lambda, recovered }: PeriodicForm): Refusal | undefined {
		for (const { component, scale } of chain)
			for (const name of this.#dependence.symbols(scale))
				if (this.#params.includes(name) && !lambda.includes(name) && !recovered.has(name))
					return {
						subject: `param ${name}`,
						problem: `only sets the unit of the hidden state ${component}: with another value ${this.#output} does the same, and ${component} is another multiple`,
						remedy: `Give ${name} a value, such as  param ${name} = 1.`,
					};
		return undefined;
	}

	/** A parameter that disappears when the hidden state is measured in other units. */
	#withoutScale(
		component: string,
		{ rows, states }: { rows: Node[]; states: Affine[] },
	): { param: string; split: { rows: Node[]; states: Affine[] } } | undefined {
		const graph = this.#graph;
		for (const param of this.#params) {
			const scaled = graph.div(graph.sym(component), graph.sym(param));
			const replacement = new Map([[component, scaled]]);
			const replace = (nodes: readonly Node[]): Node[] => substitute(graph, nodes, replacement);
			const newRows = replace(rows);
			const newStates = states.map(({ component: own, alpha, w }) => {
				const [newAlpha, newW] = replace([alpha, w]);
				return { component: own, alpha: newAlpha, w: newW };
			});
			const all = [...newRows, ...newStates.flatMap(({ alpha, w }) => [alpha, w])];
			if (all.every((node) => !this.#dependence.has(node, param)))
				return { param, split: { rows: newRows, states: newStates } };
		}
		return undefined;
	}

	#closure(
		component: string,
		alpha: Node,
		{ rows, states }: { rows: readonly Node[]; states: readonly Affine[] },
		scale: string | undefined,
	): Closure | Refusal {
		const graph = this.#graph;
		const elsewhere = [
			...rows,
			...states.flatMap((state) => (state.component === component ? [state.w] : [state.alpha, state.w])),
		];
		for (const param of this.#params) {
			if (elsewhere.some((node) => this.#dependence.has(node, param))) continue;
			const form = affineIn(graph, alpha, [param]);
			const coefficient = form?.coefficients.get(param);
			if (!form || !coefficient) continue;
			const symbols = this.#dependence.symbols(coefficient);
			if (symbols.every((name) => name === this.#output))
				return { param, rest: form.offset, coefficient, scale };
		}
		return {
			subject: `state ${component}`,
			problem: `grows by a factor exp ∫(${toPlain(alpha)}) over a period, which has to be 1, and no parameter of it enters linearly and nowhere else, so that this closure could determine it`,
			remedy: otherwise,
		};
	}
}
