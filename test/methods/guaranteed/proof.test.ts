/** Certificates: confirmed as they are, refused with one bit of a bound changed. */
import { describe, expect, it } from "vitest";
import type { Result } from "../../../src/estimate/result.ts";
import { answer } from "../../../src/methods/guaranteed/answer/answer.ts";
import type { GuaranteedRun } from "../../../src/methods/guaranteed/guaranteed-run.ts";
import {
	type Certificate,
	digestOf,
	type ProofTree,
	parseCertificate,
} from "../../../src/methods/guaranteed/proof/certificate.ts";
import { certificate } from "../../../src/methods/guaranteed/proof/check.ts";
import { saidBy } from "../../../src/methods/guaranteed/proof/said.ts";
import { verifyCertificate } from "../../../src/methods/guaranteed/proof/verify.ts";
import { stream } from "../../../src/num/random.ts";
import { summaryOf } from "../../../src/study/summary.ts";
import { repetitions } from "../../repetitions.ts";
import { compartments, enclose, paperRecord } from "./records.ts";
import { certifiedProblem } from "./truth/other-families.ts";
import { checkStatements } from "./truth/statements.ts";

async function certified(run: GuaranteedRun): Promise<string> {
	return String((await answer(run)).files.find(({ name }) => name === "proof.json")!.content);
}

/** A double with bit `bit` the other way round. */
function flipped(value: number, bit: number): number {
	const view = new DataView(new ArrayBuffer(8));
	view.setFloat64(0, value);
	const byte = bit >> 3;
	view.setUint8(byte, view.getUint8(byte) ^ (1 << (bit & 7)));
	return view.getFloat64(0);
}

function cutsOf(tree: ProofTree): number {
	return "cut" in tree ? 1 + cutsOf(tree.parts[0]) + cutsOf(tree.parts[1]) : 0;
}

/** The certificate with bit `bit` of bound `which` changed: sets first, then the enclosure, then all cuts. */
function changed(certificate: Certificate, which: number, bit: number): Certificate {
	const { sets, enclosure, tree } = certificate;
	const flip = (list: readonly number[], at: number): number[] =>
		list.map((value, i) => (i === at ? flipped(value, bit) : value));
	if (which < sets.length) return { ...certificate, sets: flip(sets, which) };
	const own = enclosure ?? [];
	if (which < sets.length + own.length) return { ...certificate, enclosure: flip(own, which - sets.length) };
	let left = which - sets.length - own.length;
	const walk = (node: ProofTree): ProofTree => {
		if (!("cut" in node)) return node;
		const at = left-- === 0 ? flipped(node.cut.at, bit) : node.cut.at;
		return { cut: { unknown: node.cut.unknown, at }, parts: [walk(node.parts[0]), walk(node.parts[1])] };
	};
	return { ...certificate, tree: walk(tree) };
}

function isConfirmed(certificate: Certificate, problem: GuaranteedRun["problem"]): boolean {
	try {
		const read = parseCertificate(JSON.stringify(certificate), "proof.json");
		return verifyCertificate(read, problem).holds;
	} catch {
		return false;
	}
}

interface Said {
	readonly parameters: Readonly<Record<string, { readonly lo: number; readonly hi: number }>>;
	readonly states: readonly { readonly t: number; readonly x1: readonly [number, number] }[];
}

/** One run for those that look at its certificate only. */
const shared = enclose(compartments, [paperRecord()], { proof: 60 }).then(async (run) => ({
	run,
	certificate: parseCertificate(await certified(run), "proof.json"),
}));

