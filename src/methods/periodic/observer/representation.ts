/**
 * ŷ(λ, t) and R(λ) of [tyukin2016] eq. (3.5) on a grid, with their derivatives by λ and by the record y itself. All is
 * explicit: hidden states by scans, then g at the nodes, then the observer's response, which is affine in g.
 */
import type { HiddenState, PeriodicForm } from "../form/form.ts";
import { type FormFunctions, formFunctions } from "../form/form-functions.ts";
import type { Drive } from "./drive.ts";
import { undriven } from "./drive.ts";
import type { Grid, Sampled } from "./grid.ts";
import { HiddenScan } from "./hidden-scan.ts";
import { type Course, courseOn, LoopScan } from "./loop-scan.ts";
import { type Gains, Observer, type Response } from "./observer.ts";

/** Changes of α (of a whole row in a loop), w (by hidden state) and g (n a node) at the nodes; undefined: none. */
export interface Source {
	readonly alpha: readonly (Float64Array | undefined)[];
	readonly w: readonly (Float64Array | undefined)[];
	readonly g: Float64Array | undefined;
	/** Change of the start of each state with w ≡ 0. */
	readonly start: readonly (number | undefined)[];
}

/** What becomes of a change. */
export interface Change extends Response {
	readonly closures: readonly (number | undefined)[];
	/** Of each hidden state at the start of the period. */
	readonly hidden: Float64Array;
}

export interface Evaluation extends Response {
	/** Row-major: intervals × unknowns. */
	readonly jacobian?: Float64Array;
	/** Row-major: (n + r) × unknowns. */
	readonly dR?: Float64Array;
	/** Values of the parameters that closures determine, by hidden state, and their derivatives. */
	readonly closures: readonly (number | undefined)[];
	readonly dClosures?: readonly (Float64Array | undefined)[];
	/** Hidden states at the start of the period, and row-major hidden × unknowns their derivatives. */
	readonly hidden: Float64Array;
	readonly dHidden?: Float64Array;
}

