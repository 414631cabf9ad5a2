/**
 * Müller's brackets, built from the graph [mueller1927]; section 3.1 of [kletting2011]. For a box of states and parameters the lower
 * ends and the upper ends solve a system of twice the size from a point: z_i' of the lower end takes z_i at its own lower
 * end, and each other z_j at the end that makes f_i least. Which end that is, is read from proved signs of ∂f_i/∂z_j on the
 * tube of the step. Where the sign is not definite, ∂f_i/∂z_j in [a, b], f_i at the lower end of z_j plus a·(z_j's width), or
 * at its upper end minus b·(width), is a bound, and smooth. Every step starts from the outer ends of the last enclosure.
 *
 * Brackets forget how states depend on one another, so they grow on oscillators.
 */
import { IntervalEvaluator } from "../../../lower/interval/evaluate-interval.ts";
import { tapeOf } from "../../../lower/interval/tape.ts";
import { Differentiator } from "../../../model/derivative.ts";
import type { Graph, Node } from "../../../model/graph.ts";
import { substitute } from "../../../model/walk.ts";
import type { Effort } from "../flow/effort.ts";
import { JumpCheck } from "../flow/events/jump-check.ts";
import { Flow, type FlowFailure } from "../flow/flow.ts";
import { type FlowSet, remainderOf } from "../flow/flow-set.ts";
import { inputBounds } from "../flow/input-enclosure.ts";
import type { OnStep } from "../flow/steps/step-pieces.ts";
import { troubleText } from "../flow/trouble.ts";

export interface BracketedSystem {
	readonly graph: Graph;
	readonly states: readonly string[];
	readonly rhs: readonly Node[];
	/** Unknown constants. */
	readonly params: readonly string[];
	/** Constants known in intervals, by name; their bounds, stride 2. */
	readonly constants: readonly string[];
	readonly constantBounds: Float64Array;
	readonly inputs: readonly string[];
	/** Each input over a step: a cubic and a radius. */
	inputsOver(from: number, to: number): Float64Array;
	/** Whether the equations may be undefined soon after a box of states: steps that shrink are then not tried for long. */
	endsSoon(states: Float64Array, params: Float64Array, t: number): boolean;
}

export interface BracketSettings {
	readonly timeOrder: number;
	readonly tolerance: number;
	readonly effort: Effort;
	/** Longest step for which one choice of corners is made. */
	readonly longest: number;
}

/** Bounds of all states for a while. */
interface Piece {
	readonly from: number;
	readonly to: number;
	readonly tube: Float64Array;
}

/** Which end of z_j makes f_i least: -1 the lower, 1 the upper, 2 the lower with a slope, 3 the upper with a slope, 0 no matter. */
type Corner = -1 | 0 | 1 | 2 | 3;

const up = (x: number): number => x + Math.abs(x) * 2 ** -50 + 1e-300;
const down = (x: number): number => x - Math.abs(x) * 2 ** -50 - 1e-300;

export class MuellerBrackets {
	readonly #system: BracketedSystem;
	readonly #settings: BracketSettings;
	readonly #signs: IntervalEvaluator;
	readonly #jumps: JumpCheck;
	/** What stood in the way of the last step that failed. */
	#why = "the brackets could not be enclosed";
	readonly #nStates: number;
	readonly #nParams: number;
	/** Operations of the slopes. */
	readonly #nSigns: number;
	readonly #symbols: readonly string[];
	readonly #flows = new Map<string, { flow: Flow; ends: DoubledConstants }>();

