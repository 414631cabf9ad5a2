import fc from "fast-check";
import { strFromU8, strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { methods } from "../../src/methods/registry.ts";
import { parseStudy } from "../../src/study/text/study-file.ts";
import { packStudy, unpackStudy } from "../../src/study/text/study-zip.ts";
import { claiming, damagedFile, inputErrorOf, survives } from "../data/bytes.ts";

const source = `# my study
model: ../models/m.ode # beside
data:
  - { file: "records/a.csv", time: t }
  - { file: ../a.csv, time: t }
  - file: /somewhere/else/a.csv
    time: t
test: { file: '../m.ode' }
`;
const study = parseStudy(source, "study.yaml", methods);
const packed = packStudy(study, (file) => strToU8(`bytes of ${file}`));
const open = (bytes: Uint8Array) => unpackStudy(bytes, "s.zip", methods);
const zipOf = (files: Record<string, string>) =>
	zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));

describe("a study as one file", () => {
	it("holds all that the study names, under names of its own, and the study says so", () => {
		const { files, study: name } = open(packed);
		expect(name).toBe("study.yaml");
		expect(Object.fromEntries([...files].map(([file, bytes]) => [file, strFromU8(bytes)]))).toEqual({
			"study.yaml": `# my study
model: "m.ode" # beside
data:
  - { file: "records/a.csv", time: t }
  - { file: "a.csv", time: t }
  - file: "a-2.csv"
    time: t
test: { file: "m-2.ode" }
`,
			"m.ode": "bytes of ../models/m.ode",
			"records/a.csv": "bytes of records/a.csv",
			"a.csv": "bytes of ../a.csv",
			"a-2.csv": "bytes of /somewhere/else/a.csv",
			"m-2.ode": "bytes of ../m.ode",
		});
	});

	it("has the same bytes each time, and packs again to itself", () => {
		expect(packStudy(study, (file) => strToU8(`bytes of ${file}`))).toEqual(packed);
		const { files } = open(packed);
		const again = parseStudy(strFromU8(files.get("study.yaml")!), "study.yaml", methods);
		expect(packStudy(again, (file) => files.get(file)!)).toEqual(packed);
	});

	const plain = "model: m.ode\ndata: { file: r.csv, time: t }\n";
	it("may lie in a folder of the archive", () => {
		const files = {
			"mine/study.yaml": plain,
			"mine/m.ode": "x",
			"mine/r.csv": "y",
			"__MACOSX/._study.yaml": "z",
		};
		expect([...open(zipOf(files)).files.keys()]).toEqual(["mine/study.yaml", "mine/m.ode", "mine/r.csv"]);
	});

	it("may be a PEtab problem, with all that lies beside it and below", () => {
		const { study: name, files } = open(
			zipOf({
				"p/problem.yaml": "format_version: 1\nparameter_file: p.tsv\nproblems: []\n",
				"p/p.tsv": "parameterId",
				"p/models/m.xml": "<sbml/>",
				"other.txt": "x",
				"__MACOSX/p/._p.tsv": "z",
			}),
		);
		expect(name).toBe("p/problem.yaml");
		expect([...files.keys()]).toEqual(["p/problem.yaml", "p/p.tsv", "p/models/m.xml"]);
	});

	it.each([
		["no study", { "a.csv": "t" }, "holds no study"],
		[
			"two studies of one name",
			{ "a/study.yaml": plain, "b/study.yaml": plain },
			"holds several studies: a/study.yaml, b/study.yaml",
		],
		["two studies", { "a.yaml": plain, "b.yaml": plain }, "holds several studies: a.yaml, b.yaml"],
		[
			"a file that is not there",
			{ "study.yaml": plain, "m.ode": "x" },
			"names r.csv, which is not in the archive",
		],
		[
			"a file outside",
			{ "study.yaml": plain.replace("r.csv", "../r.csv"), "m.ode": "x" },
			"outside of the archive",
		],
		[
			"a file anywhere",
			{ "study.yaml": plain.replace("r.csv", "/etc/passwd"), "m.ode": "x" },
			"outside of the archive",
		],
		["a path out of itself", { "study.yaml": plain, "../evil.csv": "x" }, "leads out of it"],
		["an absolute path", { "study.yaml": plain, "/evil.csv": "x" }, "leads out of it"],
		["a path of another system", { "study.yaml": plain, "C:\\evil.csv": "x" }, "leads out of it"],
		["a study with errors", { "study.yaml": "modle: m.ode\n" }, "errors in the study"],
	])("%s is refused", async (_, files, problem) => {
		expect((await inputErrorOf(() => open(zipOf(files as Record<string, string>)))).problem).toContain(
			problem,
		);
	});

	it("two files of one name are refused", async () => {
		const bytes = zipOf({ "study.yaml": plain, "m.ode": "x", "r.csv": "y", "s.csv": "z" });
		const text = strFromU8(bytes, true).replaceAll("s.csv", "r.csv");
		const error = await inputErrorOf(() => open(strToU8(text, true)));
		expect(error.problem).toContain('two files called "r.csv"');
	});

	it("a bomb is refused before it is unpacked", async () => {
		const files = {
			"study.yaml": strToU8(plain),
			"m.ode": strToU8("x"),
			"r.csv": strToU8("t"),
		};
		const bomb = claiming(zipSync(files), "r.csv", 300 * 1024 * 1024);
		expect((await inputErrorOf(() => open(bomb))).problem).toContain("bytes of unpacked data");
	});

	it("survives damage", async () => {
		await fc.assert(
			fc.asyncProperty(damagedFile(packed), (bytes) => survives(open, bytes)),
			{ seed: 8, numRuns: 1500 },
		);
	});
});
