/** What one method said about one problem whose truth is known. */
export interface Entry {
	readonly number: number;
	readonly method: string;
	readonly family: string;
	readonly field: string;
	readonly sampling: string;
	readonly noise: string;
	readonly level: number;
	readonly fault?: string;
	readonly dose?: number;
	readonly strength?: number;
	/** `refused`, `bug` and `no end` beside the outcomes of the methods. */
	readonly outcome: string;
	readonly answered: boolean;
	/** Codes of doubts. */
	readonly grave: readonly string[];
	readonly mild: readonly string[];
	/** Codes of notes, which are no doubts; ledgers of before there were any have none. */
	readonly notes?: readonly string[];
	/** Share of the truth that the intervals should hold; 1 where they are proved. */
	readonly share: number;
	/** Name, truth, estimate, lower and upper end, of each unknown that has an interval. */
	readonly unknowns: readonly (readonly [string, number, number, number, number])[];
	/** The same at 95 %, where the method's own share is another. */
	readonly at95?: Entry["unknowns"];
	/** The same at 99.9 %, where the interval's own law tells it; older ledgers have none. */
	readonly at999?: Entry["unknowns"];
	/** Of methods that find a form: whether a form was found that is not the true one, which was not named as possible either. */
	readonly isOtherForm?: boolean;
	/** Whether it is the true one, and the chance that was said of it; older ledgers have neither. */
	readonly isTrueForm?: boolean;
	readonly chance?: number;
	/** Whether what is wrong with the problem is named in what is said; older ledgers do not know. */
	readonly isNamed?: boolean;
	/** Root mean square of what the answer leaves of the outputs without noise, in units of the noise; older ledgers have none. */
	readonly left?: number;
	/** By the clock, on one thread. */
	readonly seconds: number;
	readonly why?: string;
}
