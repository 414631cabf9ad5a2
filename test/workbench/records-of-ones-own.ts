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

/** A swing whose force is unknown, a function of both its states: little to learn from, so soon learned. */
export const fieldModel = `unknown f(x, v) ~ kriging(trend: 1)
state x, v
x' = v
v' = f(x, v)
measure y ~ normal(x, 0.01)
measure w ~ normal(v, 0.01)
`;

export function fieldCsv(n = 24): string {
	let [x, v] = [1, 0];
	const rows = Array.from({ length: n }, (_, i) => {
		const row = [0.3 * i, x + 0.01 * Math.sin(i * i * 7.3), v + 0.01 * Math.sin(i * i * 5.9 + 1)];
		for (let s = 0; s < 300; s++) {
			const h = 0.001;
			v += h * (-x - 0.2 * v - 0.3 * x * x * x);
			x += h * v;
		}
		return row.join();
	});
	return `t,y,w\n${rows.join("\n")}\n`;
}
