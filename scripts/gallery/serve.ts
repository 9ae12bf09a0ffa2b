import { addSecurityHeaders } from "../../packages/hub/src/http/security-headers.ts";
import { openPage } from "../../packages/hub/src/http/page.ts";

/** A built page behind the hub's own door: the files it lists, with the headers it gives. */
export async function servePage(folder: string): Promise<{ origin: string } & AsyncDisposable> {
  const page = await openPage(folder);
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname } = new URL(request.url);
      const path = pathname === "/gallery" ? "/gallery.html" : pathname;
      return addSecurityHeaders(page.serve(request.method, path, request.headers));
    },
  });
  return {
    origin: `http://127.0.0.1:${server.port}`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
