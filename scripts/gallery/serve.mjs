// Serves a built page from its files.json, with the headers that the hub gives it.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

export const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types signalbox",
].join("; ");

export async function servePage(folder) {
  const files = new Map(
    JSON.parse(readFileSync(join(folder, "files.json"), "utf8")).map((file) => [
      `/${file.path}`,
      file,
    ]),
  );
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://page");
    const file = files.get(pathname === "/gallery" ? "/gallery.html" : pathname);
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    const headers = {
      "content-type": file.type,
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
    };
    response.writeHead(200, headers).end(readFileSync(join(folder, file.path)));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
