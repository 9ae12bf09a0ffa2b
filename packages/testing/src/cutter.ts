import { connect, createServer, type Socket } from "node:net";
import { once } from "node:events";

/** How often the hub is looked for, every 50 ms: longer than any wait of a test. */
const TRIES = 6000;

/** A TCP proxy that a test can cut: what is on its way then is lost. */
export async function openCutter(port: number, host = "127.0.0.1") {
  const pairs = new Set<readonly [Socket, Socket]>();
  const inUse = new Set<readonly [Socket, Socket]>();
  let passed = 0;
  let cutAfter = Number.POSITIVE_INFINITY;
  let cuts = 0;
  const cut = () => {
    cutAfter = Number.POSITIVE_INFINITY;
    cuts += pairs.size > 0 ? 1 : 0;
    for (const pair of pairs) for (const socket of pair) socket.resetAndDestroy();
    pairs.clear();
    inUse.clear();
  };
  /** While the hub is away whoever dials waits, as behind a socket that the system holds open. */
  const reach = async (near: Socket): Promise<Socket | undefined> => {
    for (let left = TRIES; left > 0 && !near.destroyed; left--) {
      const far = connect(port, "127.0.0.1");
      const isThere = await new Promise<boolean>((resolve) => {
        far.on("connect", () => resolve(true));
        far.on("error", () => resolve(false));
      });
      if (isThere) return far;
      await Bun.sleep(50);
    }
    return undefined;
  };
  const join = async (near: Socket): Promise<void> => {
    near.on("error", () => {});
    near.pause();
    const far = await reach(near);
    if (!far) return;
    const pair = [near, far] as const;
    pairs.add(pair);
    let isHead = true;
    near.on("data", (bytes: Buffer) => {
      // The hub answers to its own name alone.
      const named = () => bytes.toString("latin1").replace(/Host: .*/i, `Host: 127.0.0.1:${port}`);
      const chunk = isHead ? Buffer.from(named(), "latin1") : bytes;
      if (!isHead && pairs.has(pair)) inUse.add(pair);
      isHead = false;
      passed += chunk.length;
      if (passed < cutAfter) {
        far.write(chunk);
        return;
      }
      far.write(chunk.subarray(0, Math.max(0, chunk.length - (passed - cutAfter)))); // in mid-frame
      setTimeout(cut);
    });
    near.resume();
    far.on("data", (chunk) => near.write(chunk));
    for (const [one, other] of [pair, [far, near] as const]) {
      one.on("error", () => {});
      one.on("close", () => {
        pairs.delete(pair);
        inUse.delete(pair);
        other.destroy();
      });
    }
  };
  const server = createServer((near) => void join(near));
  server.listen(0, host);
  await once(server, "listening");
  const { port: own } = server.address() as { port: number };
  return {
    port: own,
    cut,
    get cuts() {
      return cuts;
    },
    /** Whether who dialled has sent something since it was let in: it knows that it is connected. */
    get isInUse() {
      return inUse.size > 0;
    },
    /** Cuts when so many more bytes have come from the agent. */
    cutWithin(bytes: number): void {
      cutAfter = passed + bytes;
    },
    [Symbol.asyncDispose]: async () => {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
