/** Tries WebAssembly SIMD: a loop of four chains of two lanes, x = x a + b, assembled by hand. */

const f64x2Add = [0xfd, 0xf0, 0x01];
const f64x2Mul = [0xfd, 0xf2, 0x01];
const chains = [1, 2, 3, 4];

function pair(value: number): number[] {
	const bytes = new Uint8Array(new Float64Array([value, value]).buffer);
	return [0xfd, 0x0c, ...bytes];
}

function leb(value: number): number[] {
	const out: number[] = [];
	do {
		const low = value & 0x7f;
		value >>>= 7;
		out.push(value ? low | 0x80 : low);
	} while (value);
	return out;
}

function section(id: number, content: readonly number[]): number[] {
	return [id, ...leb(content.length), ...content];
}

function probeModule(): Uint8Array<ArrayBuffer> {
	const step = chains.flatMap((x) => [
		0x20,
		x,
		...pair(0.999),
		...f64x2Mul,
		...pair(0.001),
		...f64x2Add,
		0x21,
		x,
	]);
	// loop: step; n = n - 1; again while n is not 0
	const loop = [0x03, 0x40, ...step, 0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b];
	const sum = [0x20, 1, ...chains.slice(1).flatMap((x) => [0x20, x, ...f64x2Add]), 0xfd, 0x21, 0];
	const body = [1, chains.length, 0x7b, ...loop, ...sum, 0x0b];
	return Uint8Array.from([
		...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
		...section(1, [1, 0x60, 1, 0x7f, 1, 0x7c]),
		...section(3, [1, 0]),
		...section(7, [1, 3, 0x72, 0x75, 0x6e, 0, 0]),
		...section(10, [1, ...leb(body.length), ...body]),
	]);
}

export interface SimdProbe {
	readonly there: boolean;
	/** Floating-point operations a second. */
	readonly rate: number;
}

export function probeSimd(): SimdProbe {
	const bytes = probeModule();
	if (!WebAssembly.validate(bytes)) return { there: false, rate: 0 };
	const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
	const run = exports.run as (n: number) => number;
	run(100_000);
	let best = 0;
	for (let again = 0; again < 3; again++) {
		const n = 1_000_000;
		const start = performance.now();
		const x = run(n);
		const seconds = (performance.now() - start) / 1000;
		// x tends to 1 in each lane; four chains of one lane are added. Anything else is a broken engine.
		if (!(Math.abs(x - chains.length) < 1e-6)) return { there: false, rate: 0 };
		best = Math.max(best, (n * chains.length * 4) / seconds);
	}
	return { there: true, rate: best };
}
