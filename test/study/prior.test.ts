/** `prior:` of a study. */
import { describe, expect, it } from "vitest";
import { inline } from "../../src/compute/inline.ts";
import { readCsv } from "../../src/data/csv/csv.ts";
import { methods } from "../../src/methods/registry.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { problemFromStudy } from "../../src/study/problem-from-study.ts";
import { StudyError } from "../../src/study/text/study-error.ts";
import { parseStudy } from "../../src/study/text/study-file.ts";
import { studyText } from "../../src/study/text/study-text.ts";

const text = `param a ~ normal(0, 1), k ~ lognormal(0, 1), p ~ uniform(0, 1), free in [0, 1], w ~ halfnormal(1)
param own[record] ~ normal(a, w)
state x = 1
x' = -k*x + a*p*free*own
measure y ~ normal(x, 0.1)
`;
const model = parseModel(text, "m.ode");
const read = (prior: string) => {
	const study = parseStudy(
		`model: m.ode\ndata: { file: r.csv, time: t }\nmethod: bayes\nprior: ${prior}\n`,
		"s.yaml",
		methods,
	);
	const table = readCsv(new TextEncoder().encode("t,y\n0,1\n1,0.5\n2,0.2\n"), "r.csv");
	return { study, problem: problemFromStudy(study, model, new Map([["r.csv", table]]), inline) };
};
const error = (prior: string): string => {
	try {
		read(prior);
	} catch (caught) {
		expect(caught).toBeInstanceOf(StudyError);
		return (caught as StudyError).message;
	}
	throw new Error("the study was accepted");
};

describe("prior:", () => {
	it("names parameters by the coordinate that their law has, and is kept by the text of a study", () => {
		const prior =
			"{ mean: { logit(p): 0.5, a: 1, log(k): -1 }, covariance: [[1, 0.1, 0.2], [0.1, 1, 0.3], [0.2, 0.3, 1]] }";
		const { study, problem } = read(prior);
		expect(problem.prior?.names).toEqual(["p", "a", "k"]);
		expect(problem.prior?.mean).toEqual([0.5, 1, -1]);
		const again = parseStudy(
			studyText(study, text, methods, (file) => file),
			"s.yaml",
			methods,
		);
		expect(again.prior).toEqual(study.prior);
		expect(read("{ mean: { a: 1 }, covariance: 4 }").problem.prior?.covariance).toEqual([[4]]);
	});

	it.each([
		["{ mean: { k: 1 }, covariance: 1 }", /by its law k is known as log\(k\)/],
		["{ mean: { log(a): 1 }, covariance: 1 }", /by its law a is known as a/],
		["{ mean: { log(kk): 1 }, covariance: 1 }", /no parameter "log\(kk\)"[\s\S]*Did you mean "k"/],
		["{ mean: { free: 1 }, covariance: 1 }", /free has no law in the model/],
		["{ mean: { own: 1 }, covariance: 1 }", /own differs from record to record/],
		["{ mean: { a: 1, log(k): 0 }, covariance: [[1, 2], [2, 1]] }", /no covariance/],
		["{ mean: { a: 1, log(k): 0 }, covariance: [[1, 0.1], [0.2, 1]] }", /no covariance/],
		["{ mean: { a: 1, log(k): 0 }, covariance: [1, 1] }", /2 rows of 2 numbers/],
		["{ mean: {}, covariance: 1 }", /covariance of/],
		["{ mean: { a: 1 } }", /needs a mean and a covariance/],
		["{ only: a }", /none is named/],
		["{ from: runs\\/a, mean: { a: 1 } }", /from a run, or has a mean/],
		["{ from: 3, only: a }", /cannot be read here/],
		["5", /from, or mean and covariance/],
	])("refuses %s", (prior, message) => {
		expect(error(prior.replace("\\", ""))).toMatch(message);
	});
});
