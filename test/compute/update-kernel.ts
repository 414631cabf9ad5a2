/** A kernel that takes as long as it is told to. */
import { KernelBuilder } from "../../src/lower/builder.ts";
import type { Kernel } from "../../src/lower/ir.ts";

/** x = 0.999 x + 1 in place, `rounds` times. */
export function updateKernel(): Kernel {
	const b = new KernelBuilder();
	const x = b.buffer("x", "lane", "update");
	const rounds = b.scalar("rounds", "int");
	const now = b.variable("lane", b.load(x, 0));
	b.loop(b.int(0), rounds, () => b.set(now, b.add(b.mul(b.get(now), b.constant(0.999)), b.constant(1))));
	b.store(x, 0, b.get(now));
	return b.kernel("update");
}
