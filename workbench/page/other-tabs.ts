/** Tabs with the same page: what one writes into the browser's storage the others hear of. */

const name = "odentify-studies";

export class OtherTabs {
	readonly #channel = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(name);

	constructor(hear: (id: string) => void) {
		this.#channel?.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
			if (typeof data === "string") hear(data);
		});
	}

	/** That a study was written here. */
	tell(id: string): void {
		this.#channel?.postMessage(id);
	}

	/** Whether somebody may be writing into a field of this tab, of which nothing is known before it is left. */
	static isAtHand(): boolean {
		const at = document.activeElement;
		return (
			document.hasFocus() &&
			at instanceof HTMLElement &&
			(at.isContentEditable || /^(input|select|textarea)$/i.test(at.tagName))
		);
	}
}

/** Which study a tab had, over a reload. */
export const studyOfThisTab = {
	get(): string | null {
		try {
			return sessionStorage.getItem(name);
		} catch {
			return null;
		}
	},
	set(id: string): void {
		try {
			sessionStorage.setItem(name, id);
		} catch {
			// A browser that keeps nothing: the study that was last worked on is shown after a reload.
		}
	},
};
