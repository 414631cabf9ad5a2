/** What the ledger said before anything was changed by it: 3,085 answers, as the page had them then. */

export const firstRange =
	"Before: 3085 answers to 1535 problems. By method, with the numbers: `fit` 1535 of 0 to 1553, `bayes` 1154 of 0 to 1553, `periodic` 396 of 2 to 1552.";

/** Problems that are open as measured were not told from sound ones at first. */
const amongThem = "before, open ones among them";

/** Cells of the table of sound problems, by method. */
export const firstRows: Readonly<Record<string, readonly (readonly string[])[]>> = {
	fit: [
		[amongThem, "899 of 902", "96.0 %", "96.0 %", "24.0 %", "7.2 %", "0.3 %", "0.0 %"],
		["before", "867 of 870", "96.0 %", "96.0 %", "21.2 %", "3.8 %", "0.3 %", "0.0 %"],
	],
	bayes: [
		[amongThem, "667 of 678", "89.0 %", "", "22.2 %", "3.1 %", "1.3 %", "0.0 %"],
		["before", "643 of 654", "89.5 %", "", "19.3 %", "2.6 %", "1.1 %", "0.0 %"],
	],
	periodic: [
		[amongThem, "8 of 226", "53.8 %", "53.8 %", "100.0 %", "62.5 %", "25.0 %", "0.0 %"],
		["before", "6 of 195", "37.5 %", "37.5 %", "100.0 %", "66.7 %", "33.3 %", "0.0 %"],
	],
};
