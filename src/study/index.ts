/** Public entry of studies: study text to problem, the run of a method, and what is written of its result. */

export { offLimit, rmseByOutput } from "../estimate/predict/residuals.ts";
export { type Adaptation, adaptedFor } from "./adapt/adapt.ts";
export type { AnswerOf, Evidence } from "./adapt/evidence.ts";
export { detrendedOf } from "./detrended.ts";
export { dosesText } from "./dose-shape.ts";
export { parseStudyModel, studyModelText } from "./inline-model.ts";
export { keptResult } from "./kept-result.ts";
export { overlapDoubts } from "./overlap.ts";
export { packJson, unpackJson } from "./packed-json.ts";
export { foreignFiles } from "./petab/foreign-files.ts";
export type { Played, PlayedCurve, Player } from "./play/player.ts";
export { type PlayedStudy, playerOf } from "./play/player-of.ts";
export type { Track } from "./play/track.ts";
export { problemFromStudy } from "./problem-from-study.ts";
export { tablesOf } from "./records.ts";
export { type RunEnd, type RunHooks, type RunTask, runStudy } from "./run.ts";
export { type Simulation, simulateRecord } from "./simulate.ts";
export { simulateStudy } from "./simulate-study.ts";
export type {
	Grouping,
	Rows,
	Selection,
	Study,
	StudyRecord,
} from "./study.ts";
export { tableKey } from "./study.ts";
export { StudyError } from "./study-error.ts";
export { type MethodOptions, parseStudy } from "./study-file.ts";
export { studyText } from "./study-text.ts";
export { packStudy, type UnpackedStudy, unpackStudy } from "./study-zip.ts";
export { type SummaryFacts, summaryOf } from "./summary.ts";
export { trajectoryCsv } from "./trajectory-csv.ts";
