import { createTransportPair, type Transport } from "@signalbox/protocol";
import type { Capabilities, Driver, Launch, Run } from "@signalbox/host";
import { createRunEnd } from "@signalbox/host/launch";

const capabilities: Capabilities = {
  streaming: true,
  permissions: true,
  resume: true,
  fork: true,
  images: true,
  subagents: true,
  rewind: true,
  steering: true,
  stopTasks: true,
};

/** A driver whose agent is the test itself: what the test sends, the host reads, and the other way round. */
export class MemoryDriver implements Driver {
  readonly name = "memory";
  readonly capabilities = capabilities;
  /** The agent's end of the connection. */
  readonly agent: Transport;
  readonly launchesGivenUp: Launch[] = [];
  readonly #run: Run;
  readonly #started: Promise<void>;
  #failure: Error | undefined;

  /** `started`: the run is not there before it settles. `initialized`: false lets the host initialize it. */
  constructor({ started = Promise.resolve(), initialized = true } = {}) {
    const [host, agent] = createTransportPair();
    this.agent = agent;
    this.#started = started;
    this.#run = {
      driver: this.name,
      capabilities,
      agent: { path: "", version: "2.1.325", versionClass: "tested" },
      unsupportedOptions: [],
      folder: "/",
      stderr: "",
      ...(initialized && { initialized: {} }),
      incoming: host.incoming,
      closed: host.closed.then(() => createRunEnd("clean", {})),
      send: (line) => (this.#failure ? Promise.reject(this.#failure) : host.send(line)),
      close: () => host.close(),
      [Symbol.asyncDispose]: () => host.close(),
    };
  }

  async start(): Promise<Run> {
    await this.#started;
    return this.#run;
  }

  /** From now on nothing reaches the agent. */
  failSends(failure: Error): void {
    this.#failure = failure;
  }

  giveUp(launch: Launch): void {
    this.launchesGivenUp.push(launch);
  }
}
