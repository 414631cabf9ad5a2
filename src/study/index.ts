/** Public entry of studies: study text to problem, the run of a method, and what is written of its result. */

export { offLimit, rmseByOutput } from "../estimate/predict/residuals.ts";
export { type Adaptation, adaptedFor } from "./adapt/adapt.ts";
export type { AnswerOf, Evidence } from "./adapt/evidence.ts";
export { keptResult } from "./kept-result.ts";
export { packJson, unpackJson } from "./packed-json.ts";
export { foreignFiles } from "./petab/foreign-files.ts";
export type { Played, PlayedCurve, Player } from "./play/player.ts";
export { type PlayedStudy, playerOf } from "./play/player-of.ts";
export type { Track } from "./play/track.ts";
export { problemFromStudy } from "./problem-from-study.ts";
export { detrendedOf } from "./records/detrended.ts";
export { dosesText } from "./records/dose-shape.ts";
export { overlapDoubts } from "./records/overlap.ts";
export { tablesOf } from "./records/records.ts";
export { type RunEnd, type RunHooks, type RunTask, runStudy } from "./run.ts";
export { type Simulation, simulateRecord } from "./simulate/simulate.ts";
export { simulateStudy } from "./simulate/simulate-study.ts";
export { trajectoryCsv } from "./simulate/trajectory-csv.ts";
export type {
	Grouping,
	Rows,
	Selection,
	Study,
	StudyRecord,
} from "./study.ts";
export { tableKey } from "./study.ts";
export { type SummaryFacts, summaryOf } from "./summary.ts";
export { parseStudyModel, studyModelText } from "./text/inline-model.ts";
export { StudyError } from "./text/study-error.ts";
export { type MethodOptions, parseStudy } from "./text/study-file.ts";
export { studyText } from "./text/study-text.ts";
export { packStudy, type UnpackedStudy, unpackStudy } from "./text/study-zip.ts";
