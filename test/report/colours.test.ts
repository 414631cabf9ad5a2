/** Boxes proved inside and boxes at the edge are told apart by everyone: also where red and green look alike. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { methods } from "../../src/methods/registry.ts";
import { plotStyle } from "../../src/report/palette.ts";
import { root } from "../cli/odentify.ts";

type Colour = readonly [number, number, number];

const hex = (text: string): Colour =>
	(text.length === 4 ? [...text.slice(1)].map((digit) => digit + digit) : text.slice(1).match(/../g)!).map(
		(part) => Number.parseInt(part, 16) / 255,
	) as unknown as Colour;
const linear = (value: number): number =>
	value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;

/** Without cones for middle wavelengths: Machado, Oliveira, Fernandes 2009, severity 1, in linear RGB. */
const deuteranope = [
	[0.367322, 0.860646, -0.227968],
	[0.280085, 0.672501, 0.047413],
	[-0.01182, 0.04294, 0.968881],
];
const everyone = [
	[1, 0, 0],
	[0, 1, 0],
	[0, 0, 1],
];

type Eye = readonly (readonly number[])[];

/** Linear light as an eye has it. */
function seen(colour: Colour, eye: Eye): number[] {
	const light = colour.map(linear);
	return eye.map((row) =>
		Math.min(
			1,
			Math.max(
				0,
				row.reduce((sum, w, i) => sum + w * light[i], 0),
			),
		),
	);
}

function luminance(colour: Colour, eye: Eye): number {
	const [r, g, b] = seen(colour, eye);
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Distance in CIELAB: 2 is just noticed side by side. */
function distance(a: Colour, b: Colour, eye: Eye): number {
	const [p, q] = [a, b].map((colour) => {
		const [r, g, blue] = seen(colour, eye);
		const [x, y, z] = [
			(0.4124 * r + 0.3576 * g + 0.1805 * blue) / 0.9505,
			luminance(colour, eye),
			(0.0193 * r + 0.1192 * g + 0.9505 * blue) / 1.089,
		].map((t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116));
		return [116 * y, 500 * (x - y), 200 * (y - z)];
	});
	return Math.hypot(...p.map((value, i) => value - q[i]));
}

function contrast(a: Colour, b: Colour, eye: Eye): number {
	const [light, dark] = [luminance(a, eye), luminance(b, eye)].sort((x, y) => y - x);
	return (light + 0.05) / (dark + 0.05);
}

const over = (top: Colour, ground: Colour, share: number): Colour =>
	top.map((value, i) => share * value + (1 - share) * ground[i]) as unknown as Colour;
const share = (role: string): number =>
	Number(new RegExp(`\\.boxes\\.r-${role}\\{fill-opacity:([.\\d]+)`).exec(plotStyle)![1]);

const style = readFileSync(join(root, "workbench/style/theme.css"), "utf8");
const named = (name: string, theme: "light" | "dark"): Colour => {
	const found = [...style.matchAll(new RegExp(`--${name}: (#[\\da-f]+);`, "g"))];
	return hex(found[theme === "light" ? 0 : 1][1]);
};

describe.each(["light", "dark"] as const)("pavings, %s", (theme) => {
	it.each([
		["everyone", everyone],
		["a deuteranope", deuteranope],
	] as const)("inside and edge differ by 3 to 1 for %s, and inside from the ground", (_, eye) => {
		const paper = named("paper", theme);
		const inside = over(hex(methods.get("guaranteed")!.accent[theme]), paper, share("accent"));
		const edge = over(named("muted", theme), paper, share("muted"));
		expect(contrast(inside, edge, eye)).toBeGreaterThan(3);
		expect(contrast(inside, paper, eye)).toBeGreaterThan(3);
	});
});

describe.each(["light", "dark"] as const)("what is left of several outputs, %s", (theme) => {
	it.each([
		["everyone", everyone],
		["a deuteranope", deuteranope],
	] as const)("has colours that lie far apart for %s, legible on the ground", (_, eye) => {
		const inks = ["data", "series2", "series3", "series4"].map((name) => named(name, theme));
		for (const [i, ink] of inks.entries()) {
			expect(contrast(ink, named("paper", theme), everyone)).toBeGreaterThan(4.5);
			for (const other of inks.slice(0, i)) expect(distance(ink, other, eye)).toBeGreaterThan(30);
		}
	});
});
