/** docs/truth.md: what was before, and a ledger, as one page. */
import { faults } from "../../src/prove/faults.ts";
import { type Counts, countsOf, grouped, percent } from "./counts.ts";
import type { Entry } from "./entry.ts";
import { firstRange, firstRows } from "./first-record.ts";
import { goalsTable } from "./goals.ts";
import { powerTable } from "./power.ts";
import { table, tablesOf } from "./table.ts";

const intro = `# How often is what is said true?

Problems whose truth is known are drawn by number: one of 31 families of systems (mechanics, electricity, chemistry, biology, neurons, epidemics,
pharmacokinetics, chaos), random parameters, sampling (dense, sparse, uneven, with gaps), inputs and noise, and either sound or with one of 17 faults. Each
is asked of every method that applies, with its defaults. \`odentify prove 1234\` writes problem 1234 as a study, with its truth beside it.
\`npm run bench -- truth --seed 0 --count 300\` asks again; \`--page truth.jsonl\` writes this page of a ledger.

Three methods have families of their own, eight each, all sound. From 1000000 on \`inversion\` is asked which of all monomials are in the equations: wrong is another
form than the true one, where this is neither named as a rival nor within what was said of the terms left out. From 2000000 on \`kriging\` learns a function and foretells
how the record goes on: its intervals are the bands of the states at four instants, without the noise of the samples. From 3000000 on \`periodic\` gets one state on its cycle.

A fault whose effect can be scaled is as strong as its dose says: the root mean square of what it leaves in the residuals, when the unknowns have been
fitted to it, in units of the noise. At dose 1 an expert sees it in the plot of the residuals. An answer is *sure but wrong* when it has no grave doubt and
an unknown is outside of its interval at 99.9 % (of \`fit\` by the law of that interval, of the others stretched as the normal law has it): of an answer with three unknowns that is right in all it says, so are 0.3 %. A problem whose unknowns
cannot be told by what is measured of it, though nothing is wrong with it, is none of the sound ones (\`open as measured\`).`;

export function pageOf(after: readonly Entry[]): string {
	return `${[
		intro,
		"## Before and after",
		firstRange,
		rangeWords(after),
		beforeAndAfter(after),
		"## What was asked, and what holds of it",
		"Over the answers after; ± is one standard error of a share of independent ones. Faults are those of the dose that an expert sees, of 20 answers or more.",
		goalsTable(after),
		"## The worst ten after",
		"Sure but wrong, on sound problems and with faults that an expert sees.",
		worst(after),
		"## From which dose on a fault is seen",
		"The smallest dose from which on a grave doubt, or any, was raised in at least 90 % of the answers.",
		powerTable(after),
		unknownYet(after.length),
		"# After, in full",
		tablesOf(after),
	].join("\n\n")}\n`;
}

/** Answers that were asked for in one recorded run. */
const askedFor = 20_000;

const unknownYet = (nAnswers: number): string => `## What is not known
${nAnswers < askedFor ? `\n- ${askedFor} answers of one build were asked for, and these are ${nAnswers}: rows of \`bayes\`, \`guaranteed\` and above all \`all\` are coarse.` : ""}
- Numbers of a row with few answers are coarse: of 100 answers without a wrong one, up to 3.6 % may be wrong (95 %).
- \`inversion\`, \`kriging\` and \`periodic\` are asked sound problems only, and \`all\` faulty ones only. *Named*: what is said names the fault itself, not only that something is wrong; saturation, swapped
  columns, a wrong hold and a wrong start have no name yet.
- Faults that residuals cannot show (an unidentifiable pair, samples too coarse, a prior without the truth, a record too short) are listed, not judged.
- Not visible in principle: swapped columns of the toggle switch, x' = a/(1 + y²) - x, y' = b/(1 + x²) - y, both seen. With x and y, a and b, their priors and both columns exchanged it is the same
  model, so swapped columns are as likely for (b, a) as the right ones are for (a, b), and the answer is the truth, exchanged: the swapped columns among the worst ten are all of this family.
  And what a shift of the clock does to one sample of a short record, beside noise of its size.
- A method that needs more than 40 to 60 s for a problem was not waited for, nor what was at work when the time of a method was over (\`no end\`): the hardest ones are not among the answers.
- All answers of the tables above are of one build, and none of their numbers was looked at before it.
- What \`bayes\` doubts gravely on sound problems was mostly its own work, runs that end apart. Of a posterior that is a long thin ridge 1000 particles held too short a part when these answers were made: of 910391
  (Robertson, k2 and k3 correlated by 0.999) k3 was said to be 25 to 40, and 47.7 is true and nearly as likely as the best. Clouds follow such ridges since, and it is said to be 26 to 51.
- Most doubts of \`inversion\` on sound problems are \`rival-terms\`: its answer has a chance below 95 % among the sets of terms that were tried, by what is said of them (the table of chances says
  how often that is right). Problems in which a record does not tell two forms apart are part of what is drawn, so that this doubt is no false alarm, and its share is that of the problems.
- Where \`inversion\` finds another form than the true one, or doubts gravely, it is mostly the Brusselator: its jumps pass between two samples, and are stiff.
- \`kriging\` counts how unsure it is of the sizes of its functions, which it needs between records; where one record goes on, as here, its bands are wider than 95 % asks for.
- Wrong equations are not scaled: some of them can do nearly what the right ones do, and then no residual shows it.`;

