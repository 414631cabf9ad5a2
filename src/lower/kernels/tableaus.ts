/** Explicit Runge-Kutta methods by their Butcher tableaus. */

export interface Tableau {
	readonly order: number;
	/** Stage times as fractions of the step. */
	readonly c: readonly number[];
	/** Row i: how much of each earlier stage goes into stage i. */
	readonly a: readonly (readonly number[])[];
	readonly b: readonly number[];
}

export const tableaus = {
	euler: { order: 1, c: [0], a: [[]], b: [1] },
	midpoint: { order: 2, c: [0, 1 / 2], a: [[], [1 / 2]], b: [0, 1] },
	rk4: {
		order: 4,
		c: [0, 1 / 2, 1 / 2, 1],
		a: [[], [1 / 2], [0, 1 / 2], [0, 0, 1]],
		b: [1 / 6, 1 / 3, 1 / 3, 1 / 6],
	},
	/** The fifth-order formula of Dormand and Prince, 1980. */
	dp5: {
		order: 5,
		c: [0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1],
		a: [
			[],
			[1 / 5],
			[3 / 40, 9 / 40],
			[44 / 45, -56 / 15, 32 / 9],
			[19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
			[9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
		],
		b: [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
	},
} as const satisfies Record<string, Tableau>;
export type TableauName = keyof typeof tableaus;

/** The different stage times of a method, in order: where inputs are needed in each step. */
export function stageNodes({ c }: Tableau): number[] {
	return [...new Set(c)].sort((p, q) => p - q);
}
