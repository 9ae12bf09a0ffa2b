import { expect, test } from "bun:test";
import { createSigningKey } from "../../src/link/keys.ts";
import { locateHub } from "../../src/link/locate-hub.ts";

const MB = 1024 * 1024;

test("[HD18] an answer without an end is not read before the hub has proven itself", async () => {
  let sent = 0;
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            if (sent > 1000 * MB) return controller.close();
            sent += MB;
            return controller.enqueue(new Uint8Array(MB).fill(32));
          },
        }),
      ),
  });
  const url = `http://127.0.0.1:${server.port}`;
  const { publicKey } = createSigningKey();
  const why = await locateHub({ url, key: publicKey }).catch((error: Error) => error.message);
  expect(why).toContain("is not the hub of this runner");
  expect(sent).toBeLessThan(200 * MB);
});
