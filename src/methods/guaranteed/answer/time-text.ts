/** Times in messages: six digits tell where to look; of large ones, such as seconds of a calendar, so many that four stand behind the point. */
export function timeText(t: number): string {
	const whole = Math.abs(t) < 1e5 ? 2 : Math.trunc(Math.abs(t)).toString().length;
	return String(Number(t.toPrecision(Math.min(4 + whole, 17))));
}
