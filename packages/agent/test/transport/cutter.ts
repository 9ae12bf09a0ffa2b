import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/**
 * The connection between an agent and its host. It passes bytes on and cuts the connection, in both
 * directions and in the middle of whatever is on its way, as soon as a number of the agent's bytes
 * have passed.
 */
export class Cutter {
  /** How many connections were open, with an answer from the host. */
  live = 0;
  cuts = 0;
  /** No connection is accepted. */
  isAway = false;
  /** The agent's bytes are read and not passed on. */
  isDeaf = false;
  readonly #bytesUntilCut: () => number;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  readonly #server = createServer((agent) => this.#join(agent));
  #hostPort = 0;

  /** `bytesUntilCut` is called for each new connection; `Infinity` means no cut. */
  constructor(bytesUntilCut: () => number = () => Infinity) {
    this.#bytesUntilCut = bytesUntilCut;
  }

  async open(hostUrl: string): Promise<string> {
    this.#hostPort = Number(new URL(hostUrl).port);
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `ws://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
  }

  #join(agent: Socket): void {
    agent.on("error", () => {});
    if (this.isAway) return void agent.destroy();
    const host = connect(this.#hostPort, "127.0.0.1");
    host.on("error", () => {});
    const pair = [agent, host] as const;
    this.#pairs.add(pair);
    let left = Infinity;
    host.once("data", () => {
      this.live++;
      left = this.#bytesUntilCut();
    });
    host.on("data", (bytes) => agent.write(bytes));
    agent.on("data", (bytes: Buffer) => {
      if (this.isDeaf) return;
      host.write(left < bytes.length ? bytes.subarray(0, left) : bytes);
      left -= bytes.length;
      if (left <= 0 && this.#pairs.has(pair)) this.#part(pair);
    });
    agent.on("close", () => host.end());
    host.on("close", () => agent.destroy());
  }

  #part(pair: readonly [Socket, Socket]): void {
    this.#pairs.delete(pair);
    this.cuts++;
    const [agent, host] = pair;
    agent.destroy();
    host.end();
  }

  cut(): void {
    for (const pair of this.#pairs) this.#part(pair);
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}
