/** The library as Node has it: the same names; files of foreign formats are read in a thread that can be ended. */
export { readTable } from "../data/node/read-table.ts";
export * from "../index.ts";
export { recordFromFile } from "../library/node/record-from-file.ts";
