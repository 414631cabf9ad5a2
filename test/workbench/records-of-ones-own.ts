/** Records as people bring them, made here: what is measured is known. */

/** x'' = -c x' - k x + F, from rest, with small errors that have no pattern; the force is held from row to row. */
export function rigRows(n = 400, c = 0.4, k = 9): { t: number; force: number; position: number }[] {
	const step = 0.05;
	const fine = 50;
	let x = 0;
	let v = 0;
	return Array.from({ length: n }, (_, i) => {
		const force = i % 97 < 40 ? 4 : -2;
		const row = { t: i * step, force, position: x + 0.004 * Math.sin(i * i * 7.3) };
		for (let s = 0; s < fine; s++) {
			const h = step / fine;
			// The rule of the midpoint: far finer than the errors above.
			const a = force - c * v - k * x;
			const [xm, vm] = [x + (h / 2) * v, v + (h / 2) * a];
			x += h * vm;
			v += h * (force - c * vm - k * xm);
		}
		return row;
	});
}

const comma = (value: number): string => value.toFixed(5).replace(".", ",");

/** As a spreadsheet of another country writes it. */
export function rigCsv(n?: number): string {
	const rows = rigRows(n).map(({ t, force, position }) => `${comma(t)};${comma(force)};${comma(position)}`);
	return `Zeit;Kraft;Weg\n${rows.join("\n")}\n`;
}

export const rigModel = `input F
param c
param k
param s ~ halfnormal(1)
state x = 0, x' = 0
x'' + c*x' + k*x = F
measure pos ~ normal(x, s)
`;
