/** What the system said when it refused a file, in words. */

const anyway: Readonly<Record<string, string>> = {
	ENOSPC: "the disk is full",
	EDQUOT: "your share of the disk is full",
	EFBIG: "it would be larger than the system lets a file be",
	EROFS: "the disk is read-only",
	EIO: "the disk has an error",
	ENOTDIR: "part of the path is a file",
	ENAMETOOLONG: "its name is too long",
	ELOOP: "its links lead in a circle",
	EMFILE: "too many files are open",
	ENFILE: "too many files are open",
	EBUSY: "something else uses it",
};

const whenRead: Readonly<Record<string, string>> = {
	ENOENT: "there is no such file",
	EACCES: "you may not open it",
	EPERM: "you may not open it",
	EISDIR: "is a folder, not a file",
};

const whenWritten: Readonly<Record<string, string>> = {
	ENOENT: "the system lets nothing be made there",
	EACCES: "you may not write there",
	EPERM: "you may not write there",
	EISDIR: "there is a folder of that name",
	ENOTEMPTY: "there is a folder of that name",
	EEXIST: "something of that name is there",
};

export type FileUse = "read" | "written";

/** Why the system refused; `undefined` for an error that did not come from it. */
export function systemReason(error: unknown, use: FileUse): string | undefined {
	const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
	if (code === undefined || syscall === undefined) return undefined;
	const own = use === "read" ? whenRead : whenWritten;
	return own[code] ?? anyway[code] ?? `the system refuses it (${code})`;
}

/** Whether there was no room for it. */
export function isFull(error: unknown): boolean {
	return ["ENOSPC", "EDQUOT", "EFBIG"].includes((error as NodeJS.ErrnoException)?.code ?? "");
}
