import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Plugin } from "vite";

/** Where the gallery finds its items. */
const address = "gallery-items.json";

/** What the timeline makes of the recordings today, so that the gallery cannot grow old. */
function recordedItems(): Buffer {
  const script = join(import.meta.dirname, "recorded-items.ts");
  const bun = join(import.meta.dirname, "../../../node_modules/.bin/bun");
  return execFileSync(bun, [script], { maxBuffer: 256 * 1024 * 1024 });
}

/** Serves the gallery at `/gallery` while developing; `build` puts its items beside the page. */
export function gallery(options: { build: boolean }): Plugin {
  return {
    name: "signalbox:gallery",
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const path = (request.url ?? "").replace(/\?.*$/, "");
        if (path === "/gallery") request.url = "/gallery.html";
        if (path === `/${address}`) response.end(recordedItems());
        else next();
      });
    },
    generateBundle() {
      if (!options.build) return;
      this.emitFile({ type: "asset", fileName: address, source: recordedItems() });
    },
  };
}
