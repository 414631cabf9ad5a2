/** The equations of a model on a tape: rates of the states, and of their derivatives by earlier states and by parameters. */
import type { Node } from "../../../../model/graph.ts";
import { unit } from "./bounds.ts";
import { Tape } from "./tape.ts";

export class Equations {
	readonly tape: Tape;
	readonly nStates: number;
	readonly nParams: number;
	/** States, parameters, constants and the time; derivatives come after. */
	readonly nSymbols: number;
	/** Lines that have nothing to do with derivatives. */
	readonly nPlain: number;
	readonly rates: readonly number[];
	/** Of each state by each direction, row by row; undefined where it is 0. */
	readonly slopeRates: readonly (number | undefined)[];
	/** Positions of the states. */
	readonly states: readonly number[];

	constructor(rhs: readonly Node[], symbols: readonly string[], nParams: number) {
		this.tape = new Tape(symbols);
		this.nStates = rhs.length;
		this.nParams = nParams;
		this.nSymbols = symbols.length;
		this.states = rhs.map((_, i) => i);
		this.rates = this.tape.read(rhs);
		this.nPlain = this.tape.lines.length;
		const one = this.tape.constant(unit);
		const nDirections = this.nStates + nParams;
		const seeds = Array.from({ length: this.nStates * nDirections }, (_, k) =>
			this.tape.symbol(this.nSymbols + k),
		);
		this.slopeRates = this.rates.flatMap((rate) =>
			Array.from({ length: nDirections }, (_, j) =>
				this.tape.slope(rate, String(j), (symbol) => {
					if (symbol < this.nStates) return seeds[symbol * nDirections + j];
					return symbol === j ? one : undefined;
				}),
			),
		);
	}

	/** The symbol of the derivative of a state by a direction: an earlier state, or a parameter after them. */
	slope(state: number, direction: number): number {
		return this.nSymbols + state * (this.nStates + this.nParams) + direction;
	}
}
