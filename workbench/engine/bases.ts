/** Fetched for models that have a function to be found. */
export { expandBases } from "../../src/model/index.ts";
