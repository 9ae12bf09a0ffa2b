import { deferred, failureText, type Line } from "@signalbox/protocol";
import type { Driver, Run } from "@signalbox/host";
import type { RunLog } from "../link/line-buffer.ts";
import { PROMPT } from "@signalbox/host/plain-lines";
import { removeKeepAlive } from "./keep-alive.ts";

/** A driver whose runs are written down: every line in and out, in the order in which it passed. */
export class RecordedDriver implements Driver {
  readonly name: string;
  readonly capabilities: Driver["capabilities"];
  readonly startsAgents: boolean;
  readonly #driver: Driver;
  readonly #log: RunLog;
  readonly #onRun: (run: Run) => void;
  readonly #readToEnd = deferred<void>();
  #launch: Parameters<Driver["start"]>[0] | undefined;
  #run: Run | undefined;
  #unwanted = false;

  /** `onRun`: it is there, and nothing of it was read yet. */
  constructor(driver: Driver, log: RunLog, onRun: (run: Run) => void = () => {}) {
    this.name = driver.name;
    this.capabilities = driver.capabilities;
    this.startsAgents = driver.startsAgents ?? true;
    this.#driver = driver;
    this.#log = log;
    this.#onRun = onRun;
  }

  /** Ends the run, also one that is only about to begin. */
  async cancel(): Promise<void> {
    this.#unwanted = true;
    if (this.#run) await this.#run.close();
    else if (this.#launch) this.#driver.giveUp?.(this.#launch);
  }

  /** Settles when the last line of the run is written down; at once when there was no run. */
  get complete(): Promise<void> {
    return this.#run ? this.#readToEnd.promise : Promise.resolve();
  }

  async start(launch: Parameters<Driver["start"]>[0]): Promise<Run> {
    this.#launch = launch;
    const run = await this.#driver.start(launch);
    this.#run = run;
    run.onRemark = (text) => this.#log.addMarker("remark", { level: "warning", text });
    this.#onRun(run);
    if (this.#unwanted) void run.close(); // whoever starts it finds it closed
    const incoming = { [Symbol.asyncIterator]: () => this.#read(run) };
    const send = (line: string) => this.#send(run, line);
    return Object.create(run, {
      incoming: { value: incoming },
      send: { value: send },
    }) as Run;
  }

  async *#read(run: Run): AsyncGenerator<readonly Line[], void, undefined> {
    try {
      for await (const batch of run.incoming) {
        this.#log.add("agent", removeKeepAlive(batch));
        await this.#log.waitForSpace(); // nothing is read before there is: the agent waits, and nothing is lost
        yield batch;
      }
    } finally {
      this.#readToEnd.resolve();
    }
  }

  /** Written down before it is sent, so that whatever the agent says to it comes after it. */
  async #send(run: Run, line: string): Promise<void> {
    this.#log.add("host", [line]);
    try {
      await run.send(line);
    } catch (failure) {
      // A message waits on, and is given to the next run.
      if (!line.startsWith(PROMPT)) {
        const text = `The last line to the agent did not reach it: ${failureText(failure)}`;
        this.#log.addMarker("remark", { level: "warning", text });
      }
      throw failure;
    }
  }
}
