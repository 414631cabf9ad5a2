import { describe, expect, it } from "vitest";
import { BoxList, BoxRoom, chosen, doubled } from "../../../src/methods/guaranteed/paving/box-list.ts";

describe("boxes in columns", () => {
	const block = (room: BoxRoom) => {
		const columns = room.take(6).map((_, i) => 10 * Math.floor(i / 6) + (i % 6));
		const own = room.take(6);
		own.set(columns);
		return { count: 6, columns: own };
	};

	it.each([
		["few lanes, copied", [1, 4], false],
		["most lanes, where they are", [0, 2, 3, 5], true],
		["all lanes", [0, 1, 2, 3, 4, 5], true],
	] as const)("keeps %s", (_, which, stays) => {
		const room = new BoxRoom(1, 8);
		const whole = block(room);
		const lanes = Int32Array.from(which);
		const expected = chosen(whole, lanes).columns.slice();
		const kept = room.kept(whole, lanes);
		expect(kept.count).toBe(which.length);
		expect(kept.columns).toEqual(expected);
		expect(kept.columns.buffer === whole.columns.buffer).toBe(stays);
		// What was kept is not lent again.
		room.give(whole);
		expect(room.take(2).buffer === whole.columns.buffer).toBe(!stays);
	});

	it("doubles lanes, one after the other", () => {
		const list = new BoxList(1);
		list.add(
			doubled(
				{ count: 3, columns: Float64Array.of(1, 2, 3, 11, 12, 13) },
				Int32Array.of(2, 0),
				new Float64Array(8),
			),
		);
		expect(list.boxes.map((box) => [...box])).toEqual([
			[3, 13],
			[3, 13],
			[1, 11],
			[1, 11],
		]);
	});
});
