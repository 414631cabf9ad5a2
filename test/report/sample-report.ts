/** A result with something of everything, to draw. */

import type { Result } from "../../src/estimate/result.ts";
import { accentOf } from "../../src/methods/accent.ts";
import { stream } from "../../src/num/random.ts";
import type { ReportInput } from "../../src/report/page.ts";

export function sampleResult(nSamples: number): Result {
	const noise = stream(1, "sample report");
	const t = Float64Array.from({ length: nSamples }, (_, i) => (20 * i) / nSamples);
	const y = t.map((time) => Math.sin(3 * time) * Math.exp(-0.1 * time));
	const measured = y.map((value, i) => value + 0.05 * noise.normal(i));
	const prediction = (part: "train" | "test") => ({
		experiment: "record.csv",
		output: "y",
		part,
		t,
		y,
		lo: y.map((value) => value - 0.1),
		hi: y.map((value) => value + 0.1),
		data: { t, y: measured },
	});
	const grid = Float64Array.from({ length: 41 }, (_, i) => 0.9 + 0.005 * i);
	return {
		method: "fit",
		outcome: "converged",
		message: "Four parameters were estimated; all are identifiable.",
		answered: true,
		parameters: [
			{ name: "m", estimate: 1.00213, sd: 0.00412, lo: 0.99412, hi: 1.01023, verdict: "identifiable" },
			{ name: "c", estimate: 0.1991, sd: 0.0031, lo: 0.193, hi: 0.2052, verdict: "identifiable" },
			{ name: "k3", estimate: 5.03e-6, sd: 1.2e-8, lo: 5.0e-6, hi: 5.06e-6, verdict: "identifiable" },
			{
				name: "nu",
				estimate: 1.3,
				sd: Infinity,
				lo: 0.2,
				hi: Infinity,
				verdict: "practically unidentifiable",
			},
		],
		intervalName: "95 % profile interval",
		predictions: [prediction("train"), prediction("test")],
		summary: {},
		doubts: [
			{
				code: "unidentifiable",
				title: "nu is hardly seen in these data",
				text: "Its profile stays flat above 0.2.\nTry an experiment in which it matters.",
				grave: true,
			},
			{
				code: "other-optimum",
				title: "Two starts ended elsewhere",
				text: "2 of 8 starts found a worse optimum.",
				grave: false,
			},
		],
		assumptions: ["Noise is independent and normal."],
		figures: [
			{
				name: "profile-m",
				title: "Profile of m",
				caption: "How fast the fit worsens away from the estimate.",
				xLabel: "m",
				yLabel: "−2 log likelihood",
				marks: [
					{
						type: "line",
						x: grid,
						y: grid.map((m) => ((m - 1.002) / 0.004) ** 2),
						role: "accent",
						label: "profile",
					},
					{ type: "rule", axis: "y", at: 3.84, role: "guide", label: "95 %" },
					{ type: "rule", axis: "x", at: 1.002, role: "guide", label: "estimate" },
				],
				section: "sure",
				small: true,
			},
			{
				name: "boxes",
				title: "Boxes",
				caption: "Two boxes.",
				xLabel: "m",
				yLabel: "c",
				marks: [
					{ type: "boxes", x0: [0, 1], x1: [1, 2], y0: [0, 1], y1: [1, 3], role: "accent", label: "inner" },
				],
				section: "sure",
				small: true,
			},
		],
		files: [],
		references: [],
	};
}

export function sampleReport(nSamples = 2000): ReportInput {
	return {
		title: "demo",
		result: sampleResult(nSamples),
		accent: accentOf("fit"),
		noise: { y: 0.05 },
		records: ["record.csv: 2,000 samples, 20 s, one input, one output"],
		equations: [
			"<math><mi>m</mi><mo>⋅</mo><msup><mi>x</mi><mo>″</mo></msup><mo>+</mo><mi>k</mi><mi>x</mi><mo>=</mo><mi>u</mi></math>",
		],
		study: "model: |\n  m*x'' + k*x = u\ndata:\n  file: record.csv\n",
		seed: 1,
		version: "0.1.0",
		seconds: 1.23,
		finished: "2024-01-01 12:00 UTC",
		references: ["A. Author, A Title, A Journal 1 (2000) 1-2."],
		files: ["summary.json", "trajectory.csv"],
	};
}