describe("certificate", () => {
	it("is confirmed, and nearly as close as the answer", async () => {
		const run = await enclose(compartments, [paperRecord()], { proof: 100 });
		const certificate = parseCertificate(await certified(run), "proof.json");
		const found = verifyCertificate(certificate, run.problem);
		expect(found).toMatchObject({ holds: true, kept: 1 });
		expect(found.excluded).toBeGreaterThan(1);
		const [lo, hi] = certificate.enclosure!;
		const [least, most] = run.enclosure!;
		expect(lo).toBeLessThanOrEqual(least);
		expect(hi).toBeGreaterThanOrEqual(most);
		expect(hi - lo).toBeLessThan(1.05 * (most - least));
		// All of it by the checker, none of it by the solver's integration alone.
		expect(found.bySolver).toBe(0);
		expect(certificate.checked).toEqual(certificate.enclosure);
	});
	it("is refused with any one bit of a bound changed, 300 times", async () => {
		const { run, certificate } = await shared;
		const nBounds = certificate.sets.length + certificate.enclosure!.length + cutsOf(certificate.tree);
		const random = stream(1, "bits");
		let tried = 0;
		for (let i = 0; i < 300; i++) {
			const which = Math.min(nBounds - 1, Math.floor(nBounds * random.uniform(2 * i)));
			const bit = Math.min(63, Math.floor(64 * random.uniform(2 * i + 1)));
			const other = changed(certificate, which, bit);
			expect(isConfirmed(other, run.problem), `bound ${which}, bit ${bit}`).toBe(false);
			// Who makes the digest anew is found out by what does not fit.
			if (which < certificate.sets.length + certificate.enclosure!.length) {
				expect(isConfirmed({ ...other, digest: digestOf(other) }, run.problem)).toBe(false);
				tried++;
			}
		}
		expect(tried).toBeGreaterThan(50);
	});
	it("that excludes what it should not is refused, with a digest of its own", async () => {
		const { run, certificate } = await shared;
		const forge = (node: ProofTree): ProofTree => {
			if ("cut" in node) return { ...node, parts: [forge(node.parts[0]), forge(node.parts[1])] };
			return "kept" in node ? { excluded: { record: 0, instant: 4, measure: 0, by: "checker" } } : node;
		};
		const forged = { ...certificate, tree: forge(certificate.tree), enclosure: null, checked: null };
		const found = verifyCertificate({ ...forged, digest: digestOf(forged) }, run.problem);
		expect(found).toMatchObject({ holds: false });
		expect(found.why).toContain("is not excluded by instant 4");
	});
	it("with parts that are none is refused", async () => {
		const { run, certificate } = await shared;
		for (const tree of [null, 1, { cut: null }, { excluded: null }, { cut: { unknown: 0, at: 0.2 } }]) {
			const forged = { ...certificate, tree: tree as unknown as ProofTree };
			expect(verifyCertificate({ ...forged, digest: digestOf(forged) }, run.problem).holds).toBe(false);
		}
	});
	it("that calls its unknowns by other names is refused, with a digest of its own", async () => {
		const { run, certificate } = await shared;
		for (const unknowns of [
			["mass"],
			[],
			[...certificate.unknowns, "more"],
			[...certificate.unknowns].reverse().map((name) => `${name} `),
		]) {
			const forged = { ...certificate, unknowns };
			const found = verifyCertificate({ ...forged, digest: digestOf(forged) }, run.problem);
			expect(found).toMatchObject({ holds: false, why: "its unknowns are not those of the model" });
		}
	});
	it("of other data is refused", async () => {
		const { run, certificate } = await shared;
		const other = { ...run.problem, train: [paperRecord([0.35, 0.3, 0.25, 0.2, 0.15])] };
		expect(verifyCertificate(certificate, other).holds).toBe(false);
	});
	it("shows that nothing is left, too", async () => {
		const run = await enclose(compartments, [paperRecord([0.32, 0.455, 0.19, 0.136, 0.105])], { proof: 100 });
		const certificate = parseCertificate(await certified(run), "proof.json");
		expect(certificate.enclosure).toBeNull();
		expect(verifyCertificate(certificate, run.problem).holds).toBe(true);
	});
	it("of a model that the checker does not know rests on the solver's integration, and says so", async () => {
		const text = compartments.replace("- p1*x1/", "- p1*abs(x1)/");
		expect(text).not.toBe(compartments);
		const run = await enclose(text, [paperRecord()], { proof: 60 });
		const text2 = await certified(run);
		const found = verifyCertificate(parseCertificate(text2, "proof.json"), run.problem);
		expect(found).toMatchObject({ holds: true, excluded: 0, unknown: "the function abs" });
		expect(found.bySolver).toBeGreaterThan(1);
		const { lines } = certificate.check(text2, "proof.json", run.problem);
		expect(lines[0]).toBe(
			"Nothing is confirmed independently: the checker does not know the function abs, which the model uses.",
		);
		expect(lines[1]).toContain("by the solver alone, whose own integration was run again");
	});
	it("is refused beside a summary that says something else than the run said", async () => {
		const { run } = await shared;
		const result = await answer(run);
		const text = await certified(run);
		const facts = { seed: 1, version: "0", seconds: 1, nSamples: 5 };
		const summary = summaryOf(result as Result, facts) as Record<string, unknown> & Said;
		const check = (other: object) =>
			certificate.check(text, "proof.json", run.problem, {
				"summary.json": `${JSON.stringify(other, null, 1)}\n`,
			});
		expect(check(summary).holds).toBe(true);
		expect(check({ ...summary, seconds: 7, seed: 3 }).holds).toBe(true);
		expect(certificate.check(text, "proof.json", run.problem).holds).toBe(true);
		const { p4 } = summary.parameters;
		for (const bit of [0, 20, 51, 57]) {
			const { holds, lines } = check({ ...summary, parameters: { p4: { ...p4, hi: flipped(p4.hi, bit) } } });
			expect(holds).toBe(false);
			expect(lines).toEqual([
				"Refused: the entry parameters of summary.json is not what the run said that wrote the certificate.",
			]);
		}
		const states = summary.states.map((row, i) =>
			i === 2 ? { ...row, x1: [row.x1[0], flipped(row.x1[1], 56)] } : row,
		);
		for (const other of [
			{ states },
			{ outcome: "refuted", parameters: {} },
			{ message: "Proved: p4 is 0.25." },
			{ innerShare: 1 },
			{ empty: { t: 1, output: "y", record: "record" } },
		])
			expect(check({ ...summary, ...other }).holds).toBe(false);
		for (const none of ["", "[]", "null", "{"])
			expect(certificate.check(text, "proof.json", run.problem, { "summary.json": none }).holds).toBe(false);
	});
	it("is refused beside boxes of which one bit was changed", async () => {
		const { run } = await shared;
		const boxes = String((await answer(run)).files.find(({ name }) => name === "boxes.csv")!.content);
		const text = await certified(run);
		const check = (changed: string) =>
			certificate.check(text, "proof.json", run.problem, { "boxes.csv": changed });
		expect(check(boxes).holds).toBe(true);
		for (const at of [0, boxes.indexOf("\n") + 10, boxes.length >> 1, boxes.length - 3]) {
			const other = String.fromCharCode(boxes.charCodeAt(at) ^ 1);
			const { holds, lines } = check(`${boxes.slice(0, at)}${other}${boxes.slice(at + 1)}`);
			expect(holds).toBe(false);
			expect(lines).toEqual(["Refused: boxes.csv is not what the run wrote that wrote the certificate."]);
		}
	});
	it("is refused beside a set that is larger than what it leaves, whatever it says of the summary", async () => {
		const { run, certificate: own } = await shared;
		const result = await answer(run);
		const summary = summaryOf(result as Result, { seed: 1, version: "0", seconds: 1, nSamples: 5 });
		const forged = { ...summary, parameters: { p4: { lo: 0.2, hi: 0.3, level: 1 } } };
		const proof = { ...own, said: saidBy(forged, "") };
		const text = JSON.stringify({ ...proof, digest: digestOf(proof) });
		const { holds, lines } = certificate.check(text, "proof.json", run.problem, {
			"summary.json": JSON.stringify(forged),
		});
		expect(holds).toBe(false);
		expect(lines[0]).toContain("the set of p4 in summary.json is not inside");
	});
	it(`of ${repetitions(5, 10)} problems is confirmed, and holds the truth`, async () => {
		const misses: string[] = [];
		let certificates = 0;
		for (let seed = 0, done = 0; done < repetitions(5, 10); seed++) {
			const problem = certifiedProblem(seed);
			if (!problem) continue;
			done++;
			const checked = await checkStatements(problem);
			certificates += checked.counts.certificate ?? 0;
			for (const miss of checked.misses) misses.push(`seed ${seed}: ${miss}`);
		}
		expect(misses).toEqual([]);
		expect(certificates).toBeGreaterThan(repetitions(2, 6));
	}, 120_000);
});

it("a file that is nested deeper than any proof is refused, not gone down", () => {
	const tree = `${'{"halves":['.repeat(20_000)}null${"]}".repeat(20_000)}`;
	expect(() => parseCertificate(`{"form":3,"tree":${tree}}`, "proof.json")).toThrow("nested more than");
});
