import type { Line } from "@signalbox/protocol";
import { deferred, failureText } from "@signalbox/protocol/wire";
import type { LineObserver, Run } from "@signalbox/host";
import type { RunLog } from "../link/line-buffer.ts";
import { PROMPT } from "@signalbox/host/plain-lines";
import { removeKeepAlive } from "./keep-alive.ts";

/** Writes down every line of a run, in and out, in the order in which it passed. */
export class RunRecorder implements LineObserver {
  readonly #log: RunLog;
  readonly #onRun: (run: Run) => void;
  readonly #ended = deferred<void>();
  #hasStarted = false;

  /** `onRun`: called when the run has started and nothing of it was read yet. */
  constructor(log: RunLog, onRun: (run: Run) => void = () => {}) {
    this.#log = log;
    this.#onRun = onRun;
  }

  /** Settles when the last line of the run is written down; at once when no run has started. */
  get complete(): Promise<void> {
    return this.#hasStarted ? this.#ended.promise : Promise.resolve();
  }

  onStart(run: Run): void {
    this.#hasStarted = true;
    run.onRemark = (text) => this.#log.addMarker("remark", { level: "warning", text });
    this.#onRun(run);
  }

  onIncoming(lines: readonly Line[]): Promise<void> | undefined {
    this.#log.add("agent", removeKeepAlive(lines));
    return this.#log.waitForSpace(); // nothing is read before there is room: the agent waits, and nothing is lost
  }

  /** Written down before it is sent, so that whatever the agent says to it comes after it. */
  onOutgoing(line: string): void {
    this.#log.add("host", [line]);
  }

  /** A message waits on, and is given to the next run; anything else that is lost is remarked on. */
  onSendFailed(line: string, failure: unknown): void {
    if (line.startsWith(PROMPT)) return;
    const text = `The last line to the agent did not reach it: ${failureText(failure)}`;
    this.#log.addMarker("remark", { level: "warning", text });
  }

  onEnd(): void {
    this.#ended.resolve();
  }
}
