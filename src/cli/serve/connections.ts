/**
 * A server that stays open to newcomers: past the most connections it has, the one that was quiet longest is closed, not the
 * new one turned away. Who opens many and says nothing closes their own.
 */
import type { Server } from "node:http";
import type { Socket } from "node:net";

export function limitConnections(server: Server, most: number): void {
	/** Those that are not being answered, the longest quiet first. */
	const quiet = new Set<Socket>();
	let open = 0;
	server.on("connection", (socket: Socket) => {
		open++;
		socket.once("close", () => {
			open--;
			quiet.delete(socket);
		});
		// Of those that are there: all may be at work, and then the newcomer goes.
		if (open > most) (quiet.values().next().value ?? socket).destroy();
		if (!socket.destroyed) quiet.add(socket);
	});
	server.on("request", ({ socket }, response) => {
		quiet.delete(socket);
		// Once the answer is handed over, the rest is the other side's to take.
		response.once("prefinish", () => {
			if (!socket.destroyed) quiet.add(socket);
		});
	});
}
