// The browser that tests and pictures open pages in. Where there is no screen the smaller one does the same in seven tenths of the processor time.
import { existsSync } from "node:fs";

export const chromiumPaths = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
export const chromiumPath = process.env.CHROMIUM ?? chromiumPaths.find(existsSync) ?? chromiumPaths[0];
