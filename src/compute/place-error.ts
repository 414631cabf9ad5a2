/** A place to compute that is gone, refuses or loses its work. The run itself is sound, and can be gone on with when that is mended, or elsewhere. */
import { InputError } from "../errors.ts";

export class PlaceError extends InputError {
	/** The same with the remedy for a run that has kept a checkpoint. */
	goingOn(folder: string): PlaceError {
		const then = `Then go on, there or elsewhere:  odentify resume ${folder}`;
		return new PlaceError(this.subject, this.problem, `${this.remedy}\n  ${then}`);
	}
}
