declare module "virtual:facts" {
	const facts: import("./build/facts.ts").Facts;
	export default facts;
}
