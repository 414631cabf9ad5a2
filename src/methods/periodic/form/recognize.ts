/**
 * Recognises the class [tyukin2016] eq. (2.1) in a model's equations, or says which state and which term keep the model
 * out of it.
 */
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
import {
	type ChainState,
	type Closure,
	type HiddenState,
	isRefusal,
	type Loop,
	type PeriodicForm,
	type Refusal,
} from "./form.ts";
import { separateLinear } from "./linear-terms.ts";
import { measuredState, otherwise } from "./measured-state.ts";

interface Affine {
	readonly component: string;
	readonly alpha: Node;
	readonly w: Node;
	readonly loop?: Loop;
}

/** What the equation of a hidden state is made of. */
function partsOf({ alpha, w, loop }: Affine): Node[] {
	return [...(loop?.row ?? [alpha]), w];
}

/** The model must be without combinations and formula inputs. */
export function recognize(model: Model): PeriodicForm | Refusal {
	return measuredState(model) ?? new Recognition(model).form();
}

class Recognition {
	readonly #graph: Graph;
	readonly #output: string;
	readonly #dependence = new Dependence();
	readonly #rhs: Map<string, Node>;
	readonly #params: readonly string[];
	readonly #drives: readonly string[];

	/** `isTrial`: whether another measured state is tried, so that no further ones need be. */
	constructor(
		readonly model: Model,
		readonly isTrial = false,
	) {
		this.#graph = model.graph;
		this.#output = model.measures[0].value.name!;
		this.#rhs = new Map(model.components.map((name, i) => [name, model.rhs[i]]));
		this.#params = freeParams(model)
			.map(({ name }) => name)
			.filter((name) => model.rhs.some((node) => this.#dependence.has(node, name)));
		this.#drives = [...model.inputs.map(({ name }) => name), "t"].filter((name) =>
			model.rhs.some((node) => this.#dependence.has(node, name)),
		);
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
		const chain = this.#chain(integrators);
		const inChain = new Set(chain.map(({ component }) => component));
		const states: Affine[] = [];
		for (const block of this.#blocks(hidden.filter((name) => !inChain.has(name)))) {
			const found = block.length > 1 ? this.#loop(block, states.length) : [affine.get(block[0])!];
			if ("problem" in found) return found;
			states.push(...found);
		}
		return this.#split(chain, this.#rows(chain), states);
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
		const form = affineIn(this.#graph, node, [name]) ?? this.#expandedAffine(node, [name]);
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
			remedy: this.#anotherState(),
		};
	}

	/** States that could be measured in the place of this one: each is tried, so that the advice helps. */
	#anotherState(): string {
		if (this.isTrial) return otherwise;
		const { model } = this;
		const others = model.components.filter((name) => {
			if (name === this.#output) return false;
			const measures = [{ ...model.measures[0], value: this.#graph.sym(name) }];
			return !isRefusal(new Recognition({ ...model, measures }, true).form());
		});
		return others.length > 0
			? `Measure ${others.join(" or ")} in the place of ${this.#output}. ${otherwise}`
			: otherwise;
	}

	#expandedAffine(node: Node, names: readonly string[]): ReturnType<typeof affineIn> {
		return affineIn(this.#graph, this.#graph.sum(termsOf(this.#graph, node)), names);
	}

	/** Integrators that feed the measured state, one after the other, each with a factor that is constant in time. */
	#chain(integrators: readonly string[]): ChainState[] {
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
		return chain;
	}

	/** Whether `name` occurs in one equation only, that of `into`, with a factor that holds parameters and numbers only. */
	#feedsOnly(name: string, into: string, row: Node): boolean {
		for (const [component, node] of this.#rhs)
			if (component !== into && this.#dependence.has(node, name)) return false;
		const coefficient = affineIn(this.#graph, row, [name])?.coefficients.get(name);
		return (
			coefficient !== undefined &&
			!this.#dependence
				.symbols(coefficient)
				.some((symbol) => this.#rhs.has(symbol) || this.#drives.includes(symbol))
		);
	}

	/** Hidden states so that each depends on earlier ones only, or on those of its own block. */
	#blocks(hidden: readonly string[]): string[][] {
		const index = new Map(hidden.map((name, i) => [name, i]));
		const uses = (i: number): number[] =>
			this.#dependence.symbols(this.#rhs.get(hidden[i])!).flatMap((name) => {
				const j = index.get(name);
				return j === undefined || j === i ? [] : [j];
			});
		return strongComponents(hidden.length, uses).map((block) => block.map((i) => hidden[i]));
	}

	/** A loop as q' = A q + w; its first member stands at `from` among the hidden states. */
	#loop(names: readonly string[], from: number): Affine[] | Refusal {
		const members = names.map((_, k) => from + k);
		const found: Affine[] = [];
		for (const name of names) {
			const node = this.#rhs.get(name)!;
			const isAffine = (each: Node): boolean => affineIn(this.#graph, each, names) !== undefined;
			const form = affineIn(this.#graph, node, names) ?? this.#expandedAffine(node, names);
			if (!form)
				return {
					subject: `state ${name}`,
					problem: `is in a loop of hidden states, ${names.join(" ↔ ")}, and its equation is not affine in them together: the term ${toPlain(termsOf(this.#graph, node).find((each) => !isAffine(each)) ?? node)}`,
					remedy: this.#anotherState(),
				};
			const row = names.map((each) => form.coefficients.get(each) ?? this.#graph.zero);
			found.push({
				component: name,
				alpha: row[names.indexOf(name)],
				w: form.offset,
				loop: { members, row },
			});
		}
		if (found.some(({ w }) => !vanishes(w))) return found;
		return {
			subject: `state ${names[0]}`,
			problem: `is in a loop of hidden states, ${names.join(" ↔ ")}, that nothing drives: they rest at 0, or repeat themselves for special values of their parameters only`,
			remedy: this.#anotherState(),
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
			const { component, alpha, w, loop } = split.states[i];
			const isIntegrator = alpha === graph.zero;
			if (loop || !(isIntegrator || vanishes(w))) {
				hidden.push({ component, alpha, w, loop });
				continue;
			}
			const scaled = isIntegrator ? undefined : this.#withoutScale(component, split);
			if (scaled) split = scaled.split;
			const closure = this.#closure(split.states[i], split, scaled?.param);
			if ("problem" in closure) return closure;
			hidden.push({ component, alpha, w, closure });
		}
		// Later states may have lost a scale since they were put down.
		const final = hidden.map(
			(state, i): HiddenState => ({
				...state,
				w: split.states[i].w,
				alpha: split.states[i].alpha,
				loop: split.states[i].loop,
			}),
		);
		const held = new Set(
			hidden.flatMap(({ closure }) => (closure ? [closure.param, closure.scale ?? ""] : [])),
		);
		const inHidden = (name: string): boolean =>
			split.states.some((state) => partsOf(state).some((node) => this.#dependence.has(node, name)));
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
			drives: this.#drives,
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
			const newStates = states.map(({ component: own, alpha, w, loop }): Affine => {
				const [newAlpha, newW] = replace([alpha, w]);
				return {
					component: own,
					alpha: newAlpha,
					w: newW,
					loop: loop && { ...loop, row: replace(loop.row) },
				};
			});
			const all = [...newRows, ...newStates.flatMap(partsOf)];
			if (all.every((node) => !this.#dependence.has(node, param)))
				return { param, split: { rows: newRows, states: newStates } };
		}
		return undefined;
	}

	/** α of a state that only multiplies itself, or w of an integrator: the parameter that makes its mean 0. */
	#closure(
		state: Affine,
		{ rows, states }: { rows: readonly Node[]; states: readonly Affine[] },
		scale: string | undefined,
	): Closure | Refusal {
		const graph = this.#graph;
		const { component, alpha, w } = state;
		const of = alpha === graph.zero ? "w" : "alpha";
		const elsewhere = [
			...rows,
			...states.flatMap((each) => (each.component === component ? [] : partsOf(each))),
		];
		const found = this.#params.flatMap((param): Closure[] => {
			if (elsewhere.some((node) => this.#dependence.has(node, param))) return [];
			const form = affineIn(graph, state[of], [param]);
			const coefficient = form?.coefficients.get(param);
			// Without a rest the parameter would have to be 0.
			if (!form || !coefficient || vanishes(form.offset)) return [];
			const symbols = this.#dependence.symbols(coefficient);
			const isKnown = symbols.every((name) => name === this.#output || this.#drives.includes(name));
			return isKnown ? [{ of, param, rest: form.offset, coefficient, scale }] : [];
		});
		// A factor that changes with y may have no mean; one that is a number has.
		const steady = found.find(({ coefficient }) => this.#dependence.symbols(coefficient).length === 0);
		if (found.length > 0) return steady ?? found[0];
		const none =
			"no parameter of it enters linearly, with a factor that is known, and nowhere else, so that this closure could determine it";
		return {
			subject: `state ${component}`,
			problem:
				of === "w"
					? `is a pure integrator: ${component}' = ${toPlain(w)} does not hold ${component} itself, so its mean over a period has to be 0, and ${none}`
					: `grows by a factor exp ∫(${toPlain(alpha)}) over a period, which has to be 1, and ${none}`,
			remedy: otherwise,
		};
	}
}
