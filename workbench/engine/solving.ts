/** The adaptive solver, apart from what the first view fetches. */
export { simulateRecord } from "../../src/study/index.ts";
