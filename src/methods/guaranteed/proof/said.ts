/** What a run says in summary.json and boxes.csv beside its certificate: as it was written, or changed since. */
import { type Certificate, sumOf } from "./certificate.ts";

/** Entries of summary.json that say what is proved, whether they are there or not. */
const entries = [
	"outcome",
	"message",
	"parameters",
	"states",
	"boxes",
	"innerBoxes",
	"innerShare",
	"inner",
	"empty",
	"outliers",
	"stopped",
] as const;

type Summary = Readonly<Record<string, unknown>>;

/** Files beside the certificate, by name. */
export type Beside = Readonly<Record<string, string>>;

export function saidBy(summary: Summary, boxes: string): Certificate["said"] {
	return { ...saidOf(summary), "boxes.csv": sumOf(boxes) };
}

function saidOf(summary: Summary): Certificate["said"] {
	const plain = JSON.parse(JSON.stringify(summary)) as Summary;
	return Object.fromEntries(entries.map((name) => [name, sumOf(JSON.stringify(plain[name] ?? null))]));
}

/** Why files do not go with a certificate; nothing where they do. */
export function contradiction(certificate: Certificate, beside: Beside): string | undefined {
	const { "summary.json": summary, "boxes.csv": boxes } = beside;
	const other = summary === undefined ? undefined : ofSummary(certificate, summary);
	if (other || boxes === undefined || sumOf(boxes) === certificate.said["boxes.csv"]) return other;
	return "boxes.csv is not what the run wrote that wrote the certificate";
}

function ofSummary({ said, unknowns, enclosure }: Certificate, text: string): string | undefined {
	let summary: Summary | undefined;
	try {
		summary = JSON.parse(text);
	} catch {}
	if (typeof summary !== "object" || summary === null || Array.isArray(summary))
		return "summary.json is no summary";
	const own = saidOf(summary);
	const other = entries.find((name) => own[name] !== said[name]);
	if (other) return `the entry ${other} of summary.json is not what the run said that wrote the certificate`;
	const sets = (summary.parameters ?? {}) as Readonly<Record<string, { lo?: unknown; hi?: unknown }>>;
	const beyond = unknowns.find((name, k) => {
		const { lo, hi } = sets[name] ?? {};
		if (lo === undefined && hi === undefined) return false;
		const isInside =
			enclosure && (lo as number) >= enclosure[2 * k] && (hi as number) <= enclosure[2 * k + 1];
		return !isInside;
	});
	return beyond && `the set of ${beyond} in summary.json is not inside what the certificate leaves of it`;
}
