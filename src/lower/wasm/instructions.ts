/** The WebAssembly instructions that are generated, their binary codes, and what stands behind each. */

/** An instruction: its name in the text format, then its immediates. */
export type Instruction = readonly [name: string, ...immediates: number[]];

type Immediate =
	| "none"
	/** A local, function or global index, or a branch depth. */
	| "index"
	/** Alignment exponent and offset. */
	| "memory"
	| "i32"
	| "i64"
	| "f64"
	/** One double, in both halves. */
	| "v128"
	| "lane"
	/** A block without parameters and results. */
	| "block";

export const instructions: Readonly<Record<string, { code: readonly number[]; immediate: Immediate }>> = {
	...group("none", {
		unreachable: 0x00,
		else: 0x05,
		end: 0x0b,
		return: 0x0f,
		select: 0x1b,
		"i32.eqz": 0x45,
		"i32.eq": 0x46,
		"i32.lt_s": 0x48,
		"i32.le_s": 0x4c,
		"i32.ge_s": 0x4e,
		"f64.eq": 0x61,
		"f64.lt": 0x63,
		"f64.gt": 0x64,
		"f64.le": 0x65,
		"i32.add": 0x6a,
		"i32.sub": 0x6b,
		"i32.mul": 0x6c,
		"i32.and": 0x71,
		"i32.or": 0x72,
		"i32.shl": 0x74,
		"i64.and": 0x83,
		"i64.or": 0x84,
		"i64.shl": 0x86,
		"i64.shr_u": 0x88,
		"f64.abs": 0x99,
		"f64.neg": 0x9a,
		"f64.sqrt": 0x9f,
		"f64.add": 0xa0,
		"f64.sub": 0xa1,
		"f64.mul": 0xa2,
		"f64.div": 0xa3,
		"f64.copysign": 0xa6,
		"f64.convert_i32_s": 0xb7,
		"i64.reinterpret_f64": 0xbd,
		"f64.reinterpret_i64": 0xbf,
	}),
	...group("block", { block: 0x02, loop: 0x03, if: 0x04 }),
	...group("index", {
		br: 0x0c,
		br_if: 0x0d,
		call: 0x10,
		"local.get": 0x20,
		"local.set": 0x21,
		"local.tee": 0x22,
		"global.get": 0x23,
		"global.set": 0x24,
	}),
	...group("memory", { "f64.load": 0x2b, "f64.store": 0x39 }),
	...group("i32", { "i32.const": 0x41 }),
	...group("i64", { "i64.const": 0x42 }),
	...group("f64", { "f64.const": 0x44 }),
	"i32.trunc_sat_f64_s": { code: [0xfc, 0x02], immediate: "none" },
	...simd("memory", { "v128.load": 0x00, "v128.load64_splat": 0x0a, "v128.store": 0x0b }),
	...simd("v128", { "v128.const": 0x0c }),
	...simd("lane", { "i32x4.extract_lane": 0x1b, "f64x2.extract_lane": 0x21, "f64x2.replace_lane": 0x22 }),
	...simd("none", {
		"f64x2.splat": 0x14,
		"f64x2.eq": 0x47,
		"f64x2.lt": 0x49,
		"f64x2.le": 0x4b,
		"v128.not": 0x4d,
		"v128.and": 0x4e,
		"v128.or": 0x50,
		"v128.bitselect": 0x52,
		"v128.any_true": 0x53,
		"i64x2.shl": 0xcb,
		"i64x2.shr_u": 0xcd,
		"f64x2.abs": 0xec,
		"f64x2.neg": 0xed,
		"f64x2.sqrt": 0xef,
		"f64x2.add": 0xf0,
		"f64x2.sub": 0xf1,
		"f64x2.mul": 0xf2,
		"f64x2.div": 0xf3,
		"f64x2.pmin": 0xf6,
		"f64x2.pmax": 0xf7,
	}),
};

function group(immediate: Immediate, codes: Record<string, number>) {
	return Object.fromEntries(Object.entries(codes).map(([name, code]) => [name, { code: [code], immediate }]));
}

/** SIMD codes stand behind a prefix, as unsigned LEB128. */
function simd(immediate: Immediate, codes: Record<string, number>) {
	return Object.fromEntries(
		Object.entries(codes).map(([name, code]) => {
			const bytes = code < 0x80 ? [0xfd, code] : [0xfd, (code & 0x7f) | 0x80, code >> 7];
			return [name, { code: bytes, immediate }];
		}),
	);
}
