declare module "virtual:facts" {
	const facts: import("./build/facts.ts").Facts;
	export default facts;
}
/** Records of the examples by their path, where the page holds them itself. */
declare module "virtual:records" {
	const records: ReadonlyMap<string, string>;
	export default records;
}
