import { errorMessage } from "@signalbox/protocol/text";
import type { Line } from "@signalbox/protocol";
import { deferred } from "@signalbox/protocol/wire";
import type { LineObserver, Run } from "@signalbox/host";
import type { RunLog } from "../link/line-buffer.ts";
import { PROMPT_LINE_START } from "@signalbox/host/plain-lines";
import { removeKeepAlive } from "./keep-alive.ts";

/** Adds every line of a run to the log, in both directions and in order. */
export class RunRecorder implements LineObserver {
  readonly #log: RunLog;
  readonly #onRun: (run: Run) => void;
  readonly #ended = deferred<void>();
  #hasStarted = false;

  /** `onRun` is called when the run has started and before any of its lines is read. */
  constructor(log: RunLog, onRun: (run: Run) => void = () => {}) {
    this.#log = log;
    this.#onRun = onRun;
  }

  /** Resolves when the last line of the run is in the log, or at once if no run has started. */
  get complete(): Promise<void> {
    return this.#hasStarted ? this.#ended.promise : Promise.resolve();
  }

  onStart(run: Run): void {
    this.#hasStarted = true;
    run.onRemark = (text, facts) => {
      this.#log.addMarker("remark", { level: "warning", text, ...facts });
    };
    this.#onRun(run);
  }

  onIncoming(lines: readonly Line[]): Promise<void> | undefined {
    this.#log.add("agent", removeKeepAlive(lines));
    return this.#log.waitForSpace(); // Nothing is read until there is space: the agent waits, and nothing is lost.
  }

  /** The line is logged before it is sent, so that the agent's answer comes after it in the log. */
  onOutgoing(line: string): void {
    this.#log.add("host", [line]);
  }

  /** A prompt that was not sent stays in the queue and goes to the next run. Any other lost line is reported. */
  onSendFailed(line: string, failure: unknown): void {
    if (line.startsWith(PROMPT_LINE_START)) return;
    const text = `The last line to the agent did not reach it: ${errorMessage(failure)}`;
    this.#log.addMarker("remark", { level: "warning", text });
  }

  onEnd(): void {
    this.#ended.resolve();
  }
}
