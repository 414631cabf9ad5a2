/** The files that the documentation shows for clusters: plain errors in them, and options that the worker does not have. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { parseDocument } from "yaml";
import { build, root, Workplace } from "../cli/odentify.ts";

const text = readFileSync(join(root, "docs/compute.md"), "utf8");
const blocks = [...text.matchAll(/```(sh|yaml)\n([\s\S]*?)```/g)].map(([, kind, body]) => ({ kind, body }));
let help: string;
beforeAll(async () => {
	await build();
	const place = new Workplace();
	help = place.run("worker", "--help").out;
	place.clean();
}, 300_000);

test("the deployment is whole, and its command is one of ours", () => {
	const [{ body }] = blocks.filter(({ kind }) => kind === "yaml");
	const document = parseDocument(body);
	expect(document.errors).toEqual([]);
	const { kind, spec } = document.toJS();
	expect(kind).toBe("Deployment");
	expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels);
	const [{ command, env, image }] = spec.template.spec.containers;
	expect(command.slice(0, 2)).toEqual(["odentify", "worker"]);
	for (const option of command.filter((word: string) => word.startsWith("--")))
		expect(help).toContain(option);
	// What it refers to is made by the commands above it.
	expect(command).toContain(`$(${env[0].name})`);
	const { name, key } = env[0].valueFrom.secretKeyRef;
	const commands = blocks.filter(({ kind: each }) => each === "sh").map(({ body: each }) => each);
	expect(commands.join("")).toContain(`secret generic ${name} --from-literal=${key}=redis://`);
	expect(commands.join("")).toContain(`--tag ${image}`);
});

test("under Slurm the steps get the signal, not the shell around them", () => {
	const script = blocks.find(({ body }) => body.includes("#SBATCH"))!.body;
	expect(script).toMatch(/--signal=TERM@\d+/);
	const [, options] = script.match(/srun --cpus-per-task=\S+ \\\n {2}odentify worker (.*)/)!;
	for (const [option] of options.matchAll(/--[a-z]+/g)) expect(help).toContain(option);
});
