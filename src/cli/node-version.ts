/** The oldest Node that runs every command; a test holds it against package.json. */
export const oldestNode = "20.12";

/** Why a version of Node does not serve, or nothing. Written for old ones to read, too. */
export function nodeProblem(version: string): string | undefined {
	const own = version.split(".").map(Number);
	const oldest = oldestNode.split(".").map(Number);
	if (own[0] > oldest[0] || (own[0] === oldest[0] && own[1] >= oldest[1])) return undefined;
	return (
		"Node.js: this is version " +
		version +
		", and Odentify needs " +
		oldestNode +
		" or newer\n  Install a current Node.js from https://nodejs.org"
	);
}
