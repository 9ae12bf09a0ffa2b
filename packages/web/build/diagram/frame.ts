import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

/** The hub knows it by this name, and gives it a policy of its own. */
export const DIAGRAM_FILE = "diagram.html";

/** A script as it may stand inside a page: nothing in it looks like its end. */
function inline(text: string): string {
  return text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
}

function scripts(): string[] {
  const main = createRequire(import.meta.url).resolve("mermaid");
  const mermaid = readFileSync(join(dirname(main), "mermaid.min.js"), "utf8");
  const ours = (name: string) => readFileSync(join(import.meta.dirname, name), "utf8");
  // In a block of its own: its names and those of the others do not meet.
  return [`{${ours("sanitize.js")}}`, mermaid, ours("frame.js")].map(inline);
}

/** What the frame's policy names: these scripts run in it, and no others. */
export function scriptHashes(): string[] {
  return scripts().map((text) => `sha256-${createHash("sha256").update(text).digest("base64")}`);
}

function frame(): string {
  const style = readFileSync(join(import.meta.dirname, "frame.css"), "utf8");
  const bodies = scripts().map((text) => `<script>${text}</script>`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Diagram</title><style>${style}</style><body></body>${bodies.join("")}</html>\n`;
}

/** Puts the frame beside the page: one file with all it needs, since a frame without origin fetches none. */
export function diagramFrame(): Plugin {
  return {
    name: "signalbox:diagram-frame",
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if (request.url === `/${DIAGRAM_FILE}`) {
          response.setHeader("content-type", "text/html; charset=utf-8");
          response.end(frame());
        } else next();
      });
    },
    generateBundle() {
      this.emitFile({ type: "asset", fileName: DIAGRAM_FILE, source: frame() });
    },
  };
}
