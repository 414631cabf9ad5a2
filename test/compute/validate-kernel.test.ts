/** What came as JSON is compiled only when it is a kernel: every single spoilt place is found. */
import { describe, expect, test } from "vitest";
import { validateKernel } from "../../src/compute/validate-kernel.ts";
import { KernelBuilder } from "../../src/lower/builder.ts";
import type { Kernel } from "../../src/lower/ir.ts";
import { kernelOf, models } from "../lower/support/models.ts";

function small(): Kernel {
	const b = new KernelBuilder();
	const p = b.buffer("p", "lane");
	const h = b.buffer("h", "uniform");
	const y = b.buffer("y", "lane", "write");
	const n = b.scalar("n", "int");
	const x = b.variable("lane", b.load(p, 0));
	b.loop(b.int(0), n, (i) => {
		const step = b.mul(b.load(h, i), b.call("exp", b.get(x)));
		b.if(b.lt(b.load(h, i), b.constant(1)), () => b.set(x, b.sub(b.get(x), step)));
	});
	b.store(y, 0, b.get(x));
	return b.kernel("small");
}
type Change = (kernel: ReturnType<typeof plain>) => void;
// biome-ignore lint/suspicious/noExplicitAny: it is made to be spoilt
const plain = (): any => JSON.parse(JSON.stringify(small()));

/** The statement that `find` wants, wherever it stands. */
// biome-ignore lint/suspicious/noExplicitAny: as above
function statement(kernel: any, find: (each: any) => boolean): any {
	// biome-ignore lint/suspicious/noExplicitAny: as above
	const walk = (block: any[]): any => {
		for (const each of block) {
			if (find(each)) return each;
			const inner = walk([...(each.body ?? []), ...(each.yes ?? []), ...(each.no ?? [])]);
			if (inner) return inner;
		}
		return undefined;
	};
	const found = walk(kernel.body);
	expect(found).toBeDefined();
	return found;
}
// biome-ignore lint/suspicious/noExplicitAny: as above
const op = (name: string) => (each: any) => each.op === name;

describe("a kernel", () => {
	test("made here passes, as it is and as JSON", () => {
		for (const model of Object.values(models)) {
			const kernel = kernelOf(model(), model().params.slice(0, 2));
			expect(validateKernel(JSON.parse(JSON.stringify(kernel)))).toEqual(kernel);
		}
		const cut = kernelOf(models.duffing());
		expect(validateKernel(JSON.parse(JSON.stringify(cut)))).toEqual(cut);
		expect(validateKernel(plain())).toEqual(small());
	});

	const spoilt: Record<string, Change> = {
		"is a list": (k) => Object.setPrototypeOf(k, null) && (k.body = undefined),
		"is cut at a number that is none": (k) =>
			(k.pieces = { steps: "steps", along: { h: 1 }, state: { p: "y" }, rows: 1 }),
		"is cut along a buffer of lanes": (k) =>
			(k.pieces = { steps: "n", along: { p: 1 }, state: { p: "y" }, rows: 1 }),
		"is cut by parts of a number": (k) =>
			(k.pieces = { steps: "n", along: { h: 0.5 }, state: { p: "y" }, rows: 1 }),
		"goes on from a buffer that is not there": (k) =>
			(k.pieces = { steps: "n", along: { h: 1 }, state: { p: "evil" }, rows: 1 }),
		"has an unknown statement": (k) => k.body.push({ do: "evil" }),
		"has an unknown operation": (k) => (statement(k, op("mul")).op = "constructor"),
		"has code for a number": (k) => (statement(k, op("const")).text = "0; evil()"),
		"has a whole number that is none": (k) => (statement(k, op("const")).text = "1.5"),
		"has a whole number that is too large": (k) => (statement(k, op("const")).text = "4294967296"),
		"calls an unknown function": (k) => (statement(k, op("call")).name = "toString"),
		"calls with too many operands": (k) => statement(k, op("call")).args.push(0),
		"uses a value that is not there": (k) => (statement(k, op("mul")).args[0] = 999),
		"uses a value before it is there": (k) => k.body.reverse(),
		"uses a value out of its scope": (k) => {
			const inner = statement(k, op("mul"));
			k.body.push({ ...inner, id: 500, op: "neg", args: [inner.id] });
		},
		"defines a value twice": (k) => k.body.push({ ...statement(k, op("load")) }),
		"loads by a real": (k) => {
			const real = { do: "let", id: 501, type: "real", op: "const", args: [], text: "1" };
			k.body.unshift(real);
			statement(k, op("load")).args = [501];
		},
		"loads from a buffer that is not there": (k) => (statement(k, op("load")).index = 7),
		"loads a shared buffer as lanes": (k) =>
			(statement(k, (each) => each.op === "load" && each.index === 1).type = "lane"),
		"stores to what it may only read": (k) => (statement(k, (each) => each.do === "store").buffer = 0),
		"stores to a shared buffer": (k) => (statement(k, (each) => each.do === "store").buffer = 1),
		"stores by a lane": (k) => {
			const store = statement(k, (each) => each.do === "store");
			store.index = store.value;
		},
		"sets a variable that is not there": (k) => (statement(k, (each) => each.do === "set").variable = 3),
		"sets a variable of another type": (k) => (k.variables[0] = "int"),
		"branches on a lane": (k) => (statement(k, op("lt")).type = "mask"),
		"loops to a lane": (k) => {
			const loop = k.body.find((each: { do: string }) => each.do === "loop");
			loop.to = statement(k, op("load")).id;
		},
		"writes to a shared buffer": (k) => (k.buffers[1].access = "write"),
		"has an unknown kind of buffer": (k) => (k.buffers[0].kind = "global"),
		"has two buffers of one name": (k) => (k.buffers[1].name = "p"),
		"has an unknown type": (k) => (statement(k, op("mul")).type = "evil"),
		"takes a scalar that is not there": (k) => (statement(k, op("param")).index = 4),
		"takes a scalar of another type": (k) => (k.scalars[0].type = "real"),
		"has a negative number of a value": (k) => (statement(k, op("mul")).id = -1),
		"is nested too deep": (k) => {
			const flag = { do: "let", id: 600, type: "flag", op: "int.lt", args: [601, 601] };
			const zero = { do: "let", id: 601, type: "int", op: "const", args: [], text: "0" };
			let body: unknown[] = [];
			for (let i = 0; i < 100; i++) body = [{ do: "if", flag: 600, yes: body, no: [] }];
			k.body = [zero, flag, ...body];
		},
	};
	test.each(Object.entries(spoilt))("that %s is refused", (_, change) => {
		const kernel = plain();
		change(kernel);
		expect(() => validateKernel(kernel)).toThrow(/a kernel holds .* that is none/);
	});
	test.each([null, 1, "text", [], {}])("is not %j", (value) => {
		expect(() => validateKernel(value)).toThrow(/a kernel holds .* that is none/);
	});
});
