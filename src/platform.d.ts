/**
 * What the core may use of its host beside the language itself: the few globals that Node 20, browsers and
 * workers all have. Everything else of Node or the DOM is a compile error outside `cli/` and the `node/` folders.
 */
declare namespace WebAssembly {
	class Module {
		constructor(bytes: ArrayBufferView | ArrayBuffer);
	}
	class Instance {
		constructor(module: Module, imports?: Record<string, Record<string, unknown>>);
		readonly exports: Record<string, unknown>;
	}
	class Memory {
		constructor(descriptor: { initial: number; maximum?: number; shared?: boolean });
		readonly buffer: ArrayBuffer;
		grow(delta: number): number;
	}
	function validate(bytes: ArrayBufferView | ArrayBuffer): boolean;
}
declare class TextDecoder {
	constructor(label?: string, options?: { fatal?: boolean });
	decode(bytes?: ArrayBufferView | ArrayBuffer): string;
}
declare class TextEncoder {
	encode(text: string): Uint8Array<ArrayBuffer>;
}
declare const performance: { now(): number };
declare function setInterval(call: () => void, milliseconds: number): unknown;
declare function clearInterval(interval: unknown): void;
