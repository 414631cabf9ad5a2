/** Public entry of templates: models to begin with, made for the columns of a file. */
export {
	type BeginningFile,
	beginningFor,
	beginningOf,
	linearBeginning,
	type RecordFile,
} from "./beginning.ts";
export { type GivenColumns, type TemplateForColumns, templateFor, templateText } from "./for-columns.ts";
export { type LinearForColumns, linearFor } from "./linear.ts";
export { templates } from "./list.ts";
export { templateFigure, templatePicture } from "./picture.ts";
export { type SampleRecord, sampleRecord } from "./sample-record.ts";
export type { Template, TemplateSignal, TemplateUnknown } from "./template.ts";
