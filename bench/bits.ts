/**
 * The same studies on every Node that is here and in Chromium: all files of their runs, bit for bit. Further versions of Node:
 * node scripts/engines.mjs
 */

import { applicability } from "../src/methods/applicability.ts";
import { Workplace } from "../test/cli/odentify.ts";
import { Chromium } from "../test/compute/browser/chromium.ts";
import { differing, engines, runOn } from "../test/compute/engines.ts";
import { studies } from "../test/compute/small-studies.ts";
import { randomStudy } from "../test/random/studies.ts";

const wanted = 40;

interface Task {
	readonly name: string;
	readonly files: Readonly<Record<string, string | Uint8Array>>;
}

export async function bench(): Promise<void> {
	const [own, ...others] = engines;
	const chromium = await Chromium.open();
	const tasks = [...fixed(), ...steps()];
	for (let seed = 1; tasks.length < wanted; seed++) tasks.push(...random(seed));
	console.log(
		`${tasks.length} studies on Node ${engines.map(({ name }) => name).join(", ")}${chromium ? ` and Chromium ${chromium.browser.version()}` : ""}`,
	);
	let nFiles = 0;
	const differ: string[] = [];
	const ended = new Map<string, number>();
	for (const { name, files } of tasks) {
		const place = new Workplace(files);
		try {
			const here = runOn(own, place);
			nFiles += here.files.size;
			ended.set(`exit ${here.code}`, (ended.get(`exit ${here.code}`) ?? 0) + 1);
			for (const engine of others)
				for (const file of differing(here, runOn(engine, place)))
					differ.push(`${name}: ${file} on ${engine.name}`);
			if (chromium && here.files.has("summary.json"))
				for (const file of differing(here, await chromium.again(files, here)))
					differ.push(`${name}: ${file} in Chromium`);
		} finally {
			place.clean();
		}
	}
	await chromium?.close();
	console.log(
		`${[...ended].map(([code, count]) => `${count} ended with ${code}`).join(", ")}; ${nFiles} files`,
	);
	for (const line of differ) console.log(`  ${line}`);
	console.log(differ.length === 0 ? "no file differs" : `${differ.length} files differ`);
	if (differ.length > 0) process.exitCode = 1;
}

function fixed(): Task[] {
	return Object.entries(studies).map(([name, files]) => ({ name, files }));
}

/** Powers of the step are what a filter is full of. */
function steps(): Task[] {
	return [0.03, 0.07, 0.1, 0.11, 0.13].map((step) => {
		const rows = Array.from(
			{ length: 40 },
			(_, i) => `${(step * i).toFixed(4)},${Math.sin(1.7 * step * i).toFixed(5)}`,
		);
		return {
			name: `bayes with steps of ${step}`,
			files: {
				"model.ode":
					"param k ~ lognormal(1, 0.5), c ~ lognormal(-2, 0.5)\nstate x = 0, x' ~ normal(1, 1)\nx'' + c*x' + k*x = 0\nmeasure y ~ normal(x, 0.02)\n",
				"record.csv": `t,y\n${rows.join("\n")}\n`,
				"study.yaml":
					"model: model.ode\ndata: { file: record.csv, time: t }\nmethod: bayes\nbayes: { particles: 60 }\n",
			},
		};
	});
}

/** One of the methods that apply, each in its turn. */
function random(seed: number): Task[] {
	const study = randomStudy(seed);
	const names = applicability(study.model).flatMap(({ method, applies }) => (applies ? [method] : []));
	if (names.length === 0) return [];
	const method = names[seed % names.length];
	return [
		{
			name: `random study ${seed}, ${method}`,
			files: { ...study.files, "study.yaml": study.studyText(method) },
		},
	];
}
