/**
 * A page that holds everything it needs: it opens from a file without a network, prints, and runs no script but its own
 * (the policy in its head names that one, and the style, by their digests).
 */
import { html, jsonBlock, Markup } from "./markup.ts";
import { sha256Base64 } from "./sha256.ts";
import type { ZoomData } from "./zoom-data.ts";
import { zoomScript } from "./zoom-script.ts";

export interface DocumentParts {
	readonly title: string;
	readonly version: string;
	readonly style: string;
	readonly body: Markup;
	readonly zoomed: readonly ZoomData[];
}

export function documentPage({ title, version, style, body, zoomed }: DocumentParts): string {
	const policy = `default-src 'none'; style-src 'sha256-${sha256Base64(style)}'; script-src 'sha256-${sha256Base64(zoomScript)}'; base-uri 'none'; form-action 'none'`;
	return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="generator" content="Odentify ${version}">
<title>${title} · Odentify</title>
<style>${new Markup(style)}</style>
</head>
<body>
${body}
<script type="application/json" id="zoom-data">${jsonBlock(zoomed)}</script>
<script>${new Markup(zoomScript)}</script>
</body>
</html>
`.html;
}
