/** Stands for the module that turns text into functions: a page forbids that, and runs WebAssembly. */
export function mayEvaluate(): boolean {
	return false;
}

export function evaluate(): never {
	throw new Error("a page generates no JavaScript");
}