function rangeWords(entries: readonly Entry[]): string {
	const numbers = (own: readonly Entry[]): number[] => own.map(({ number }) => number);
	const ranges = [...grouped(entries, ({ method }) => method)].map(([method, own]) => {
		const lowest = numbers(own).reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
		const highest = numbers(own).reduce((a, b) => Math.max(a, b), 0);
		return `\`${method}\` ${own.length} of ${lowest} to ${highest}`;
	});
	return `After: ${entries.length} answers to ${new Set(numbers(entries)).size} problems. By method, with the numbers: ${ranges.join(", ")}.`;
}

function beforeAndAfter(after: readonly Entry[]): string {
	const sound = grouped(
		after.filter(({ fault }) => fault === undefined),
		({ method }) => method,
	);
	const cells = (list: readonly Entry[]): string[] => {
		const c: Counts = countsOf(list);
		return [
			"after",
			`${c.answered} of ${c.n}`,
			percent(c.held, c.nIntervals),
			percent(c.heldAt95, c.nAt95),
			percent(c.anyDoubt, c.answered),
			percent(c.graveDoubt, c.answered),
			percent(c.sureButWrong.length, c.answered),
			percent(c.useless, c.answered),
		];
	};
	return table(
		[
			"sound problems",
			"",
			"answered",
			"intervals hold",
			"95 % ones",
			"any doubt",
			"grave",
			"sure but wrong",
			"useless",
		],
		[...new Set([...Object.keys(firstRows), ...sound.keys()])].flatMap((method) => [
			...(firstRows[method] ?? []).map((row) => [method, ...row]),
			...(sound.has(method) ? [[method, ...cells(sound.get(method)!)]] : []),
		]),
	);
}

/** Sure but wrong, on sound problems and with faults that an expert sees: those furthest off, in half widths of their intervals. */
function worst(entries: readonly Entry[]): string {
	const off = ([, truth, estimate, lo, hi]: Entry["unknowns"][number]): number =>
		truth > estimate ? (truth - estimate) / (hi - estimate) : (estimate - truth) / (estimate - lo);
	const counted = entries.filter(({ fault, dose }) => fault === undefined || isSeen(fault, dose!));
	const rows = countsOf(counted).sureButWrong.map((entry) => {
		const [first] = entry.unknowns.toSorted((a, b) => off(b) - off(a));
		return { entry, first, distance: off(first) };
	});
	if (rows.length === 0) return "None.";
	return table(
		[
			"`odentify prove`",
			"method",
			"family",
			"fault",
			"noise",
			"worst unknown",
			"truth",
			"interval",
			"half widths off",
		],
		rows
			.sort((a, b) => b.distance - a.distance)
			.slice(0, 10)
			.map(
				({
					entry: { number, method, family, fault, dose, noise, level },
					first: [name, truth, , lo, hi],
					distance,
				}) => [
					number,
					method,
					family,
					fault === undefined ? "sound" : `${fault}, ${dose}`,
					`${noise} ${100 * level} %`,
					name,
					truth.toPrecision(4),
					`${lo.toPrecision(4)} … ${hi.toPrecision(4)}`,
					distance.toPrecision(2),
				],
			),
	);
}

/** Whether a fault is as strong as one that an expert sees; doses rise along their list, whichever way their numbers go. */
function isSeen(name: string, dose: number): boolean {
	const fault = faults.find((each) => each.name === name);
	if (fault?.seenAt === undefined) return false;
	return fault.doses.indexOf(dose) >= fault.doses.indexOf(fault.seenAt);
}
