/** A worker that runs lanes for the engine. */
import { type WorkerScope, workerLoop } from "../../src/compute/index.ts";

workerLoop(self as unknown as WorkerScope);
