/** Seconds of processor time since `process.cpuUsage()` gave `used`. */
export function secondsSince(used: NodeJS.CpuUsage): number {
	const { user, system } = process.cpuUsage(used);
	return (user + system) / 1e6;
}
