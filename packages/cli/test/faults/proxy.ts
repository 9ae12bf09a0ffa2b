import { createConnection, createServer, type Socket } from "node:net";
import { once } from "node:events";

/**
 * What lies between two programs and can fail: it is cut (both ends hear it), or swallows (nobody hears
 * anything any more). It passes for the hub's own address: the Host of a request is the hub's.
 */
export async function openProxy(target: number) {
  const pairs = new Set<readonly [Socket, Socket]>();
  let open = true;
  let swallowing = false;
  const server = createServer((near) => {
    if (!open) {
      near.destroy();
      return;
    }
    const far = createConnection(target, "127.0.0.1");
    const pair = [near, far] as const;
    pairs.add(pair);
    const end = () => {
      if (swallowing) return;
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of pair) socket.on("error", end).on("close", end);
    near.on("data", (data: Buffer) => void (swallowing || far.write(asTheHubs(data))));
    far.on("data", (data) => void (swallowing || near.write(data)));
  });
  const asTheHubs = (data: Buffer) => {
    if (!data.includes(`127.0.0.1:${port}`)) return data;
    const text = data.toString("latin1").replaceAll(`127.0.0.1:${port}`, `127.0.0.1:${target}`);
    return Buffer.from(text, "latin1");
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const drop = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    pairs.clear();
  };
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    get connections() {
      return pairs.size;
    },
    /** Every connection ends, and none is taken until `restore`. */
    cut() {
      open = false;
      drop();
    },
    /** Nothing passes any more, and nobody is told. New connections are not taken. */
    swallow() {
      open = false;
      swallowing = true;
    },
    restore() {
      if (swallowing) drop();
      swallowing = false;
      open = true;
    },
    [Symbol.dispose]() {
      swallowing = false;
      drop();
      server.close();
    },
  };
}
export type Proxy = Awaited<ReturnType<typeof openProxy>>;
