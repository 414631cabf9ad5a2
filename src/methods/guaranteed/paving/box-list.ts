/** Many boxes of n unknowns, one after the other in one array. */
export class BoxList {
	#numbers: Float64Array;
	#length = 0;
	#made: readonly Float64Array[] = [];

	constructor(readonly n: number) {
		this.#numbers = new Float64Array(2 * n * 64);
	}

	get length(): number {
		return this.#length;
	}

	push(box: ArrayLike<number>): void {
		const stride = 2 * this.n;
		const at = this.#length * stride;
		if (at === this.#numbers.length) this.#grow(2 * at);
		const numbers = this.#numbers;
		for (let i = 0; i < stride; i++) numbers[at + i] = box[i];
		this.#length++;
	}

	/** All boxes of another list from one on. */
	append(other: BoxList, from: number): void {
		const stride = 2 * this.n;
		const count = other.length - from;
		const at = this.#length * stride;
		if (at + count * stride > this.#numbers.length) this.#grow(at + count * stride);
		this.#numbers.set(other.#numbers.subarray(from * stride, other.length * stride), at);
		this.#length += count;
	}

	/** Some boxes in columns: number i of box b at i·count + b. */
	columns(from: number, count: number): Float64Array {
		const stride = 2 * this.n;
		const numbers = this.#numbers;
		const out = new Float64Array(stride * count);
		for (let i = 0; i < stride; i++)
			for (let b = 0, at = from * stride + i, to = i * count; b < count; b++, at += stride)
				out[to + b] = numbers[at];
		return out;
	}

	/** Widens a box until it holds all of these. */
	extend(hull: Float64Array): void {
		const stride = 2 * this.n;
		for (let at = 0; at < this.#length * stride; at += stride)
			for (let i = 0; i < stride; i += 2) {
				if (this.#numbers[at + i] < hull[i]) hull[i] = this.#numbers[at + i];
				if (this.#numbers[at + i + 1] > hull[i + 1]) hull[i + 1] = this.#numbers[at + i + 1];
			}
	}

	/** One by one; made anew only where some have come. */
	get boxes(): readonly Float64Array[] {
		const stride = 2 * this.n;
		if (this.#made.length !== this.#length)
			this.#made = Array.from({ length: this.#length }, (_, b) =>
				this.#numbers.slice(b * stride, (b + 1) * stride),
			);
		return this.#made;
	}

	#grow(length: number): void {
		const numbers = new Float64Array(length);
		numbers.set(this.#numbers);
		this.#numbers = numbers;
	}
}
