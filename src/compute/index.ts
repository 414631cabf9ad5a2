/** Public entry of the places to compute that need no Node: the calling thread, and the workers of a page. */
export type { Reply, WorkerPort, WorkerScope } from "./browser/port.ts";
export { WebWorkers, type WebWorkersOptions } from "./browser/web-workers.ts";
export { workerLoop } from "./browser/worker-loop.ts";
export type { Compute, Launch } from "./compute.ts";
export { inline } from "./inline.ts";