	constructor(system: BracketedSystem, settings: BracketSettings) {
		this.#system = system;
		this.#settings = settings;
		const { graph, states, params, constants, inputs, rhs } = system;
		this.#nStates = states.length;
		this.#nParams = params.length;
		this.#symbols = [...states, ...params, ...constants, ...inputs, "t"];
		const jacobian = new Differentiator(graph).jacobian(rhs, [...states, ...params]);
		const signs = tapeOf(jacobian, this.#symbols);
		this.#nSigns = signs.instructions.length;
		this.#signs = new IntervalEvaluator(signs, true);
		this.#jumps = new JumpCheck(tapeOf(rhs, this.#symbols));
	}

	/** Carries a box of states (stride 2) from t to tEnd, for a box of parameters; in place. */
	advance(
		box: Float64Array,
		params: Float64Array,
		t: number,
		tEnd: number,
		onStep?: OnStep,
	): FlowFailure | undefined {
		let now = t;
		let h = Math.min(this.#settings.longest, tEnd - t);
		while (now < tEnd) {
			const left = tEnd - now;
			const count = Math.max(1, Math.ceil((left / h) * (1 - 1e-9)));
			const to = count === 1 ? tEnd : now + left / count;
			if (!(to > now)) return { t: now, why: "the step of the brackets became too small" };
			const { effort } = this.#settings;
			if (effort.isSpent)
				return { t: now, why: "the effort that was given is spent", isFinal: true, isSpent: true };
			const pieces = this.#step(box, params, now, to, onStep !== undefined);
			if (pieces) {
				if (onStep) for (const piece of pieces) onStep(piece.from, piece.to, piece.tube);
				now = to;
				h = Math.min(2 * h, this.#settings.longest);
			} else {
				h = (to - now) / 2;
				const { longest } = this.#settings;
				if (!(h > 1e-5 * longest) || (h < 0.1 * longest && this.#system.endsSoon(box, params, now)))
					return { t: now, why: this.#why };
			}
		}
		return undefined;
	}

	/** One step of the box; returns the bounds of all states over its pieces, or nothing where it is not proved. */
	#step(
		box: Float64Array,
		params: Float64Array,
		from: number,
		to: number,
		fine: boolean,
	): Piece[] | undefined {
		const n = this.#nStates;
		const tube = box.slice();
		for (let i = 0; i < n; i++) {
			const wide =
				0.05 * (box[2 * i + 1] - box[2 * i]) +
				0.02 * Math.max(Math.abs(box[2 * i]), Math.abs(box[2 * i + 1])) +
				1e-6;
			tube[2 * i] -= wide;
			tube[2 * i + 1] += wide;
		}
		for (let round = 0; round < 6; round++) {
			const corners = this.#corners(tube, params, from, to);
			if (!corners) return undefined;
			const { flow, ends } = this.#flow(corners.kinds);
			ends.fill(params, corners.slopes);
			const set: FlowSet = {
				t: from,
				P: Float64Array.from({ length: 2 * n }, (_, k) => (k < n ? box[2 * k] : box[2 * (k - n) + 1])),
				C: Float64Array.from({ length: 4 * n * n }, (_, k) => (k % (2 * n + 1) === 0 ? 1 : 0)),
				R: new Float64Array(2 * n),
				B: new Float64Array(2 * n),
				centre: new Float64Array(0),
				scale: new Float64Array(0),
				h: to - from,
			};
			const reached = tube.map((_, k) => (k % 2 === 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY));
			const pieces: Piece[] = [];
			const failure = flow.advance(
				set,
				to,
				(begin, end, bounds) => {
					const piece = new Float64Array(2 * n);
					for (let i = 0; i < n; i++) {
						piece[2 * i] = Math.min(bounds[2 * i], bounds[2 * (n + i)]);
						piece[2 * i + 1] = Math.max(bounds[2 * i + 1], bounds[2 * (n + i) + 1]);
						reached[2 * i] = Math.min(reached[2 * i], piece[2 * i]);
						reached[2 * i + 1] = Math.max(reached[2 * i + 1], piece[2 * i + 1]);
					}
					pieces.push({ from: begin, to: end, tube: piece });
				},
				{ most: 4, pieces: fine ? 8 : 1 },
			);
			if (failure) {
				this.#why = failure.why;
				return undefined;
			}
			// The signs hold on the tube, so the brackets are ones as long as they are inside.
			if (reached.every((value, k) => (k % 2 === 0 ? value >= tube[k] : value <= tube[k]))) {
				const rest = remainderOf(set);
				for (let i = 0; i < n; i++) {
					box[2 * i] = down(set.P[i] - rest[i]);
					box[2 * i + 1] = up(set.P[n + i] + rest[n + i]);
				}
				return pieces;
			}
			for (let i = 0; i < n; i++) {
				const wide = 0.2 * (reached[2 * i + 1] - reached[2 * i]) + 1e-6;
				tube[2 * i] = Math.min(tube[2 * i], reached[2 * i] - wide);
				tube[2 * i + 1] = Math.max(tube[2 * i + 1], reached[2 * i + 1] + wide);
			}
		}
		return undefined;
	}

	/** For each f_i and z_j the corner that makes f_i least; slopes [lo, lo, …] as points, stride 2. */
	#corners(
		tube: Float64Array,
		params: Float64Array,
		from: number,
		to: number,
	): { kinds: Corner[]; slopes: Float64Array } | undefined {
		const n = this.#nStates;
		const m = n + this.#nParams;
		const { constantBounds, inputs } = this.#system;
		const box = new Float64Array(2 * this.#symbols.length);
		box.set(tube, 0);
		box.set(params, 2 * n);
		box.set(constantBounds, 2 * m);
		let k = 2 * m + constantBounds.length;
		const over = inputs.length > 0 ? this.#system.inputsOver(from, to) : new Float64Array(0);
		for (let i = 0; i < inputs.length; i++, k += 2) box.set(inputBounds(over, i), k);
		box[k] = down(from);
		box[k + 1] = up(to);
		const out = new Float64Array(2 * n * m);
		this.#settings.effort.spend(200 * this.#nSigns);
		// Slopes say nothing of a jump.
		if (!this.#jumps.none(box) || !this.#signs.evaluate(box, out)) {
			this.#why = troubleText(this.#jumps.trouble ?? this.#signs.trouble) ?? "slopes have no bound";
			return undefined;
		}
		const kinds: Corner[] = [];
		const slopes: number[] = [];
		for (let i = 0; i < n; i++)
			for (let j = 0; j < m; j++) {
				const a = out[2 * (i * m + j)];
				const b = out[2 * (i * m + j) + 1];
				let kind: Corner = 0;
				let slope = 0;
				if (i !== j) {
					if (a === 0 && b === 0) kind = 0;
					else if (a >= 0) kind = -1;
					else if (b <= 0) kind = 1;
					else if (-a <= b) [kind, slope] = [2, a];
					else [kind, slope] = [3, b];
				}
				if (!Number.isFinite(slope)) return undefined;
				kinds.push(kind);
				slopes.push(slope, slope);
			}
		return { kinds, slopes: Float64Array.from(slopes) };
	}

	/** The system of lower and upper ends for these corners; made once. */
	#flow(kinds: readonly Corner[]): { flow: Flow; ends: DoubledConstants } {
		const key = kinds.join();
		const known = this.#flows.get(key);
		if (known) return known;
		const { graph: g, states, params, rhs, constants, constantBounds, inputs } = this.#system;
		const n = states.length;
		const m = n + params.length;
		const names = [...states, ...params];
		const end = (side: "lo" | "hi", j: number): Node => g.sym(`${side} ${names[j]}`);
		const slopeName = (i: number, j: number): string => `slope ${i} ${j}`;
		const bound = (i: number, side: "lo" | "hi"): Node => {
			const other = side === "lo" ? "hi" : "lo";
			const replacement = new Map<string, Node>();
			const extra: Node[] = [];
			for (let j = 0; j < m; j++) {
				const kind = kinds[i * m + j];
				// For the upper end every choice is the other way round.
				const lower = kind === -1 || kind === 2 || kind === 0;
				replacement.set(names[j], i === j ? end(side, j) : end(lower ? side : other, j));
				if (kind === 2 || kind === 3) {
					// f(lo) + a·w <= f for kind 2; f(hi) - b·w <= f for kind 3; mirrored for the upper end.
					const width = g.sub(end("hi", j), end("lo", j));
					const sign = (kind === 2) === (side === "lo") ? g.one : g.minusOne;
					extra.push(g.mul(sign, g.sym(slopeName(i, j)), width));
				}
			}
			return g.sum([...substitute(g, [rhs[i]], replacement), ...extra]);
		};
		const ends = [...states.map((_, i) => bound(i, "lo")), ...states.map((_, i) => bound(i, "hi"))];
		const stateNames = [...states.map((name) => `lo ${name}`), ...states.map((name) => `hi ${name}`)];
		const slopeNames = Array.from({ length: n * m }, (_, k) => slopeName(Math.floor(k / m), k % m));
		const all = [
			...stateNames,
			...params.flatMap((name) => [`lo ${name}`, `hi ${name}`]),
			...constants,
			...slopeNames,
			...inputs,
			"t",
		];
		const jacobian = new Differentiator(g).jacobian(ends, stateNames);
		this.#settings.effort.spend(20_000 * ends.length * stateNames.length);
		const doubled = new DoubledConstants(params.length, constantBounds, slopeNames.length);
		const flow = new Flow(
			{
				nStates: 2 * n,
				rhsTape: tapeOf(ends, all, { smooth: true }),
				jacobianTape: tapeOf(jacobian, all),
				paramVariables: [],
				constants: doubled.bounds,
				nInputs: inputs.length,
				inputs: (from, to) => this.#system.inputsOver(from, to),
			},
			{ ...this.#settings, nVars: 0, order: 0 },
		);
		const made = { flow, ends: doubled };
		this.#flows.set(key, made);
		return made;
	}
}

/** The constants of the doubled system: each end of each parameter (a number, so its bounds are equal), constants, slopes. */
class DoubledConstants {
	readonly bounds: Float64Array;
	readonly #slopesAt: number;
	constructor(nParams: number, constants: Float64Array, nSlopes: number) {
		this.#slopesAt = 4 * nParams + constants.length;
		this.bounds = new Float64Array(this.#slopesAt + 2 * nSlopes);
		this.bounds.set(constants, 4 * nParams);
	}
	fill(params: Float64Array, slopes: Float64Array): void {
		for (let k = 0; k < params.length; k++) this.bounds.fill(params[k], 2 * k, 2 * k + 2);
		this.bounds.set(slopes, this.#slopesAt);
	}
}
