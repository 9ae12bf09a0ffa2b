// An MCP server for stories about resources: a text, a page and some bytes.
import { createInterface } from "node:readline";

const contents = {
  "book://one": { mimeType: "text/plain", text: "Once upon a time." },
  "ui://page": { mimeType: "text/html", text: "<p>Once</p>" },
  "book://cover": { mimeType: "image/png", blob: "iVBORw0KGgo=" },
};
const results = {
  initialize: () => ({
    protocolVersion: "2025-06-18",
    capabilities: { resources: {} },
    serverInfo: { name: "shelf", version: "1.0.0" },
  }),
  "resources/list": () => ({
    resources: Object.keys(contents).map((uri) => ({ uri, name: uri.slice(7) })),
  }),
  "resources/read": ({ uri }) => contents[uri] && { contents: [{ uri, ...contents[uri] }] },
};
const none = { error: { code: -32_002, message: "Resource not found" } };

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = results[method]?.(params);
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : none) }));
});
