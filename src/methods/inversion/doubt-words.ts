/** Words that the doubts of an inversion share. */
import type { Doubt } from "../result.ts";

export function doubt(title: string, text: string, grave: boolean): Doubt[] {
	return [{ title, text, grave }];
}

export function list(names: readonly string[]): string {
	return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}
