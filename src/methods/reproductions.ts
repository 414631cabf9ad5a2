/** The papers that this version repeats, by the method's name. */
import type { Reproduction } from "./reproduction.ts";

export const reproductions: ReadonlyMap<string, Reproduction> = new Map();