export class Representation {
	readonly observer: Observer;
	readonly nUnknowns: number;
	/** Each hidden state over the period. */
	readonly scans: readonly Course[];
	/** Derivatives by y at the nodes, of α, w (by hidden state) and g, once `evaluate` has run with derivatives. */
	readonly byY: { alpha: Float64Array[]; w: Float64Array[]; g: Float64Array };
	/** Ψ and its derivative by y at the nodes, row-major n × r. */
	readonly psi: Float64Array;
	readonly dPsi: Float64Array;
	readonly #functions: FormFunctions;
	/** Response to y alone: it does not depend on λ. */
	readonly base: Response;
	readonly #alpha: Float64Array[];
	readonly #w: Float64Array[];
	readonly #g: Float64Array;
	/** Derivatives at the nodes by λ and by earlier hidden states. */
	readonly #alphaBy: Map<string, Float64Array>[];
	readonly #wBy: Map<string, Float64Array>[];
	readonly #gBy = new Map<string, Float64Array>();
	readonly #coefficients: (Float64Array | undefined)[];
	readonly #dCoefficients: (Float64Array | undefined)[];
	readonly #starts: readonly number[];
	/** Hidden states that are found at once: one, or a loop. */
	readonly #blocks: readonly HiddenBlock[];
	/** What `propagate` works in: changes of q by hidden state, of q at the starts of intervals, and of g. */
	readonly #scratch: {
		readonly dq: readonly Course[];
		readonly dg: Float64Array;
	};

	constructor(
		readonly form: PeriodicForm,
		readonly grid: Grid,
		readonly y: Sampled,
		readonly constants: Float64Array,
		gains: (psi: Float64Array) => Gains,
		functions: FormFunctions = formFunctions(form),
		/** The record is not periodic: starts of all hidden states are unknowns, and R is left out ([tyukin2016] Remark 3.6). */
		readonly open = false,
		readonly drive: Drive = undriven,
	) {
		const { count } = grid;
		const n = form.chain.length;
		const r = form.terms.length;
		this.#functions = functions;
		this.#starts = form.hidden.flatMap(({ closure }, i) => (closure || open ? [i] : []));
		this.nUnknowns = form.lambda.length + this.#starts.length;
		({ psi: this.psi, dPsi: this.dPsi } = this.#regressors());
		this.observer = new Observer(grid, this.psi, n, r, gains(this.psi));
		this.base = this.observer.respond(undefined, y.nodes, open);
		this.#blocks = blocksOf(form, grid);
		this.scans = this.#blocks.flatMap(({ scan }) => (scan instanceof LoopScan ? scan.courses : [scan]));
		const rowsOf = ({ loop }: HiddenState): Float64Array =>
			new Float64Array(count * (loop?.members.length ?? 1));
		this.#alpha = form.hidden.map(rowsOf);
		this.#w = form.hidden.map(() => new Float64Array(count));
		this.#g = new Float64Array(count * n);
		this.#scratch = {
			dq: form.hidden.map(() => courseOn(grid)),
			dg: new Float64Array(count * n),
		};
		this.#alphaBy = form.hidden.map(() => new Map());
		this.#wBy = form.hidden.map(() => new Map());
		this.byY = {
			alpha: form.hidden.map(rowsOf),
			w: form.hidden.map(() => new Float64Array(count)),
			g: new Float64Array(count * n),
		};
		this.#coefficients = functions.closureCoefficient.map((f) => f && this.#coefficient(f, 0));
		this.#dCoefficients = functions.closureCoefficient.map((f) => f && this.#coefficient(f, 1));
	}

	/**
	 * Undefined where a hidden state has no periodic solution or something is not finite. `only`: the unknowns whose
	 * derivatives are wanted (those of others are left 0).
	 */
	evaluate(lambda: Float64Array, derivatives = true, only?: readonly number[]): Evaluation | undefined {
		const { form } = this;
		const p = new Float64Array(form.lambda.length + this.constants.length);
		p.set(lambda.subarray(0, form.lambda.length));
		p.set(this.constants, form.lambda.length);
		const closures: (number | undefined)[] = [];
		for (const { at, scan } of this.#blocks) {
			for (const i of at) {
				this.#hiddenAtNodes(i, p, derivatives);
				closures.push(this.#close(i));
			}
			const [i] = at;
			const start = this.#startIndex(i);
			const isFound =
				scan instanceof LoopScan
					? scan.solve(this.#alpha.slice(i, i + at.length), this.#w.slice(i, i + at.length))
					: scan.solve(this.#alpha[i], this.#w[i], start < 0 ? undefined : lambda[start]);
			if (!isFound) return undefined;
		}
		this.#gAtNodes(p, derivatives);
		const own = this.observer.respond(this.#g, undefined, this.open);
		const y = own.y.map((value, k) => value + this.base.y[k]);
		const R = own.R.map((value, a) => value + this.base.R[a]);
		if (!y.every(Number.isFinite)) return undefined;
		const hidden = Float64Array.from(this.scans, ({ starts }) => starts[0]);
		return { y, R, closures, hidden, ...(derivatives ? this.#derivatives(only) : {}) };
	}

	/** Where each hidden state would rest if y stayed as it is at first: a guess of its start. */
	restingStarts(lambda: Float64Array): Float64Array {
		const p = new Float64Array(this.form.lambda.length + this.constants.length);
		p.set(lambda.subarray(0, this.form.lambda.length));
		p.set(this.constants, this.form.lambda.length);
		const q = new Float64Array(this.form.hidden.length);
		const out = new Float64Array(2);
		this.#functions.hidden.forEach(({ values }, i) => {
			values(this.y.starts[0], this.drive.start, q, p, out);
			const rest = -out[1] / out[0];
			q[i] = Number.isFinite(rest) ? rest : 0;
		});
		return q;
	}

	/** The response to changes of α, w, g and, with `y`, of the record where it enters the observer itself. */
	propagate(source: Source, y?: Float64Array): Change {
		const { form, grid } = this;
		const n = form.chain.length;
		const dq: (Float64Array | undefined)[] = [];
		const closures: (number | undefined)[] = [];
		const hidden = new Float64Array(form.hidden.length);
		for (const { at, scan } of this.#blocks) {
			const dAlpha = at.map((i) => this.#withEarlier(source.alpha[i], this.#alphaBy[i], dq));
			const dW = at.map((i) => this.#withEarlier(source.w[i], this.#wBy[i], dq));
			const [i] = at;
			const dStart = this.#startIndex(i) < 0 ? undefined : (source.start[i] ?? 0);
			closures.push(...at.map(() => undefined));
			const coefficient = this.#coefficients[i];
			const closed = form.hidden[i].closure?.of === "w" ? dW : dAlpha;
			if (closed[0] && coefficient) {
				const dr = -this.#mean(closed[0]) / this.#mean(coefficient);
				closures[i] = dr;
				closed[0] = closed[0].map((value, j) => value + dr * coefficient[j]);
			}
			if ([...dAlpha, ...dW].every((change) => !change) && !dStart) {
				dq.push(...at.map(() => undefined));
				continue;
			}
			const out = this.#scratch.dq.slice(i, i + at.length);
			if (scan instanceof LoopScan) scan.differentiateInto(out, dAlpha, dW);
			else scan.differentiateInto(out[0].q, dAlpha[0], dW[0], dStart, out[0].starts);
			out.forEach(({ q, starts }, k) => {
				hidden[i + k] = starts[0];
				dq.push(q);
			});
		}
		const { dg } = this.#scratch;
		if (source.g) dg.set(source.g);
		else dg.fill(0);
		dq.forEach((d, i) => {
			const by = this.#gBy.get(`q${i}`);
			if (!d || !by) return;
			for (let j = 0; j < grid.count; j++) for (let a = 0; a < n; a++) dg[j * n + a] += by[j * n + a] * d[j];
		});
		return { ...this.observer.respond(dg, y, this.open), closures, hidden };
	}

	/** Position in λ of the start of hidden state i, where it has one. */
	#startIndex(i: number): number {
		const at = this.#starts.indexOf(i);
		return at < 0 ? -1 : this.form.lambda.length + at;
	}

	#derivatives(only?: readonly number[]): Pick<Evaluation, "jacobian" | "dR" | "dClosures" | "dHidden"> {
		const { form, grid, nUnknowns } = this;
		const { m } = this.observer;
		const jacobian = new Float64Array(grid.intervals * nUnknowns);
		const dR = new Float64Array(m * nUnknowns);
		const dHidden = new Float64Array(form.hidden.length * nUnknowns);
		const dClosures = form.hidden.map(({ closure }) => (closure ? new Float64Array(nUnknowns) : undefined));
		for (const c of only ?? Array(nUnknowns).keys()) {
			const { y, R, closures, hidden } = this.propagate({
				alpha: this.#alphaBy.map((by) => by.get(`p${c}`)),
				w: this.#wBy.map((by) => by.get(`p${c}`)),
				g: this.#gBy.get(`p${c}`),
				start: form.hidden.map((_, i) => (this.#startIndex(i) === c ? 1 : undefined)),
			});
			for (let k = 0; k < grid.intervals; k++) jacobian[k * nUnknowns + c] = y[k];
			for (let a = 0; a < m; a++) dR[a * nUnknowns + c] = R[a];
			hidden.forEach((value, i) => {
				dHidden[i * nUnknowns + c] = value;
			});
			closures.forEach((value, i) => {
				if (value !== undefined) dClosures[i]![c] = value;
			});
		}
		return { jacobian, dR, dClosures, dHidden };
	}

	#hiddenAtNodes(i: number, p: Float64Array, derivatives: boolean): void {
		const block = this.#functions.hidden[i];
		const { count } = this.grid;
		const out = new Float64Array(block.length);
		const q = new Float64Array(this.form.hidden.length);
		const f = derivatives ? block.withDerivatives : block.values;
		const [alpha, w] = [this.#alpha[i], this.#w[i]];
		const columns = derivatives ? this.#columns(block, this.#alphaBy[i], this.#wBy[i]) : [];
		const [alphaY, wY] = [this.byY.alpha[i], this.byY.w[i]];
		// A row of the loop, or α alone; then w.
		const width = block.count - 1;
		const last = block.length - block.count;
		for (let j = 0; j < count; j++) {
			for (const e of block.hidden) q[e] = this.scans[e].q[j];
			f(this.y.nodes[j], this.drive.at(j), q, p, out);
			for (let k = 0; k < width; k++) alpha[j * width + k] = out[k];
			w[j] = out[width];
			for (let c = 0; c < columns.length; c++) {
				const at = (1 + c) * block.count;
				for (let k = 0; k < width; k++) columns[c].alpha[j * width + k] = out[at + k];
				columns[c].w[j] = out[at + width];
			}
			if (derivatives) {
				for (let k = 0; k < width; k++) alphaY[j * width + k] = out[last + k];
				wY[j] = out[last + width];
			}
		}
	}

	#columns(
		block: { count: number; lambda: readonly number[]; hidden: readonly number[] },
		alphaBy: Map<string, Float64Array>,
		wBy: Map<string, Float64Array>,
	): { alpha: Float64Array; w: Float64Array }[] {
		const names = [...block.lambda.map((c) => `p${c}`), ...block.hidden.map((e) => `q${e}`)];
		return names.map((name) => ({
			alpha: columnOf(alphaBy, name, this.grid.count * (block.count - 1)),
			w: columnOf(wBy, name, this.grid.count),
		}));
	}

	/** The parameter that makes ∫α = 0 (or ∫w = 0), put into it; its value. */
	#close(i: number): number | undefined {
		const coefficient = this.#coefficients[i];
		if (!coefficient) return undefined;
		const { of } = this.form.hidden[i].closure!;
		const closed = of === "w" ? this.#w[i] : this.#alpha[i];
		const byY = this.byY[of][i];
		const value = -this.#mean(closed) / this.#mean(coefficient);
		const slope = this.#dCoefficients[i]!;
		for (let j = 0; j < closed.length; j++) {
			closed[j] += value * coefficient[j];
			byY[j] += value * slope[j];
		}
		return value;
	}

	#gAtNodes(p: Float64Array, derivatives: boolean): void {
		const block = this.#functions.g;
		const n = this.form.chain.length;
		const { count } = this.grid;
		const out = new Float64Array(block.length);
		const q = new Float64Array(this.form.hidden.length);
		const f = derivatives ? block.withDerivatives : block.values;
		const names = [...block.lambda.map((c) => `p${c}`), ...block.hidden.map((e) => `q${e}`)];
		const columns = derivatives ? names.map((name) => columnOf(this.#gBy, name, count * n)) : [];
		const last = block.length - n;
		for (let j = 0; j < count; j++) {
			for (const e of block.hidden) q[e] = this.scans[e].q[j];
			f(this.y.nodes[j], this.drive.at(j), q, p, out);
			for (let a = 0; a < n; a++) {
				this.#g[j * n + a] = out[a];
				for (let c = 0; c < columns.length; c++) columns[c][j * n + a] = out[n * (1 + c) + a];
				if (derivatives) this.byY.g[j * n + a] = out[last + a];
			}
		}
	}

	/** The given change, and what comes through earlier hidden states. */
	#withEarlier(
		own: Float64Array | undefined,
		by: ReadonlyMap<string, Float64Array>,
		dq: readonly (Float64Array | undefined)[],
	): Float64Array | undefined {
		let sum = own;
		dq.forEach((d, e) => {
			const factor = by.get(`q${e}`);
			if (!d || !factor) return;
			const before = sum;
			const width = factor.length / d.length;
			sum = factor.map((value, at) => value * d[Math.floor(at / width)] + (before ? before[at] : 0));
		});
		return sum;
	}

	/** Mean over the period by the Gauss weights. */
	#mean(values: Float64Array): number {
		const { intervals, rule } = this.grid;
		let sum = 0;
		for (let j = 0; j < values.length; j++) sum += rule.weights[j % rule.stages] * values[j];
		return sum / intervals;
	}

	#coefficient(f: (...args: (number | Float64Array)[]) => void, which: number): Float64Array {
		const out = new Float64Array(2);
		return this.y.nodes.map((y, j) => {
			f(y, this.drive.at(j), out);
			return out[which];
		});
	}

	#regressors(): { psi: Float64Array; dPsi: Float64Array } {
		const size = this.form.chain.length * this.form.terms.length;
		const psi = new Float64Array(this.grid.count * size);
		const dPsi = new Float64Array(this.grid.count * size);
		const out = new Float64Array(2 * size);
		this.y.nodes.forEach((y, j) => {
			this.#functions.regressors(y, this.drive.at(j), this.constants, out);
			psi.set(out.subarray(0, size), j * size);
			dPsi.set(out.subarray(size), j * size);
		});
		return { psi, dPsi };
	}
}

interface HiddenBlock {
	/** Positions among the hidden states, one after the other. */
	readonly at: readonly number[];
	readonly scan: HiddenScan | LoopScan;
}

function blocksOf({ hidden }: PeriodicForm, grid: Grid): HiddenBlock[] {
	return hidden.flatMap(({ loop }, i): HiddenBlock[] => {
		if (!loop) return [{ at: [i], scan: new HiddenScan(grid) }];
		// Said once, by the first member.
		return loop.members[0] === i ? [{ at: loop.members, scan: new LoopScan(grid, loop.members.length) }] : [];
	});
}

function columnOf(by: Map<string, Float64Array>, name: string, length: number): Float64Array {
	let column = by.get(name);
	if (!column) by.set(name, (column = new Float64Array(length)));
	return column;
}
