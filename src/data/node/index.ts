/** Records of measurements as Node has them: the same names; foreign formats are read in a thread that can be ended. */
export * from "../index.ts";
export { previewTable, readMat73, readParquet, readTable } from "./read-table.ts";
