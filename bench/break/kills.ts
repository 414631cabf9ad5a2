/** Runs that are killed at a random instant, perhaps twice, and resumed: the files of an unbroken run. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { applicability } from "../../src/methods/applicability.ts";
import { Draws } from "../../src/num/statistics/draws.ts";
import { root, Workplace } from "../../test/cli/odentify.ts";
import { studies } from "../../test/compute/small-studies.ts";
import { randomStudy } from "../../test/random/studies.ts";
import type { Findings } from "./findings.ts";

const main = join(root, "dist/cli/main.js");
/** Seconds after which a run that nobody killed is given up. */
const patience = 600;

export async function killed(seed: number, findings: Findings): Promise<void> {
	const d = new Draws(seed, "kill");
	const files = d.chance(0.5) ? studies[d.pick(Object.keys(studies))] : randomFiles(d, seed);
	if (!files) return;
	const place = new Workplace(files);
	const fault = (what: string, why: string): void => findings.add({ kind: "kills", seed, what, why, files });
	try {
		const start = performance.now();
		const whole = await command(place, patience, "run", "study.yaml", "--out", "whole", "--quiet");
		const took = (performance.now() - start) / 1000;
		if (whole.code === null) return fault("no end", whole.err);
		if (whole.code > 2) return fault(`exit ${whole.code}`, whole.err);
		if (whole.code === 2) return findings.count("kills", "refused");
		if (!place.has("whole")) return fault(`exit ${whole.code} without a folder`, whole.err);
		const every = ["--checkpoint", "0.01", "--quiet"];
		let cuts = 0;
		let last = await command(
			place,
			d.between(0.1, 1.1) * took,
			"run",
			"study.yaml",
			"--out",
			"cut",
			...every,
		);
		while (last.code === null && cuts++ < 6) {
			findings.count("kills", "kills");
			// Killed before it had a folder: it begins anew.
			const again = place.has("cut/log.jsonl") && place.has("cut/study.yaml");
			const args = again ? ["resume", "cut"] : ["run", "study.yaml", "--out", "cut"];
			const patienceNow = cuts < 3 && d.chance(0.4) ? d.between(0.1, 1.1) * took : patience;
			last = await command(place, patienceNow, ...args, ...every);
			// Its last file was written before it was killed: there is nothing left to resume.
			if (last.code === 2 && place.has("cut/result.json")) last = { ...last, code: whole.code };
		}
		if (last.code !== whole.code) return fault(`exit ${last.code} after a kill`, last.err);
		const different = differentFiles(place);
		if (different.length > 0) return fault("files differ after a kill", different.join(", "));
		findings.count("kills", cuts === 0 ? "ended before the kill" : "resumed to the same bits");
	} finally {
		place.clean();
	}
}

/** Ends with `null` as its code where it was killed. */
async function command(
	place: Workplace,
	seconds: number,
	...args: string[]
): Promise<{ code: number | null; err: string }> {
	const child = spawn(process.execPath, [main, ...args, "--compute", "inline"], {
		cwd: place.path,
		stdio: ["ignore", "ignore", "pipe"],
	});
	let err = "";
	child.stderr.on("data", (part) => (err += part));
	const timer = setTimeout(() => child.kill("SIGKILL"), 1000 * seconds);
	const [code] = (await once(child, "exit")) as [number | null];
	clearTimeout(timer);
	return { code, err };
}

function randomFiles(d: Draws, seed: number): Record<string, string | Uint8Array> | undefined {
	const random = randomStudy(seed);
	const names = applicability(random.model).flatMap(({ method, applies }) => (applies ? [method] : []));
	if (names.length === 0) return undefined;
	return { ...random.files, "study.yaml": random.studyText(d.pick(names)) };
}

/** Without what a clock or a path says. */
function differentFiles(place: Workplace): string[] {
	const withClock = new Set(["log.jsonl", "summary.json", "report.html", "result.json", "study.yaml"]);
	const names = (folder: string): string[] => readdirSync(join(place.path, folder)).sort();
	const numbers = (folder: string): string =>
		JSON.stringify(place.json(`${folder}/summary.json`), (key, value) =>
			/seconds|timing/i.test(key) ? 0 : value,
		);
	const [one, other] = [names("whole"), names("cut")];
	if (one.join() !== other.join()) return [`the folders: ${one.join()} and ${other.join()}`];
	const differ = one.filter(
		(name) => !withClock.has(name) && !place.bytes(`whole/${name}`).equals(place.bytes(`cut/${name}`)),
	);
	return numbers("whole") === numbers("cut") ? differ : [...differ, "summary.json"];
}
